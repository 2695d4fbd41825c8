import { join } from 'node:path'
import { z } from 'zod'
import { readFile } from '../../cache/files/read.ts'
import type { BenchmarkContext } from '../../benchmarks/context/context.ts'
import { fileDigest } from '../../benchmarks/sources/read-text.ts'
import { remoteFile } from '../../benchmarks/sources/fetch/remote-file.ts'
import { digestOf } from '../../cache/values/digest.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import type { Store } from '../../cache/store.ts'
import { openOnnxEncoder } from '../../models/encoders/onnx-encoder.ts'
import {
  createBertScorer,
  type BertScorer,
  type InverseFrequencies,
  embeddingCache,
} from '../../targets/metrics/bert-score/bert-score.ts'
import type { BertScoreConfig, ConfiguredFile } from './workspace/config.ts'

export interface BertScoreSetup {
  /** All that can alter a score: part of the metrics' key. */
  readonly identity: JsonObject
  /** Opens the encoder on the first call. The store keeps embeddings, from which texts can be told. */
  readonly scorer: (store: Store) => Promise<BertScorer>
  close(): Promise<void>
}

/** @throws ProblemError when a file is missing or is not what its sha256 says */
export const setUpBertScore = async (
  config: BertScoreConfig,
  context: BenchmarkContext,
): Promise<BertScoreSetup> => {
  const locate = async (file: ConfiguredFile): Promise<{ path: string; digest: string }> => {
    if ('url' in file) return remoteFile(file, context)
    const path = join(context.workspace, file.path)
    try {
      return { path, digest: await fileDigest(path, context.fileDigests) }
    } catch (cause) {
      throw missing(path, cause)
    }
  }
  const [model, tokenizer, tokenizerConfig] = await Promise.all(
    [config.model, config.tokenizer, config.tokenizer_config].map(locate),
  )
  if (model === undefined || tokenizer === undefined || tokenizerConfig === undefined)
    throw new TypeError('three files were located')
  const idfText = config.idf === undefined ? undefined : await readText(join(context.workspace, config.idf))
  const encoder: JsonObject = {
    model: model.digest,
    tokenizer: tokenizer.digest,
    tokenizerConfig: tokenizerConfig.digest,
    layer: config.layer,
    // Both give the same to some six places; results that differ at all have keys that differ.
    device: config.device,
  }
  const files = { model: model.path, tokenizer: tokenizer.path, tokenizerConfig: tokenizerConfig.path }
  // A failure is kept, too: files that can't be used are opened once, and not for each run.
  let opened: ReturnType<typeof openOnnxEncoder> | undefined
  const open = (): ReturnType<typeof openOnnxEncoder> => (opened ??= openOnnxEncoder(files, config))
  return {
    identity: {
      version: '1',
      name: config.name,
      revision: config.revision ?? null,
      encoder,
      idf: idfText === undefined ? null : digestOf<'text'>(idfText),
      baseline: config.baseline ?? null,
    },
    scorer: async (store) =>
      createBertScorer(
        await open(),
        {
          ...(idfText === undefined ? {} : { idf: parseFrequencies(idfText, config.idf ?? '') }),
          ...(config.baseline === undefined ? {} : { baseline: config.baseline }),
        },
        embeddingCache(store, encoder),
      ),
    close: async () => (await opened?.catch(() => undefined))?.close(),
  }
}

const readText = async (file: string): Promise<string> => {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw missing(file, cause)
  }
}

const Frequencies = z.object({ default: z.number(), idf: z.record(z.string(), z.number()) })

const parseFrequencies = (text: string, file: string): InverseFrequencies => {
  try {
    const parsed = Frequencies.parse(JSON.parse(text))
    return {
      default: parsed.default,
      weights: new Map(Object.entries(parsed.idf).map(([id, weight]) => [Number(id), weight])),
    }
  } catch (cause) {
    throw new ProblemError(
      {
        code: 'config/idf',
        message: 'the file holds no token weights',
        where: { file, field: 'bert_score.idf' },
        remedy: 'Write {"default": 5.3, "idf": {"2054": 1.2}}: a weight per token id.',
      },
      { cause },
    )
  }
}

const missing = (file: string, cause: unknown): ProblemError =>
  new ProblemError(
    {
      code: 'config/encoder',
      message: `the file of bert_score can't be read`,
      where: { file, field: 'bert_score' },
      remedy: 'Put the file there, name another, or leave bert_score out.',
    },
    { cause },
  )
