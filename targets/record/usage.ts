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
}

/** A run's usage: of its model, and of each judge by name. */
export interface UsageWithJudges extends TokenUsage {
  readonly judges: Readonly<Record<string, TokenUsage & { readonly deployment: string }>>
}
