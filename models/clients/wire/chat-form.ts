import type { ChatCompletion, ChatCompletionTokenLogprob } from 'openai/resources/chat/completions'
import type { Json } from '../../../cache/values/json.ts'
import type { Choice, Reply } from '../../calls/client.ts'
import { readUsage } from './usage.ts'
import { malformed, noChoices, optional, refuseToldError, type WireForm } from './wire-form.ts'

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
  reply: (value) => readReply(value as ChatCompletion),
}

const readReply = (body: ChatCompletion & Told): Reply => {
  refuseToldError(body?.error)
  if (!Array.isArray(body?.choices) || body.choices.length === 0) throw noChoices()
  return {
    choices: body.choices.map(readChoice),
    ...(body.model ? { model: body.model } : {}),
    ...(body.system_fingerprint ? { systemFingerprint: body.system_fingerprint } : {}),
    ...chatUsage(body.usage as Json | undefined),
  }
}

/** Of chat completions and of plain ones. */
export const chatUsage = (value: Json | undefined): Pick<Reply, 'usage' | 'impossibleUsage'> => {
  const usage = value as ToldTokens | null | undefined
  return readUsage({
    input: usage?.prompt_tokens,
    output: usage?.completion_tokens,
    cached: usage?.prompt_tokens_details?.cached_tokens,
    reasoning: usage?.completion_tokens_details?.reasoning_tokens,
  })
}

interface ToldTokens {
  readonly prompt_tokens?: Json
  readonly completion_tokens?: Json
  readonly prompt_tokens_details?: { readonly cached_tokens?: Json } | null
  readonly completion_tokens_details?: { readonly reasoning_tokens?: Json } | null
}

interface Told {
  readonly error?: Json
}

const readChoice = (choice: ChatCompletion.Choice & Told): Choice => {
  refuseToldError(choice.error)
  if ((choice.finish_reason as string | null) === 'error') refuseToldError({})
  const message = choice.message as ChatCompletion.Choice['message'] & { reasoning_content?: string | null }
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    throw malformed('it holds no message')
  const content: unknown = message.content ?? ''
  if (typeof content !== 'string') throw malformed('its content is no text')
  return {
    text: content,
    finishReason: choice.finish_reason ?? null,
    ...optional('tokens', tokensOf(choice.logprobs?.content)),
    ...optional('thinking', message.reasoning_content ?? undefined),
    ...optional('refusal', message.refusal || undefined),
  }
}

/** What is no token has no probability: `readReply` leaves such lists out, and the answer stands without them. */
const tokensOf = (told: unknown): Choice['tokens'] =>
  Array.isArray(told)
    ? (told as readonly (ChatCompletionTokenLogprob | null)[]).map((one) => ({
        text: one?.token ?? '',
        logprob: one?.logprob ?? Number.NaN,
      }))
    : undefined
