import type { InferenceSession, Tensor } from 'onnxruntime-node'
import { readFile } from '../../cache/files/read.ts'
import { remembered } from '../../cache/once.ts'
import { ProblemError, reasonOf } from '../../cache/problems/problem.ts'
import { int64Table, loadOnnxRuntime, openOnnx, type OnnxLibrary } from '../onnx-runtime.ts'
import type { Embedding, Encoder, EncoderFiles, EncoderOptions } from './encoder.ts'

/** Where a tokenizer's configuration names no limit, it has none that counts. */
const LONGEST = 512

/**
 * Opens an encoder exported to ONNX, on the CPU or, where its library is installed, on CUDA.
 * @throws ProblemError `models/encoder` when a file can't be used or the model lacks the layer; `models/no-onnxruntime`
 */
export const openOnnxEncoder = async (
  files: EncoderFiles,
  { layer, device }: EncoderOptions,
): Promise<Encoder> => {
  const [runtime, { Tokenizer }] = await Promise.all([loadOnnxRuntime(), import('@huggingface/tokenizers')])
  const settings = await readJson(files.tokenizerConfig)
  const tokenizer = new Tokenizer(await readJson(files.tokenizer), settings)
  const boundaries = tokenizer.encode('').ids
  const session = await opened(runtime, files.model, device)
  const output = `hidden_states.${layer}`
  if (!session.outputNames.includes(output))
    throw unusable(
      files.model,
      `it has no output ${output}, only ${session.outputNames.join(', ')}`,
      'Export the model with its hidden states, or choose another layer.',
    )
  const longest = typeof settings['model_max_length'] === 'number' ? settings['model_max_length'] : LONGEST
  return {
    boundaries: new Set(boundaries),
    tokenize: (text) => {
      const { ids } = tokenizer.encode(text)
      return cutTo(longest, ids)
    },
    embed: (sequences) => embedAll(runtime, session, output, sequences),
    close: () => session.release(),
  }
}

const opened = async (
  runtime: OnnxLibrary,
  model: string,
  device: 'cpu' | 'cuda',
): Promise<InferenceSession> => {
  try {
    return await openOnnx(runtime, model, { device })
  } catch (error) {
    throw unusable(
      model,
      `onnxruntime can't open it on ${device}: ${reasonOf(error)}`,
      device === 'cuda'
        ? 'Install CUDA for onnxruntime, or set device: cpu.'
        : 'Fetch or export the model again.',
    )
  }
}

const embedAll = async (
  runtime: OnnxLibrary,
  session: InferenceSession,
  output: string,
  sequences: readonly (readonly number[])[],
): Promise<readonly Embedding[]> => {
  const results = new Map<number, Embedding>()
  for (const batch of sameLength(sequences)) {
    const length = sequences[batch[0] ?? 0]?.length ?? 0
    const tensor = (fill: (row: number, column: number) => number): Tensor =>
      int64Table(runtime, [batch.length, length], fill)
    const inputs = {
      input_ids: tensor((row, column) => sequences[batch[row] ?? 0]?.[column] ?? 0),
      attention_mask: tensor(() => 1),
      ...(session.inputNames.includes('token_type_ids') ? { token_type_ids: tensor(() => 0) } : {}),
    }
    const { [output]: hidden } = await session.run(inputs, [output])
    if (!(hidden?.data instanceof Float32Array)) throw new TypeError(`${output} is no tensor of float32`)
    const size = hidden.dims[2] ?? 0
    for (const [row, index] of batch.entries())
      results.set(index, { values: hidden.data.slice(row * length * size, (row + 1) * length * size), size })
  }
  return sequences.map((_, index) => results.get(index) ?? { values: new Float32Array(), size: 0 })
}

const readJson = async (file: string): Promise<Record<string, unknown>> => {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Record<string, unknown>
  } catch (error) {
    throw unusable(file, reasonOf(error), 'Fetch the file again.')
  }
}

const unusable = (file: string, why: string, remedy: string): ProblemError =>
  new ProblemError({
    code: 'models/encoder',
    message: `the encoder can not be used: ${why}`,
    where: { file },
    remedy,
  })

/** Tokens of one batch: its activations stay within some hundred megabytes. */
const TOKENS = 4096

/** What an encoder can take of a text: its first tokens, and the mark at its end. */
export const cutTo = (longest: number, ids: readonly number[]): readonly number[] =>
  ids.length <= longest ? ids : [...ids.slice(0, longest - 1), ...ids.slice(-1)]

/**
 * Indexes of sequences in batches of equal length, the shortest first. Unequal ones are never batched: what padding
 * there is would show in the last bits of the vectors, and so would the company that a text happens to be in.
 */
export const sameLength = (sequences: readonly (readonly number[])[]): readonly (readonly number[])[] => {
  const byLength = new Map<number, number[]>()
  for (const [index, { length }] of sequences.entries())
    remembered(byLength, length, (): number[] => []).push(index)
  return [...byLength]
    .toSorted(([a], [b]) => a - b)
    .flatMap(([length, indexes]) => {
      const most = Math.max(1, Math.floor(TOKENS / Math.max(1, length)))
      return Array.from({ length: Math.ceil(indexes.length / most) }, (_, batch) =>
        indexes.slice(batch * most, (batch + 1) * most),
      )
    })
}
