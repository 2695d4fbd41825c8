import type { Price } from './price.ts'

/** Tokens that were charged, of one call or of many. */
export interface ChargedTokens {
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
