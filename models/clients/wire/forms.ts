import type { ChatCompletion, ChatCompletionTokenLogprob } from 'openai/resources/chat/completions'
import { defined } from '../../../cache/values/defined.ts'
import type { Completion } from 'openai/resources/completions'
import type { Response } from 'openai/resources/responses/responses'
import { type Json, type JsonObject, isMapping } from '../../../cache/values/json.ts'
import { type Choice, type CompletionRequest, type Reply, ClientError } from '../../calls/client.ts'
import { malformed, noChoices, refuseToldError, type WireForm, toldText } from './wire-form.ts'
import type { FormName } from '../chat/call-settings.ts'

/** Chat completions: what every compatible server speaks. */
const chatForm: WireForm = {
  path: '/chat/completions',
  several: true,
  body: (request, model, { reasoning, reasoningEffort, body }) =>
    overlaid(body, {
      model,
      messages: request.messages.map(({ role, content }) => ({ role, content })),
      ...askedAlike(request),
      ...(reasoning
        ? { max_completion_tokens: request.maxTokens }
        : { temperature: request.temperature, top_p: request.topP, max_tokens: request.maxTokens }),
      ...defined({ reasoning_effort: reasoningEffort }),
    }),
  reply: (value) => readReply(value as ChatCompletion, readMessage),
}

/** Text completions, for models without a chat template: the prompt goes as it is. */
const completionsForm: WireForm = {
  path: '/completions',
  several: true,
  body: (request, model, { body }) =>
    overlaid(body, {
      model,
      prompt: request.messages.map(({ content }) => content).join('\n'),
      ...askedAlike(request),
      temperature: request.temperature,
      top_p: request.topP,
      max_tokens: request.maxTokens,
    }),
  reply: (value) => readReply(value as Completion, ({ text }) => ({ text: textOf(text) })),
}

/** What a deployment puts in wins; null leaves a field out, as some models refuse to be told it. */
const overlaid = (body: JsonObject | undefined, made: JsonObject): JsonObject =>
  body === undefined
    ? made
    : Object.fromEntries(Object.entries({ ...made, ...body }).filter(([, value]) => value !== null))

const askedAlike = ({ n, stop, seed }: CompletionRequest): JsonObject => ({
  n,
  ...(stop.length === 0 ? {} : { stop: [...stop] }),
  ...defined({ seed }),
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
  refuseToldError(body?.error, Array.isArray(body?.choices))
  if (!Array.isArray(body?.choices) || body.choices.length === 0) throw noChoices()
  return {
    choices: body.choices.map((choice: C) => {
      refuseToldError(choice.error, true)
      refuseBrokenOff(choice.finish_reason)
      return { ...read(choice), finishReason: choice.finish_reason }
    }),
    ...(body.model ? { model: body.model } : {}),
    ...(body.system_fingerprint ? { systemFingerprint: body.system_fingerprint } : {}),
    ...usageOf(body.usage as ToldTokens | null | undefined),
  }
}

/** What servers call an answer whose end never came: vLLM and SGLang, DeepSeek, Zhipu, TensorRT-LLM. */
const BROKEN_OFF = /^(?:error|abort|insufficient_system_resource|network_error|timeout|cancelled)$/i

/** The words so far are no answer of the model's. @throws ClientError `reply/error` */
const refuseBrokenOff = (reason: unknown): void => {
  if (typeof reason === 'string' && BROKEN_OFF.test(reason))
    refuseToldError({ message: `it broke off (${reason})` })
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
    // DeepSeek's name, and Moonshot's.
    cached:
      usage?.prompt_tokens_details?.cached_tokens ?? usage?.prompt_cache_hit_tokens ?? usage?.cached_tokens,
    reasoning: usage?.completion_tokens_details?.reasoning_tokens,
  })

interface ToldTokens {
  readonly prompt_tokens?: Json
  readonly completion_tokens?: Json
  readonly total_tokens?: Json
  readonly prompt_tokens_details?: { readonly cached_tokens?: Json } | null
  readonly prompt_cache_hit_tokens?: Json
  readonly cached_tokens?: Json
  readonly completion_tokens_details?: { readonly reasoning_tokens?: Json } | null
}

