import { remembered } from '../../cache/once.ts'
import type { ServerPlace } from '../agreement/data-agreement.ts'

/** A chat message as OpenAI-compatible servers take it. */
export interface Message {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/** Messages as one text, for models without a chat template. */
export const textOf = (messages: readonly Message[]): string =>
  messages.map(({ content }) => content).join('\n\n')

/** Everything of a request that can alter its answer; the deployment adds its own identity to the cache key. */
export interface CompletionRequest {
  readonly messages: readonly Message[]
  readonly temperature: number
  readonly topP: number
  readonly maxTokens: number
  readonly stop: readonly string[]
  /** How many answers are asked for in one request. */
  readonly n: number
  readonly seed?: number
  /** Which repeat of an otherwise equal request this is. */
  readonly sampleIndex: number
}

/** A choice of a reply, as sent: profiles cut and reshape it later. */
export interface Choice {
  readonly text: string
  readonly finishReason: string | null
  /** Only where the provider gave log probabilities. */
  readonly tokens?: readonly { readonly text: string; readonly logprob: number }[]
  readonly thinking?: string
  /** What the model said in place of an answer, where the server tells a refusal from an answer. */
  readonly refusal?: string
}

export interface Usage {
  readonly inputTokens: number
  readonly outputTokens: number
  readonly cachedInputTokens?: number
  readonly reasoningTokens?: number
}

export interface Reply {
  readonly choices: readonly Choice[]
  readonly usage?: Usage
  /** The server told token counts that cannot be: what the call cost is not known. */
  readonly impossibleUsage?: true
  /** Model id that the provider says it used. */
  readonly model?: string
  readonly systemFingerprint?: string
}

/** Why a call gave no reply. `retriable` says whether the same request may succeed later. */
export class ClientError extends Error {
  readonly code: string
  readonly retriable: boolean
  /** HTTP status, where there was one. */
  readonly status?: number
  /** Milliseconds that the server asked to wait. */
  readonly retryAfter?: number
  /** A part of what was asked for was answered. */
  readonly billed?: boolean

  constructor(
    code: string,
    message: string,
    options: {
      retriable: boolean
      status?: number
      retryAfter?: number
      billed?: boolean
      cause?: unknown
    },
  ) {
    super(message, { cause: options.cause })
    this.name = 'ClientError'
    this.code = code
    this.retriable = options.retriable
    if (options.status !== undefined) this.status = options.status
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter
    if (options.billed !== undefined) this.billed = options.billed
  }
}

/** What a call ends with when the run is stopped. */
export const aborted = (): ClientError =>
  new ClientError('call/aborted', 'the run was stopped', { retriable: false })

/** A way to reach one deployment. One attempt a call: retries and limits sit above it. */
export interface Client {
  /** @throws ClientError */
  complete(request: CompletionRequest, signal: AbortSignal): Promise<Reply>
  /** Where requests go; absent where they leave no process. */
  readonly server?: ServerPlace | undefined
  /** True where an answer costs no network call (embedded models): such replies are no provider calls. */
  readonly local: boolean
  /** Closes idle sockets, which would keep the process alive. */
  close?(): Promise<void>
}

interface Failed {
  readonly code: string
  readonly message?: string
  readonly status?: number
  readonly cause?: unknown
}

/** OpenAI's name for it, and what others send with 402. */
const QUOTA_CODES: ReadonlySet<unknown> = new Set(['insufficient_quota', 'billing_hard_limit_reached'])

export const isOutOfQuota = (error: Failed): boolean =>
  error.status === 402 || errorCodes(error).some((code) => QUOTA_CODES.has(code))

/** Codes of an error and of what caused it. */
const errorCodes = (error: unknown): readonly unknown[] => {
  const found: unknown[] = []
  for (let current: unknown = error; isFailure(current); current = current.cause) found.push(current.code)
  return found
}

const isFailure = (error: unknown): error is { readonly code?: unknown; readonly cause?: unknown } =>
  typeof error === 'object' && error !== null

/** Nothing listens at the address, there is no such address, or who listens has no certificate that is trusted. */
export const isUnreached = ({ code }: Pick<Failed, 'code'>): boolean => code === 'call/unreached'

/** In the words of OpenAI, Anthropic, LiteLLM and Moonshot. */
const SAMPLING =
  /use 'max_completion_tokens'|['`](?:temperature|top_p)['`] (?:does not support|is (?:not supported|deprecated))|don't support temperature|invalid temperature/i

/** What was sent is no setting of this model: none of them where a reasoning model wants, or `top_p` beside `temperature`. */
export const refusedSetting = ({
  status,
  message = '',
}: Omit<Failed, 'code'>): 'sampling' | 'top_p' | undefined => {
  if (status !== 400 && status !== 422) return undefined
  if (/\btemperature\b.*\btop_p\b.*cannot both/.test(message)) return 'top_p'
  return SAMPLING.test(message) ? 'sampling' : undefined
}

/** What came is no reply at all, but a page of another program, say. */
export const isUnread = ({ code }: Pick<Failed, 'code'>): boolean =>
  code === 'reply/malformed' || code === 'reply/client-form'

/** Failures that every other call to the same deployment is likely to meet, too: waiting for each would take hours. */
export const mayLast = (error: Failed): boolean =>
  isUnreached(error) ||
  isOutOfQuota(error) ||
  refusedSetting(error) !== undefined ||
  error.status === 401 ||
  error.status === 403 ||
  error.status === 404

/** What ends a call that was taken and not answered in time; the last two are said by a gateway. */
const LATE: ReadonlySet<number> = new Set([408, 504, 524])

/**
 * Whether a provider may charge for an attempt that gave no reply. An error status is not charged for, unless it says that
 * time ran out; neither is a request that reached nobody. After a timeout, a lost connection or an unreadable reply nobody
 * knows.
 */
export const mayBeBilled = (error: Pick<ClientError, 'status' | 'code' | 'billed'>): boolean =>
  error.billed === true || (error.status === undefined ? !isUnreached(error) : LATE.has(error.status))

/** A call that ends when it ends or when the signal that it was begun under is aborted. */
interface AbortableCall {
  /** The call's own signal. Listeners that a library leaves on it go with it. */
  readonly signal: AbortSignal
  /** Gives up this call alone. */
  abort(): void
  end(): void
}

interface AbortableCalls {
  /** @param onAbort - called once if `under` is aborted before the call ends */
  begin(under: AbortSignal, onAbort?: () => void): AbortableCall
}

/**
 * Puts one listener on a signal, however many calls are begun under it: a signal looks through all its listeners
 * whenever one is added, which makes thousands of waiting calls slow.
 */
export const abortableCalls = (): AbortableCalls => {
  const running = new WeakMap<AbortSignal, Set<() => void>>()
  const under = (signal: AbortSignal): Set<() => void> =>
    remembered(running, signal, () => {
      const stops = new Set<() => void>()
      signal.addEventListener('abort', () => {
        for (const stop of stops) stop()
      })
      return stops
    })
  return {
    begin: (signal, onAbort) => {
      const own = new AbortController()
      const stops = under(signal)
      const stop = (): void => {
        stops.delete(stop)
        own.abort()
        onAbort?.()
      }
      if (signal.aborted) stop()
      else stops.add(stop)
      return { signal: own.signal, abort: stop, end: () => void stops.delete(stop) }
    },
  }
}
