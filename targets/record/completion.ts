import { once } from '../../cache/once.ts'
import { asJson, storedShape } from '../../cache/stored-shape.ts'
import { type Digest, digestJson } from '../../cache/values/digest.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import type { Reply } from '../../models/calls/client.ts'

/** A reply as the store keeps it, with its readable key beside it. */
export interface StoredCompletion {
  readonly key: JsonObject
  readonly reply: Reply
  /** Seconds that the call took. A cached reply keeps the time of the call that was paid for. */
  readonly requestTime: number
  /** Epoch seconds at which the call was made. */
  readonly requestDatetime: number
  readonly attempts: number
  /** The reply was not asked for here but read from another program's results. */
  readonly imported?: true
  /** It came by the provider's batch interface, at that price; it has no latency of its own. */
  readonly batch?: true
}

/** A reply as the store gives it. */
export const storedCompletion = storedShape<StoredCompletion>('a reply', {
  key: 'object',
  reply: 'object',
  requestTime: 'number',
})

/** A completion at hand: its key's digest and what it says. */
export interface Completion {
  readonly digest: Digest<'completion'>
  /** Digest of reply and latency: what the metrics and judges that read it depend on. */
  readonly content: Digest<'completion'>
  readonly stored: StoredCompletion
}

/** Whoever only shows the reply asks for no digest of it. */
export const completionOf = (digest: Digest<'completion'>, stored: StoredCompletion): Completion => {
  const content = once(() => digestJson<'completion'>([asJson(stored.reply), stored.requestTime]))
  return {
    digest,
    get content() {
      return content()
    },
    stored,
  }
}

/** What a run's answers took of one deployment, whether they were asked now or came from the store. */
export interface TokenUsage {
  /** Replies; equal requests of a run share one. */
  readonly calls: number
  /** Replies of which the provider told no usage: the tokens below lack them. */
  readonly unknown: number
  readonly inputTokens: number
  /** Part of `inputTokens` that the provider had at hand. */
  readonly cachedInputTokens: number
  readonly outputTokens: number
  /** Part of `outputTokens`. */
  readonly reasoningTokens: number
  /** Sum of the calls' own times. */
  readonly seconds: number
  /** Replies without a time of their own, such as those of batches; absent where all have one, or none. */
  readonly untimed?: number
}

/** A run's usage: of its model, and of each judge by name. */
export interface UsageWithJudges extends TokenUsage {
  readonly judges: Readonly<Record<string, TokenUsage & { readonly deployment: string }>>
}
