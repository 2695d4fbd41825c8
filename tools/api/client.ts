/** Everything of a request that may alter its answer. */
export interface ClientCall {
  readonly messages: readonly { readonly role: 'system' | 'user' | 'assistant'; readonly content: string }[]
  readonly temperature: number
  readonly topP: number
  /** The most tokens of an answer. */
  readonly maxTokens: number
  readonly stop: readonly string[]
  /** How many answers are asked for in one request: as many have to come. */
  readonly n: number
  /** Which repeat of an otherwise equal request this is, from 0. */
  readonly sampleIndex: number
}

export interface ClientReply {
  /** As many answers as `n`, as they came: they are cut at stop sequences later. */
  readonly choices: readonly {
    readonly text: string
    /** `length` where the answer was cut, `stop` where it ended; null where the server doesn't say. */
    readonly finishReason?: string | null
  }[]
  /** Tokens; without them what a call cost is not known. */
  readonly usage?: { readonly inputTokens: number; readonly outputTokens: number }
  /** Model id that the server says it used. */
  readonly model?: string
}

export interface ClientContext {
  /** Where requests go, `args.base_url`: the data agreements and `medmake doctor` go by it. */
  readonly baseUrl: string
  /** `args.model`, or the deployment's name. */
  readonly model: string
  /** All of `client_spec.args`. */
  readonly args: Readonly<Record<string, unknown>>
  /** From credentials.conf or the environment; undefined where there is none. */
  readonly apiKey?: string
}

export interface ClientDefinition {
  /**
   * One attempt at one call. Limits, retries, budget and cache sit above it. Throw a `CallError` where no reply came.
   * @param signal aborted when the run is stopped or the call takes too long
   */
  readonly complete: (call: ClientCall, context: ClientContext, signal: AbortSignal) => Promise<ClientReply>
}

/** Why a call gave no reply. */
export class CallError extends Error {
  /** True where the same call may succeed later: it is tried again. */
  readonly retriable: boolean
  /** HTTP status, where there was one. */
  readonly status?: number

  constructor(message: string, options: { readonly retriable: boolean; readonly status?: number }) {
    super(message)
    this.name = 'CallError'
    this.retriable = options.retriable
    if (options.status !== undefined) this.status = options.status
  }
}

/**
 * A client of a workspace: `export const client = defineClient({…})` in `models/clients/<name>.ts`, for servers that do not
 * speak OpenAI's interfaces. A deployment names it: `client_spec: { class_name: workspace.clients.<name>, args: { base_url: …,
 * model: … } }`. Its code is part of its replies' key.
 */
export const defineClient = (client: ClientDefinition): ClientDefinition => client
