/** What one deployment charges, in US dollars per million tokens: data with a date and a source, never a guess. */
export interface Price {
  readonly deployment: string
  readonly input: number
  readonly output: number
  /** Prompt tokens that the provider had at hand; the full price where it grants no discount. */
  readonly cachedInput?: number
  /** Through the provider's batch interface; absent where there is none. */
  readonly batchInput?: number
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
