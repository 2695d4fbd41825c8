import { openLocalModel, type LocalModel } from '../local/open-model.ts'
import type { GeneratedTokens } from '../local/generate.ts'
import type { ModelFiles } from '../deployment/model.ts'
import { modelStringOf, type LocalSettings } from '../local/settings.ts'
import { stopScan, type StopScan } from '../local/stop-scan.ts'
import {
  aborted,
  ClientError,
  textOf,
  type Choice,
  type Client,
  type CompletionRequest,
} from '../calls/client.ts'
import { createHash } from 'node:crypto'
import { canonicalJson } from '../../cache/values/digest.ts'

/**
 * A client that runs a model in this process, opened with the first request (HELM's HuggingFaceClient, HELM.md M7).
 * Prompts are sent whole: a deployment's window cuts them before, and template and answer may reach beyond the context, as there. A text that is itself longer than the context fails.
 */
export const createLocalClient = (files: ModelFiles, settings: LocalSettings): Client => {
  let opening: Promise<LocalModel> | undefined
  return {
    local: true,
    complete: async (request, signal) => {
      if (signal.aborted) throw aborted()
      const model = await (opening ??= openLocalModel(files, settings))
      const prompt = promptOf(request, model, settings)
      const scan = stopScan((ids) => decoded(ids, model, settings), request.stop)
      const made = await Promise.all(
        Array.from({ length: request.n }, (_, choice) =>
          model.batches.answer({
            prompt,
            maxTokens: request.maxTokens,
            sampling: { ...model.defaults, temperature: request.temperature, topP: request.topP },
            eos: model.defaults.eos,
            draw: drawsOf(request, choice),
            stopped: (ids) => scan.stopped(ids),
            signal,
          }),
        ),
      )
      return {
        choices: made.map((generated) => choiceOf(generated, scan, model, settings)),
        usage: {
          inputTokens: prompt.length,
          outputTokens: made.reduce((sum, { tokens }) => sum + tokens.length, 0),
        },
        model: modelStringOf(settings),
      }
    },
    close: async () => (await opening?.catch(() => undefined))?.close(),
  }
}

const promptOf = (
  { messages }: CompletionRequest,
  { tokenizer, template, defaults }: LocalModel,
  { asHelm }: LocalSettings,
): readonly number[] => {
  const text = template?.(messages) ?? textOf(messages)
  // A rendered template opens the text itself; HELM has the tokenizer open it once more.
  const ids = template === undefined || asHelm ? tokenizer.encodeWhole(text) : tokenizer.encode(text)
  if (ids.length === 0)
    throw new ClientError('local/empty-prompt', 'the prompt has no token', { retriable: false })
  if (defaults.context !== undefined && ids.length >= defaults.context) {
    // HELM cuts the text to the window and lets the template's own tokens stick out.
    const { length } = tokenizer.encode(textOf(messages))
    if (length >= defaults.context) throw tooLong(length, defaults.context)
  }
  return ids
}

const tooLong = (length: number, context: number): ClientError =>
  new ClientError(
    'local/context',
    `the prompt has ${length} tokens, the model's context ${context}: set the deployment's max_sequence_length, and prompts are cut to it`,
    { retriable: false },
  )

/** HELM leaves special tokens in. */
const decoded = (ids: readonly number[], { tokenizer }: LocalModel, { asHelm }: LocalSettings): string =>
  tokenizer.decode(asHelm ? ids : ids.filter((id) => !tokenizer.special.has(id)))

const choiceOf = (
  { tokens, finish }: GeneratedTokens,
  scan: StopScan,
  model: LocalModel,
  settings: LocalSettings,
): Choice => {
  const { logprobs, asHelm } = settings
  return {
    text: scan.cut(
      decoded(
        tokens.map(({ id }) => id),
        model,
        settings,
      ),
    ),
    finishReason: asHelm ? null : finish,
    ...(logprobs !== 'none' && {
      tokens: tokens.map(({ id, logprob, drawnLogprob }) => ({
        text: model.tokenizer.decode([id]),
        logprob: logprobs === 'model' ? logprob : drawnLogprob,
      })),
    }),
  }
}

/**
 * Uniform numbers in [0, 1) for the tokens of one answer, the same for ever: sha256 of messages, seed, repeat, answer
 * and token, its first 53 bits. So no answer hangs on the ones before it or beside it.
 *
 * @param choice - which of a request's answers
 */
export const drawsOf = (
  { messages, seed, sampleIndex }: CompletionRequest,
  choice: number,
): ((token: number) => number) => {
  const key = canonicalJson([
    messages.map(({ role, content }) => [role, content]),
    seed ?? null,
    sampleIndex,
    choice,
  ])
  return (token) => {
    const bytes = createHash('sha256').update(`${key} ${token}`).digest()
    return (bytes.readUInt32BE(0) * 2 ** 21 + (bytes.readUInt32BE(4) >>> 11)) / 2 ** 53
  }
}
