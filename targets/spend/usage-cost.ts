import type { Usage } from '../../models/calls/client.ts'
import { costOf } from '../../models/prices/cost.ts'
import type { Price } from '../../models/prices/price.ts'
import type { TokenUsage } from '../record/usage.ts'

type Rates = Pick<Price, 'input' | 'cachedInput' | 'output'>

/** US dollars of one reply; null where price or usage is not known. Nothing to pay is known without tokens. */
export const usageCost = (usage: Usage | null | undefined, price: Rates | undefined): number | null => {
  if (price === undefined) return null
  if (price.input === 0 && price.output === 0) return 0
  return usage === null || usage === undefined ? null : costOf(price, usage)
}

/** The same of several replies; null, too, where the tokens of any of them are not known. */
export const observedCost = (usage: TokenUsage, price: Rates | undefined): number | null =>
  usageCost(usage.unknown > 0 ? null : usage, price)

/** The sum of costs; null where one of them is not known. */
export const sumOfCosts = (costs: readonly (number | null)[]): number | null =>
  costs.reduce<number | null>((sum, usd) => (sum === null || usd === null ? null : sum + usd), 0)