const readMessage = (choice: ChatCompletion.Choice): Omit<Choice, 'finishReason'> => {
  const message = choice.message as ChatCompletion.Choice['message'] & {
    readonly reasoning_content?: string | null
    /** What vLLM, OpenRouter and others call it by now. */
    readonly reasoning?: string | null
  }
  if (typeof message !== 'object' || message === null || Array.isArray(message))
    throw malformed('it holds no message')
  const { text, thinking } = readContent(message.content ?? '')
  return {
    text,
    ...defined({
      tokens: tokensOf(choice.logprobs?.content),
      thinking: message.reasoning_content ?? message.reasoning ?? thinking,
      refusal: message.refusal || undefined,
    }),
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

/** The interface refuses less. */
const LEAST_TOKENS = 16

/** OpenAI's Responses; nothing is left with the provider. Stop sequences and seeds are unknown to it. */
const responsesForm: WireForm = {
  path: '/responses',
  several: false,
  body: (request, model, { reasoning, reasoningEffort, body }) =>
    overlaid(body, {
      model,
      input: request.messages.map(({ role, content }) => ({ role, content })),
      max_output_tokens: Math.max(LEAST_TOKENS, request.maxTokens),
      store: false,
      ...(reasoning
        ? { reasoning: { summary: 'detailed', ...defined({ effort: reasoningEffort }) } }
        : { temperature: request.temperature, top_p: request.topP }),
    }),
  reply: (value) => readResponse(value as Response),
}

const readResponse = (body: Response): Reply => {
  if (body?.error)
    throw new ClientError('reply/error', `the server could not answer: ${toldText(body.error.message)}`, {
      retriable: body.error.code === 'server_error' || body.error.code === 'rate_limit_exceeded',
    })
  if (!Array.isArray(body?.output)) throw noChoices()
  return {
    choices: [readChoice(body)],
    ...(body.model ? { model: body.model } : {}),
    ...usageOfResponse(body),
  }
}

/** All but completed and incomplete. */
const UNFINISHED: ReadonlySet<string> = new Set(['failed', 'cancelled', 'in_progress', 'queued'])

const readChoice = ({ output, status, incomplete_details: incomplete }: Response): Choice => {
  if (status !== undefined && UNFINISHED.has(status)) refuseToldError({ message: `it is ${status}` })
  const contents = output.flatMap((item) => (item.type === 'message' ? item.content : []))
  const texts = contents.flatMap((part) => (part.type === 'output_text' ? [part.text] : []))
  refuseUnknown(texts, texts.length === 0 ? [...output, ...contents] : [])
  const refusals = contents.flatMap((part) => (part.type === 'refusal' ? [part.refusal] : []))
  const thinking = output.flatMap((item) =>
    item.type === 'reasoning' ? item.summary.map(({ text }) => text) : [],
  )
  return {
    text: texts.join(''),
    finishReason: finishReasonOf(status, incomplete?.reason),
    ...(thinking.length === 0 ? {} : { thinking: thinking.join('\n\n') }),
    ...(refusals.length === 0 ? {} : { refusal: refusals.join('\n') }),
  }
}

/** In the words of chat completions. */
const finishReasonOf = (status: Response['status'], reason: string | undefined): string | null => {
  if (reason === 'max_output_tokens') return 'length'
  if (reason !== undefined) return reason
  return status === 'completed' ? 'stop' : (status ?? null)
}

const usageOfResponse = ({ usage }: Response): Pick<Reply, 'usage' | 'impossibleUsage'> =>
  readUsage({
    input: usage?.input_tokens,
    output: usage?.output_tokens,
    total: usage?.total_tokens,
    cached: usage?.input_tokens_details?.cached_tokens,
    reasoning: usage?.output_tokens_details?.reasoning_tokens,
  })

export const WIRE_FORMS: Readonly<Record<FormName, WireForm>> = {
  chat: chatForm,
  responses: responsesForm,
  completions: completionsForm,
}

/** Token counts of a reply by the names that its interface has for them. */
interface ToldUsage {
  readonly input: Json | undefined
  readonly output: Json | undefined
  /** Of both, and of thoughts where `output` leaves them out. */
  readonly total: Json | undefined
  /** Part of `input`. */
  readonly cached: Json | undefined
  /** Part of `output`, or beside it. */
  readonly reasoning: Json | undefined
}

/** No model reads or writes so much in one call. */
const MOST_TOKENS = 100_000_000

const isCount = (value: Json | undefined): value is number =>
  typeof value === 'number' && Number.isInteger(value) && value >= 0 && value <= MOST_TOKENS

/**
 * What a call is charged for. Half a usage is none: what was paid for would be told too low. A count that cannot be is
 * no usage either, and the reply says so; a part greater than its whole is cut to it, as it would make the call cheaper
 * than nothing. Some servers tell thoughts beside the answer: only their total holds them, and all of it is charged.
 */
export const readUsage = ({
  input,
  output: answered,
  total,
  cached,
  reasoning,
}: ToldUsage): Pick<Reply, 'usage' | 'impossibleUsage'> => {
  if (typeof input !== 'number' || typeof answered !== 'number') return {}
  if (!isCount(input) || !isCount(answered)) return { impossibleUsage: true }
  const output = isCount(total) ? Math.max(answered, total - input) : answered
  return {
    usage: {
      inputTokens: input,
      outputTokens: output,
      ...defined({ cachedInputTokens: partOf(input, cached), reasoningTokens: partOf(output, reasoning) }),
    },
  }
}

const partOf = (whole: number, part: Json | undefined): number | undefined =>
  typeof part === 'number' ? Math.min(whole, isCount(part) ? part : 0) : undefined

/** A message's content as text, and what the model thought on the way. */
interface ReadContent {
  readonly text: string
  readonly thinking: string | undefined
}

/**
 * Mistral's reasoning models, and Claude as Databricks serves it, answer in parts, of which some are thoughts. What is
 * neither text nor thought, such as a reference, is no part of the answer.
 * @throws ClientError `reply/malformed`
 */
const readContent = (content: unknown): ReadContent => {
  if (typeof content === 'string') return { text: content, thinking: undefined }
  if (!Array.isArray(content)) throw malformed('its content is no text')
  const parts = (content as readonly unknown[]).map((part) =>
    isMapping(part) ? part : { type: 'text', text: part },
  )
  const texts = parts.flatMap((part) => (part['type'] === 'text' ? [part['text']] : []))
  refuseUnknown(texts, texts.length === 0 ? parts : [])
  const thoughts = parts.flatMap(({ type, thinking, summary }) =>
    type === 'thinking' ? textsOf(thinking) : type === 'reasoning' ? textsOf(summary) : [],
  )
  return { text: texts.join(''), thinking: thoughts.length === 0 ? undefined : thoughts.join('\n\n') }
}

const THOUGHTS: ReadonlySet<unknown> = new Set(['thinking', 'reasoning'])

/**
 * Words of a kind that is not known may be the answer: where there are no others, they are not taken for none.
 * @throws ClientError `reply/malformed`
 */
const refuseUnknown = (texts: readonly unknown[], parts: readonly unknown[]): void => {
  const isKnown = (part: unknown): boolean =>
    isMapping(part) &&
    (THOUGHTS.has(part['type']) || (part['type'] !== undefined && typeof part['text'] !== 'string'))
  if (!texts.every((text) => typeof text === 'string') || !parts.every(isKnown))
    throw malformed('its content is no text')
}

const textsOf = (told: unknown): readonly string[] => {
  if (typeof told === 'string') return [told]
  if (!Array.isArray(told)) return []
  return (told as readonly unknown[]).flatMap((part) =>
    isMapping(part) && typeof part['text'] === 'string' ? [part['text']] : [],
  )
}
