import type { ChatCompletion, ChatCompletionTokenLogprob } from 'openai/resources/chat/completions'
import type { Completion } from 'openai/resources/completions'
import type { Json, JsonObject } from '../../../cache/values/json.ts'
import type { Choice, CompletionRequest, Reply } from '../../calls/client.ts'
import { readUsage } from './usage.ts'
import { malformed, noChoices, optional, refuseToldError, type WireForm } from './wire-form.ts'

/** Chat completions: what every compatible server speaks. */
export const chatForm: WireForm = {
  path: '/chat/completions',
  several: true,
  body: (request, model, { reasoning, reasoningEffort, body }) => ({
    model,
    messages: request.messages.map(({ role, content }) => ({ role, content })),
    ...askedAlike(request),
    ...(reasoning
      ? { max_completion_tokens: request.maxTokens }
      : { temperature: request.temperature, top_p: request.topP, max_tokens: request.maxTokens }),
    ...optional('reasoning_effort', reasoningEffort),
    ...body,
  }),
  reply: (value) => readReply(value as ChatCompletion, readMessage),
}

/** Text completions, for models without a chat template: the prompt goes as it is. */
export const completionsForm: WireForm = {
  path: '/completions',
  several: true,
  body: (request, model, { body }) => ({
    model,
    prompt: request.messages.map(({ content }) => content).join('\n'),
    ...askedAlike(request),
    temperature: request.temperature,
    top_p: request.topP,
    max_tokens: request.maxTokens,
    ...body,
  }),
  reply: (value) => readReply(value as Completion, ({ text }) => ({ text: textOf(text) })),
}

const askedAlike = ({ n, stop, seed }: CompletionRequest): JsonObject => ({
  n,
  ...(stop.length === 0 ? {} : { stop: [...stop] }),
  ...optional('seed', seed),
})

/** A choice of either form. Routers tell of an error where the answer should be, or beside it. */
interface ToldChoice {
  readonly error?: Json
  readonly finish_reason: string | null
}

/** What replies of both forms have around their answers. */
interface Told<C> {
  readonly error?: Json
  readonly choices: readonly C[]
  readonly model?: string
  readonly system_fingerprint?: string | null
  readonly usage?: unknown
}

const readReply = <C extends ToldChoice>(
  body: Told<C>,
  read: (choice: C) => Omit<Choice, 'finishReason'>,
): Reply => {
  refuseToldError(body?.error)
  if (!Array.isArray(body?.choices) || body.choices.length === 0) throw noChoices()
  return {
    choices: body.choices.map((choice: C) => {
      refuseToldError(choice.error)
      if (choice.finish_reason === 'error') refuseToldError({})
      return { ...read(choice), finishReason: choice.finish_reason ?? null }
    }),
    ...(body.model ? { model: body.model } : {}),
    ...(body.system_fingerprint ? { systemFingerprint: body.system_fingerprint } : {}),
    ...usageOf(body.usage as ToldTokens | null | undefined),
  }
}

/** @throws ClientError `reply/malformed` */
const textOf = (content: unknown): string => {
  if (typeof content !== 'string') throw malformed('its content is no text')
  return content
}

const usageOf = (usage: ToldTokens | null | undefined): Pick<Reply, 'usage' | 'impossibleUsage'> =>
  readUsage({
    input: usage?.prompt_tokens,
    output: usage?.completion_tokens,
    total: usage?.total_tokens,
    cached: usage?.prompt_tokens_details?.cached_tokens,
    reasoning: usage?.completion_tokens_details?.reasoning_tokens,
  })

interface ToldTokens {
  readonly prompt_tokens?: Json
  readonly completion_tokens?: Json
  readonly total_tokens?: Json
  readonly prompt_tokens_details?: { readonly cached_tokens?: Json } | null
  readonly completion_tokens_details?: { readonly reasoning_tokens?: Json } | null
}

const readMessage = (choice: ChatCompletion.Choice): Omit<Choice, 'finishReason'> => {
  const message = choice.message as ChatCompletion.Choice['message'] & { reasoning_content?: string | null }
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    throw malformed('it holds no message')
  return {
    text: textOf(message.content ?? ''),
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
