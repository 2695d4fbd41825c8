import type { Usage } from '../../models/calls/client.ts'
import { costOf } from '../../models/prices/cost.ts'
import type { Price } from '../../models/prices/price.ts'

/** US dollars of one reply; null where price or usage is not known. Nothing to pay is known without tokens. */
export const usageCost = (
  usage: Usage | null | undefined,
  price: Pick<Price, 'input' | 'cachedInput' | 'output'> | undefined,
): number | null => {
  if (price === undefined) return null
  if (price.input === 0 && price.output === 0) return 0
  return usage === null || usage === undefined ? null : costOf(price, usage)
}
