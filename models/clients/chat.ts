import type OpenAI from 'openai'
import type {
  ChatCompletion,
  ChatCompletionCreateParamsNonStreaming,
} from 'openai/resources/chat/completions'
import { abortableCalls } from './abortable-calls.ts'
import {
  ClientError,
  type Choice,
  type Client,
  type CompletionRequest,
  type Reply,
  type Usage,
} from './client.ts'

export interface ChatOptions {
  readonly baseUrl: string
  /** Model string as the server knows it. */
  readonly model: string
  readonly apiKey: string
  readonly organization?: string
  /** Milliseconds until an attempt is given up. */
  readonly timeout: number
  /** Sockets kept open at once. */
  readonly connections: number
  /** Models that refuse sampling parameters and take `max_completion_tokens`: OpenAI's o-series and gpt-5. */
  readonly reasoning: boolean
}

/**
 * Chat completions of any OpenAI-compatible server through the openai package.
 * The package's own retries are off: it has no cap on Retry-After and one policy must rule them all.
 */
export const createChatClient = async (options: ChatOptions): Promise<Client> => {
  const [{ default: OpenAIClient }, { createPlainFetch }] = await Promise.all([
    import('openai'),
    import('./plain-fetch.ts'),
  ])
  const http = createPlainFetch(options)
  const client = new OpenAIClient({
    baseURL: options.baseUrl,
    apiKey: options.apiKey,
    organization: options.organization ?? null,
    maxRetries: 0,
    timeout: options.timeout,
    fetch: http.fetch,
  })
  const calls = abortableCalls()
  return {
    local: false,
    host: new URL(options.baseUrl).hostname,
    close: () => http.close(),
    complete: async (request, signal) => {
      const call = calls.begin(signal)
      try {
        return readReply(
          await client.chat.completions.create(bodyOf(request, options), { signal: call.signal }),
        )
      } catch (error) {
        throw clientErrorOf(error, OpenAIClient)
      } finally {
        call.end()
      }
    },
  }
}

/** The request body; parameters at their neutral value are left to the server's default as HELM leaves them. */
const bodyOf = (request: CompletionRequest, options: ChatOptions): ChatCompletionCreateParamsNonStreaming => {
  const stop = request.stop.length === 0 ? {} : { stop: [...request.stop] }
  const seed = request.seed === undefined ? {} : { seed: request.seed }
  const messages = request.messages.map(({ role, content }) => ({ role, content }))
  const base = { model: options.model, messages, n: request.n, ...stop, ...seed }
  if (options.reasoning) return { ...base, max_completion_tokens: request.maxTokens }
  return { ...base, temperature: request.temperature, top_p: request.topP, max_tokens: request.maxTokens }
}

const readReply = (body: ChatCompletion): Reply => {
  if (!Array.isArray(body.choices) || body.choices.length === 0)
    throw new ClientError('reply/no-choices', 'the server sent a reply without choices', { retriable: true })
  return {
    choices: body.choices.map(readChoice),
    ...(body.model ? { model: body.model } : {}),
    ...(body.system_fingerprint ? { systemFingerprint: body.system_fingerprint } : {}),
    ...optional('usage', readUsage(body.usage)),
  }
}

/** Half a usage is none: what was paid for would be told too low. */
const readUsage = (usage: ChatCompletion['usage']): Usage | undefined =>
  Number.isInteger(usage?.prompt_tokens) && Number.isInteger(usage?.completion_tokens)
    ? {
        inputTokens: usage?.prompt_tokens ?? 0,
        outputTokens: usage?.completion_tokens ?? 0,
        ...optional('cachedInputTokens', usage?.prompt_tokens_details?.cached_tokens),
        ...optional('reasoningTokens', usage?.completion_tokens_details?.reasoning_tokens),
      }
    : undefined

const malformed = (detail: string, cause?: unknown): ClientError =>
  new ClientError('reply/malformed', `the server sent a reply that can't be read: ${detail}`, {
    retriable: true,
    cause,
  })

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

const optional = <Key extends string, Value>(key: Key, value: Value | undefined): { [K in Key]?: Value } =>
  (value === undefined || value === null ? {} : { [key]: value }) as { [K in Key]?: Value }

const RETRIABLE_STATUS = new Set([408, 409, 429])

const clientErrorOf = (
  error: unknown,
  { APIError, APIUserAbortError, APIConnectionTimeoutError }: typeof OpenAI,
): ClientError => {
  if (error instanceof ClientError) return error
  if (error instanceof APIUserAbortError)
    return new ClientError('call/aborted', 'the call was given up', { retriable: false, cause: error })
  if (error instanceof APIConnectionTimeoutError)
    return new ClientError('call/timeout', 'no answer in time', { retriable: true, cause: error })
  if (error instanceof APIError) {
    const status = error.status as number | undefined
    if (status === undefined)
      return new ClientError('call/connection', rootMessage(error), { retriable: true, cause: error })
    const wait = retryAfterOf(error.headers as Headers | undefined)
    return new ClientError(`http/${status}`, error.message, {
      retriable: RETRIABLE_STATUS.has(status) || status >= 500,
      status,
      ...optional('retryAfter', wait),
      cause: error,
    })
  }
  if (error instanceof SyntaxError) return malformed(error.message, error)
  return new ClientError('call/connection', rootMessage(error), { retriable: true, cause: error })
}

/** `fetch failed` says nothing: the reason sits in the innermost cause. */
const rootMessage = (error: unknown): string => {
  let current: unknown = error
  while (current instanceof Error && current.cause !== undefined) current = current.cause
  return current instanceof Error ? current.message || current.name : String(current)
}

/** Milliseconds from retry-after-ms or Retry-After (seconds or a date). */
const retryAfterOf = (headers: Headers | undefined): number | undefined => {
  const milliseconds = Number(headers?.get('retry-after-ms') ?? Number.NaN)
  if (Number.isFinite(milliseconds)) return milliseconds
  const text = headers?.get('retry-after')
  if (!text) return undefined
  const seconds = Number(text)
  if (Number.isFinite(seconds)) return seconds * 1000
  const date = Date.parse(text)
  return Number.isNaN(date) ? undefined : Math.max(0, date - Date.now())
}
