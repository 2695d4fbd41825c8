import type { ChatCompletion } from 'openai/resources/chat/completions'
import type { Json } from '../../../cache/json.ts'
import type { Choice, Reply, Usage } from '../client.ts'
import { malformed, noChoices, optional, type WireForm } from './wire-form.ts'

/** Chat completions: what every compatible server speaks. */
export const chatForm: WireForm = {
  path: '/chat/completions',
  several: true,
  body: (request, model, { reasoning, reasoningEffort, body }) => ({
    model,
    messages: request.messages.map(({ role, content }) => ({ role, content })),
    n: request.n,
    ...(request.stop.length === 0 ? {} : { stop: [...request.stop] }),
    ...optional('seed', request.seed),
    ...(reasoning
      ? { max_completion_tokens: request.maxTokens }
      : { temperature: request.temperature, top_p: request.topP, max_tokens: request.maxTokens }),
    ...optional('reasoning_effort', reasoningEffort),
    ...body,
  }),
  reply: (value) => readReply(value as unknown as ChatCompletion),
}

const readReply = (body: ChatCompletion): Reply => {
  if (!Array.isArray(body?.choices) || body.choices.length === 0) throw noChoices()
  return {
    choices: body.choices.map(readChoice),
    ...(body.model ? { model: body.model } : {}),
    ...(body.system_fingerprint ? { systemFingerprint: body.system_fingerprint } : {}),
    ...optional('usage', readUsage(body.usage as Json | undefined)),
  }
}

/** Half a usage is none: what was paid for would be told too low. */
export const readUsage = (value: Json | undefined): Usage | undefined => {
  const usage = value as ChatCompletion['usage'] | null
  return Number.isInteger(usage?.prompt_tokens) && Number.isInteger(usage?.completion_tokens)
    ? {
        inputTokens: usage?.prompt_tokens ?? 0,
        outputTokens: usage?.completion_tokens ?? 0,
        ...optional('cachedInputTokens', usage?.prompt_tokens_details?.cached_tokens),
        ...optional('reasoningTokens', usage?.completion_tokens_details?.reasoning_tokens),
      }
    : undefined
}

const readChoice = (choice: ChatCompletion.Choice): Choice => {
  const message = choice.message as ChatCompletion.Choice['message'] & { reasoning_content?: string | null }
  const content: unknown = message?.content ?? ''
  if (typeof content !== 'string') throw malformed('its content is no text')
  const tokens = choice.logprobs?.content?.map(({ token, logprob }) => ({ text: token, logprob }))
  return {
    text: content,
    finishReason: choice.finish_reason ?? null,
    ...optional('tokens', tokens),
    ...optional('thinking', message?.reasoning_content ?? undefined),
    ...optional('refusal', message?.refusal || undefined),
  }
}
