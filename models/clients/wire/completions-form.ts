import type { Completion } from 'openai/resources/completions'
import type { Json } from '../../../cache/values/json.ts'
import type { Reply } from '../../calls/client.ts'
import { chatUsage } from './chat-form.ts'
import { malformed, noChoices, optional, refuseToldError, type WireForm } from './wire-form.ts'

/** Text completions, for models without a chat template: the prompt goes as it is. */
export const completionsForm: WireForm = {
  path: '/completions',
  several: true,
  body: (request, model, { body }) => ({
    model,
    prompt: request.messages.map(({ content }) => content).join('\n'),
    n: request.n,
    ...(request.stop.length === 0 ? {} : { stop: [...request.stop] }),
    ...optional('seed', request.seed),
    temperature: request.temperature,
    top_p: request.topP,
    max_tokens: request.maxTokens,
    ...body,
  }),
  reply: (value) => readReply(value as Completion),
}

const readReply = (body: Completion & { readonly error?: Json }): Reply => {
  refuseToldError(body?.error)
  if (!Array.isArray(body?.choices) || body.choices.length === 0) throw noChoices()
  return {
    choices: body.choices.map(({ text, finish_reason: finishReason }) => {
      if ((finishReason as string | null) === 'error') refuseToldError({})
      if (typeof text !== 'string') throw malformed('its content is no text')
      return { text, finishReason: finishReason ?? null }
    }),
    ...(body.model ? { model: body.model } : {}),
    ...(body.system_fingerprint ? { systemFingerprint: body.system_fingerprint } : {}),
    ...chatUsage(body.usage as Json | undefined),
  }
}
