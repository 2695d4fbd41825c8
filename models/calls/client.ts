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

  constructor(
    code: string,
    message: string,
    options: { retriable: boolean; status?: number; retryAfter?: number; cause?: unknown },
  ) {
    super(message, { cause: options.cause })
    this.name = 'ClientError'
    this.code = code
    this.retriable = options.retriable
    if (options.status !== undefined) this.status = options.status
    if (options.retryAfter !== undefined) this.retryAfter = options.retryAfter
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
