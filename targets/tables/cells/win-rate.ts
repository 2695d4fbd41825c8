import { columnShares, winRate } from '../../statistics/ranks/win-share.ts'

/** A column's values by row; undefined where a row has none. */
export interface WinRateColumn {
  readonly lowerIsBetter?: boolean
  readonly values: readonly (number | undefined)[]
}

/**
 * Mean win rate of each of `rows` rows, over the columns that say what is better and have at least two values.
 * Undefined for a row without a value in any of them.
 */
export const winRates = (
  columns: readonly WinRateColumn[],
  rows: number,
): readonly (number | undefined)[] => {
  const shares = columns.flatMap(({ lowerIsBetter, values }) =>
    lowerIsBetter === undefined ? [] : [columnShares(values, lowerIsBetter)],
  )
  return Array.from({ length: rows }, (_, row) => winRate(shares.map((column) => column[row])))
}

/** A win rate by which places go: equal sums of thirds can differ in the last digit, which must not decide an order. */
export const comparableRate = (rate: number): number => Math.round(rate * 1e9) / 1e9
