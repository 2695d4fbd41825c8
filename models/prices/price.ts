/** What one deployment charges, in US dollars per million tokens: data with a date and a source, never a guess. */
export interface Price {
  readonly deployment: string
  readonly input: number
  readonly output: number
  /** Prompt tokens that the provider had at hand; the full price where it grants no discount. */
  readonly cachedInput?: number
  /** Through the provider's batch interface; absent where there is none. */
  readonly batchInput?: number
  /** Of a batch's prompt tokens that it had at hand: providers differ, so it is the full price of a batch unless told. */
  readonly batchCachedInput?: number
  readonly batchOutput?: number
  /** ISO date of the day for which the source states it. */
  readonly date: string
  /** Where it can be looked up. */
  readonly source: string
  /** File that declares it. */
  readonly file: string
}

/** By deployment. The price of a model elsewhere says nothing of it here, so there is none by model. */
export type Prices = ReadonlyMap<string, Price>

/** Undefined: nobody knows, which is not the same as nothing to pay. */
export const priceOf = (prices: Prices, deployment: string): Price | undefined => prices.get(deployment)

/** Tokens that were charged, of one call or of many. */
interface ChargedTokens {
  readonly inputTokens: number
  /** Part of `inputTokens`. */
  readonly cachedInputTokens?: number
  /** With those of reasoning: providers charge them as output. */
  readonly outputTokens: number
}

const MILLION = 1_000_000

/** US dollars, not rounded. */
export const costOf = (
  { input, cachedInput = input, output }: Pick<Price, 'input' | 'cachedInput' | 'output'>,
  { inputTokens, cachedInputTokens = 0, outputTokens }: ChargedTokens,
): number =>
  ((inputTokens - cachedInputTokens) * input + cachedInputTokens * cachedInput + outputTokens * output) /
  MILLION

/**
 * US dollars if every reply were as long as it may be and nothing were cached: how MedHELM's Table 3 prices a study
 * (HELM.md M8).
 *
 * @param tokens.maxTokens calls × the most tokens of a reply
 */
export const ceilingOf = (
  price: Pick<Price, 'input' | 'output'>,
  { inputTokens, maxTokens }: { readonly inputTokens: number; readonly maxTokens: number },
): number => costOf(price, { inputTokens, outputTokens: maxTokens })
