import { roundHalfEven, str, float } from '../../../benchmarks/python/numbers/number.ts'
import { defined } from '../../../cache/values/defined.ts'

/** What tables read of a run's stat: a value a trial, over the run's instances. Every Stat is one. */
export interface TrialStat {
  readonly name: {
    readonly name: string
    readonly split?: string
    readonly subSplit?: string
    readonly perturbation?: { readonly name: string; readonly computedOn: string }
  }
  readonly count: number
  readonly sum: number
  readonly min?: number
  readonly max?: number
}

/** Stats of several runs taken together; min and max are undefined while nothing counts. */
export type Merged = Omit<TrialStat, 'name'>

const least = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || (b !== undefined && b < a) ? b : a

const most = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || (b !== undefined && b > a) ? b : a

/** Adds up stats in the given order: sums are floats, so the order shows in the last digit. */
export const merge = (stats: readonly Merged[]): Merged => {
  let count = 0
  let sum = 0
  let min: number | undefined
  let max: number | undefined
  for (const stat of stats) {
    count += stat.count
    sum += stat.sum
    min = least(min, stat.min)
    max = most(max, stat.max)
  }
  return defined({ count, sum, min, max })
}

/** The mean over trials; undefined where there is none. */
export const meanOf = (merged: Merged): number | undefined =>
  merged.count === 0 ? undefined : merged.sum / merged.count

const shown = (value: number | undefined): string => {
  if (value === undefined) return str(null)
  if (Number.isNaN(value)) return 'NaN'
  return Number.isInteger(value) ? str(value) : str(float(roundHalfEven(value, 3)))
}

/** HELM's short text of a stat (HELM.md T15): `min=0, mean=0.5, max=1, sum=1 (2)`. */
export const bareText = (merged: Merged): string => {
  if (merged.count === 0) return '(0)'
  const { min, max, sum, count } = merged
  return `min=${shown(min)}, mean=${shown(meanOf(merged))}, max=${shown(max)}, sum=${shown(sum)} (${count})`
}
