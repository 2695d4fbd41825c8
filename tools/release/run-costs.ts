import type { Price } from '../../models/prices/price.ts'
import { observedCost } from '../../targets/spend/observed-cost.ts'
import type { RunCard } from './run-card.ts'

/** US dollars of a run's answers and of its judges' replies; null where a price or the tokens of a reply are not known. */
export interface ReleaseCosts {
  readonly usd: number | null
  readonly juryUsd: number | null
}

export const runCosts = (
  { deployment, record: { usage } }: Pick<RunCard, 'deployment' | 'record'>,
  prices: readonly Omit<Price, 'file'>[],
): ReleaseCosts => {
  const priceOf = (name: string): Omit<Price, 'file'> | undefined =>
    prices.find((price) => price.deployment === name)
  return {
    usd: observedCost(usage, priceOf(deployment.deployment)),
    juryUsd: Object.values(usage.judges).reduce<number | null>((sum, judge) => {
      const cost = observedCost(judge, priceOf(judge.deployment))
      return sum === null || cost === null ? null : sum + cost
    }, 0),
  }
}
