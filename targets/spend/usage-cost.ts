import { costOf } from '../../models/prices/cost.ts'
import type { Price } from '../../models/prices/price.ts'
import type { TokenUsage } from '../record/usage.ts'

/** US dollars of one reply; null where price or usage is not known. Nothing to pay is known without tokens. */
export const usageCost = (
  usage: Parameters<typeof costOf>[1] | null | undefined,
  price: Pick<Price, 'input' | 'cachedInput' | 'output'> | undefined,
): number | null => {
  if (price === undefined) return null
  if (price.input === 0 && price.output === 0) return 0
  return usage === null || usage === undefined ? null : costOf(price, usage)
}

/** US dollars; null where the price or the tokens of any reply are not known. Nothing to pay is known without tokens. */
export const observedCost = (usage: TokenUsage, price: Parameters<typeof usageCost>[1]): number | null =>
  usageCost(usage.unknown > 0 ? undefined : usage, price)
