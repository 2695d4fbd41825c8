import { exactMean } from '../../benchmarks/python/numbers/mean.ts'
import { shareOf, type Scale } from '../statistics/scale.ts'
import { place, type RankPlace } from '../compare/ranks/rank-place.ts'
import { winRates, type WinRateColumn } from '../tables/cells/win-rate.ts'

/** A benchmark as places and averages see it: the ranked scores by row, undefined for a row without one. */
export interface StandingColumn extends WinRateColumn {
  /** Values are shares of 1 by definition. */
  readonly isShare: boolean
  /** Ends of the declared scale. */
  readonly range?: Scale
}

/** What one row reaches over the columns. */
export interface RowStanding {
  /** Mean win rate as HELM forms it; null without a ranked score. */
  readonly winRate: number | null
  /** Compared columns that the row is ranked in. */
  readonly compared: number
  /** By win rate; null unless the row is ranked in all compared columns. */
  readonly place: RankPlace | null
  /** Mean of the columns of shares; null unless the row is ranked in all of them. */
  readonly macroAverage: number | null
  /** Mean over the columns whose scales have ends, each as a share of its scale. */
  readonly scaleMean: ScaleMean
}

export interface ScaleMean {
  /** Of the columns that the row is ranked in; null without any. */
  readonly mean: number | null
  readonly ranked: number
  /** Columns that such means are of. */
  readonly columns: number
}

export interface Standings {
  /** By row. */
  readonly rows: readonly RowStanding[]
  /** By column: a known direction and two ranked scores or more. */
  readonly isCompared: readonly boolean[]
  /** By column: as many ranked scores as win rates want (or one, of one row), and a share of which more is better. */
  readonly isAveraged: readonly boolean[]
}

/** Ranked scores that a column needs to count in what is formed over columns. */
const LEAST_RANKED = 2

/** Places, win rates and averages of `rows` rows over any set of columns: the board's own, or those that a reader chose. */
export const standings = (columns: readonly StandingColumn[], rows: number): Standings => {
  const isCompared = columns.map(isComparedColumn)
  const isAveraged = columns.map(
    (column) =>
      column.isShare && column.lowerIsBetter === false && rankedIn(column) >= Math.min(LEAST_RANKED, rows),
  )
  const rates = winRates(columns, rows)
  const all = Array.from({ length: rows }, (_, row) => row)
  const isWhole = (row: number): boolean =>
    columns.every((column, at) => isCompared[at] !== true || column.values[row] !== undefined)
  const comparable = all.map((row) => (isWhole(row) ? rounded(rates[row]) : undefined))
  return {
    rows: all.map((row) => ({
      winRate: rates[row] ?? null,
      compared: columns.filter((column, at) => isCompared[at] === true && column.values[row] !== undefined)
        .length,
      place: place(comparable[row], comparable, false),
      macroAverage: meanOfAll(
        columns.flatMap(({ values }, at) => (isAveraged[at] === true ? [values[row]] : [])),
      ),
      scaleMean: scaleMean(columns, row),
    })),
    isCompared,
    isAveraged,
  }
}

export const isComparedColumn = (column: WinRateColumn): boolean =>
  column.lowerIsBetter !== undefined && rankedIn(column) >= LEAST_RANKED

const rankedIn = ({ values }: WinRateColumn): number => values.filter((value) => value !== undefined).length

const meanOfAll = (values: readonly (number | undefined)[]): number | null => {
  const known = values.filter((value) => value !== undefined)
  return known.length === 0 || known.length < values.length ? null : exactMean(known)
}

const UNIT: Scale = { low: 0, high: 1 }

const scaleMean = (columns: readonly StandingColumn[], row: number): ScaleMean => {
  const scaled = columns.flatMap(({ lowerIsBetter, isShare, range, values }) => {
    const scale = range ?? (isShare ? UNIT : undefined)
    return scale === undefined || lowerIsBetter === undefined
      ? []
      : [{ lowerIsBetter, scale, value: values[row] }]
  })
  const shares = scaled.flatMap(({ lowerIsBetter, scale, value }) =>
    value === undefined ? [] : [shareOf(value, scale, lowerIsBetter)],
  )
  return {
    mean: shares.length === 0 ? null : exactMean(shares),
    ranked: shares.length,
    columns: scaled.length,
  }
}

/** Equal sums of thirds can differ in the last digit, which must not decide a place. */
const rounded = (rate: number | undefined): number | undefined =>
  rate === undefined ? undefined : Math.round(rate * 1e9) / 1e9
