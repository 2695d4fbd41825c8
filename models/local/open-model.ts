import { join } from 'node:path'
import { readFile } from '../../cache/files/read.ts'
import { ProblemError, reasonOf } from '../../cache/problems/problem.ts'
import { loadHuggingFaceTokenizer, type HuggingFaceTokenizer } from '../tokenizers/hugging-face.ts'
import { createBatches, type LocalBatches } from './batches.ts'
import { chatTemplate, type ChatTemplate } from './chat-template.ts'
import { generationDefaults, type GenerationDefaults } from './generation-defaults.ts'
import type { ModelFiles } from '../deployment/model.ts'
import { openOnnxDecoder } from './onnx-decoder.ts'
import type { LocalSettings } from './settings.ts'

/** A model in memory with all that belongs to asking it. */
export interface LocalModel {
  readonly tokenizer: HuggingFaceTokenizer
  /** Undefined: messages are sent as they are. */
  readonly template: ChatTemplate | undefined
  readonly defaults: GenerationDefaults
  readonly batches: LocalBatches
  close(): Promise<void>
}

/** @throws ProblemError `models/…` that names the file which can't be used */
export const openLocalModel = async (
  { folder, model, all }: ModelFiles,
  settings: LocalSettings,
): Promise<LocalModel> => {
  const read = async (name: string): Promise<Record<string, unknown>> =>
    all.includes(name) ? readJson(join(folder, name)) : {}
  const [tokenizer, config, generation, jinja] = await Promise.all([
    loadHuggingFaceTokenizer(folder),
    read('config.json'),
    read('generation_config.json'),
    all.includes('chat_template.jinja') ? readFile(join(folder, 'chat_template.jinja'), 'utf8') : undefined,
  ])
  const template = chatTemplate(tokenizer.config, jinja, folder)
  if (settings.applyChatTemplate === true && template === undefined) throw noTemplate(folder)
  const defaults = generationDefaults(config, generation, folder)
  const decoder = await openOnnxDecoder(join(folder, model), {
    device: settings.device,
    config,
    ...(settings.threads === undefined ? {} : { threads: settings.threads }),
  })
  return {
    tokenizer,
    template: settings.applyChatTemplate === false ? undefined : template,
    defaults,
    batches: createBatches(decoder, settings.maxBatch),
    close: () => decoder.close(),
  }
}

const readJson = async (file: string): Promise<Record<string, unknown>> => {
  const text = await readFile(file, 'utf8')
  try {
    return JSON.parse(text) as Record<string, unknown>
  } catch (cause) {
    throw new ProblemError(
      {
        code: 'models/local-config',
        message: `the file is no JSON: ${reasonOf(cause)}`,
        where: { file },
        remedy: 'Fetch it again.',
      },
      { cause },
    )
  }
}

const noTemplate = (folder: string): ProblemError =>
  new ProblemError({
    code: 'models/chat-template',
    message: 'apply_chat_template is set, but the model has no chat template',
    where: { file: folder },
    remedy: 'Put its chat_template.jinja there, or write apply_chat_template: false.',
  })
