import { exactMean } from '../../../benchmarks/python/numbers/mean.ts'

/** A column's values by row; undefined where a row has none. */
export interface WinRateColumn {
  readonly lowerIsBetter?: boolean
  readonly values: readonly (number | undefined)[]
}

/** For each value the share of the others it beats; ties count half (HELM.md T23). */
const columnRates = (values: readonly number[], lowerIsBetter: boolean): ReadonlyMap<number, number> => {
  const ties = new Map<number, number>()
  for (const value of values) ties.set(value, (ties.get(value) ?? 0) + 1)
  const worstFirst = [...ties.keys()].sort((a, b) => (lowerIsBetter ? b - a : a - b))
  const rates = new Map<number, number>()
  let worse = 0
  for (const value of worstFirst) {
    const same = ties.get(value) ?? 0
    rates.set(value, (worse + (same - 1) / 2) / (values.length - 1))
    worse += same
  }
  return rates
}

/**
 * Mean win rate of each of `rows` rows, over the columns that say what is better and have at least two values.
 * Undefined for a row without a value in any of them.
 */
export const winRates = (
  columns: readonly WinRateColumn[],
  rows: number,
): readonly (number | undefined)[] => {
  const rates: number[][] = Array.from({ length: rows }, () => [])
  for (const { lowerIsBetter, values } of columns) {
    const known = values.filter((value) => value !== undefined)
    if (lowerIsBetter === undefined || known.length < 2) continue
    const byValue = columnRates(known, lowerIsBetter)
    values.forEach((value, row) => {
      const rate = value === undefined ? undefined : byValue.get(value)
      if (rate !== undefined) rates[row]?.push(rate)
    })
  }
  return rates.map((row) => (row.length === 0 ? undefined : exactMean(row)))
}
