import { sumOver } from '../../../cache/lists.ts'
import type { Json } from '../../../cache/values/json.ts'
import { defined } from '../../../cache/values/defined.ts'
import type { RateHeaders } from '../../limits/learned-rate.ts'
import { serverPlace } from '../../agreement/data-agreement.ts'
import {
  abortableCalls,
  ClientError,
  type Client,
  type CompletionRequest,
  type Reply,
  type Usage,
} from '../../calls/client.ts'
import { clientErrorOf } from '../call-error.ts'
import type { CallSettings, CallPatience } from './call-settings.ts'
import { WIRE_FORMS } from '../wire/forms.ts'
import { parseBody, readReply, type WireForm } from '../wire/wire-form.ts'

/** How a server is reached. */
export interface ServerOptions {
  readonly baseUrl: string
  readonly apiKey: string
  /** Carries the key in place of `Authorization`. */
  readonly keyHeader?: string
  readonly headers: Readonly<Record<string, string>>
  readonly query: Readonly<Record<string, string>>
  readonly organization?: string
  /** Milliseconds until an attempt is given up at the latest. */
  readonly timeout: number
  /** Sockets kept open at once. */
  readonly connections: number
  /** A reply with more bytes is given up. */
  readonly longestReply: number
  readonly onRateHeaders: (headers: RateHeaders) => void
}

interface ServerClientOptions extends ServerOptions {
  /** Model string as the server knows it. */
  readonly model: string
  readonly settings: CallSettings
  readonly patience: CallPatience
}

/**
 * Any OpenAI-compatible server through the openai package.
 * The package's own retries are off: it has no cap on Retry-After and one policy must rule them all.
 */
export const createServerClient = async (options: ServerClientOptions): Promise<Client> => {
  const { openServer } = await import('./open-server.ts')
  const { api, http, OpenAIClient } = openServer(options)
  const { model, settings, patience } = options
  const form = WIRE_FORMS[settings.form]
  const calls = abortableCalls()

  const post = async (request: CompletionRequest, under: AbortSignal): Promise<Reply> => {
    const call = calls.begin(under)
    let gaveUp = false
    const waiting = patience.begin(request, () => {
      gaveUp = true
      call.abort()
    })
    try {
      const body = await api.post<Json>(form.path, {
        body: form.body(request, model, settings),
        signal: call.signal,
      })
      // The package takes a reply for text unless its type says JSON; some servers state none.
      const reply = readReply(form, typeof body === 'string' ? parseBody(body) : body, request.n)
      waiting.answered()
      return reply
    } catch (error) {
      throw gaveUp ? tooLate(error) : clientErrorOf(error, OpenAIClient)
    } finally {
      waiting.end()
      call.end()
    }
  }

  return {
    local: false,
    server: serverPlace(options.baseUrl),
    close: () => http.close(),
    complete: oneByOne(form, post),
  }
}

/** One of the answers that a request asks for: a request of its own, and its reply once it came. */
interface Part {
  readonly request: CompletionRequest
  reply?: Reply
}

/**
 * Asks for each answer by itself where the interface gives no more than one. What came of an attempt that failed
 * otherwise is not asked for again by the next one.
 */
const oneByOne = (form: Pick<WireForm, 'several'>, post: Client['complete']): Client['complete'] => {
  const begun = new WeakMap<CompletionRequest, readonly Part[]>()
  return async (request, signal) => {
    if (form.several || request.n === 1) return post(request, signal)
    const parts =
      begun.get(request) ?? Array.from({ length: request.n }, (): Part => ({ request: { ...request, n: 1 } }))
    begun.set(request, parts)
    let isPaid = false
    // All of them: what is in flight belongs to this attempt's place under the limit.
    const ends = await Promise.allSettled(
      parts.map(async (part) => {
        if (part.reply !== undefined) return part.reply
        part.reply = await post(part.request, signal)
        isPaid = true
        return part.reply
      }),
    )
    const failures = ends.flatMap((end) => (end.status === 'rejected' ? [end.reason as unknown] : []))
    if (failures.length === 0) begun.delete(request)
    else throw isPaid ? alsoPaid(failures[0]) : failures[0]
    return together(ends.flatMap((end) => (end.status === 'fulfilled' ? [end.value] : [])))
  }
}

/** The failure of a call of which something was answered. */
const alsoPaid = (error: unknown): unknown => {
  if (!(error instanceof ClientError)) return error
  const { code, message, retriable, status, retryAfter, cause } = error
  return new ClientError(code, message, {
    retriable,
    ...defined({ status, retryAfter }),
    billed: true,
    cause,
  })
}

const tooLate = (cause: unknown): ClientError =>
  new ClientError('call/timeout', 'no answer long after others had come; the provider may charge for it', {
    retriable: true,
    cause,
  })

/** Several answers as one reply; their usage only where all told it. */
const together = (replies: readonly Reply[]): Reply => {
  const [first] = replies
  const usages = replies.map(({ usage }) => usage)
  const { usage: _, ...rest } = { ...first }
  return {
    ...rest,
    choices: replies.flatMap(({ choices }) => choices),
    ...(usages.every((usage) => usage !== undefined) ? { usage: sum(usages) } : {}),
    ...(replies.some(({ impossibleUsage }) => impossibleUsage) ? { impossibleUsage: true } : {}),
  }
}

const sum = (usages: readonly Usage[]): Usage => {
  const total = sumOver(usages)
  return {
    inputTokens: total(({ inputTokens }) => inputTokens),
    outputTokens: total(({ outputTokens }) => outputTokens),
    cachedInputTokens: total(({ cachedInputTokens }) => cachedInputTokens),
    reasoningTokens: total(({ reasoningTokens }) => reasoningTokens),
  }
}
