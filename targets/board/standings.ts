import { statisticsMean } from '../../benchmarks/python/numbers/mean.ts'
import { shareOf, type Scale } from '../statistics/scale.ts'
import { place, type RankPlace } from '../compare/ranks/rank-place.ts'
import { comparableRate, winRates, type WinRateColumn } from '../tables/cells/win-rate.ts'

/** A benchmark as places and averages see it: the ranked scores by row, undefined for a row without one. */
export interface StandingColumn extends WinRateColumn {
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
  readonly average: RowAverage
}

/** Mean over columns, each as a share of its scale, turned so that more is better. */
interface RowAverage {
  /** Of the averaged columns that the row is ranked in; null without any. */
  readonly mean: number | null
  readonly ranked: number
  /** Averaged columns. */
  readonly of: number
}

export interface Standings {
  readonly rows: readonly RowStanding[]
  /** By column: a known direction and two ranked scores or more. */
  readonly isCompared: readonly boolean[]
  /** By column: as many ranked scores as win rates want (or one, of one row), a known direction, and a scale with ends. */
  readonly isAveraged: readonly boolean[]
}

/** Ranked scores that a column needs to count in what is formed over columns. */
const LEAST_RANKED = 2

/** Places, win rates and averages of `rows` rows over any set of columns: the board's own, or those that a reader chose. */
export const standings = (columns: readonly StandingColumn[], rows: number): Standings => {
  const isCompared = columns.map(isComparedColumn)
  const scales = columns.map((column) =>
    column.lowerIsBetter !== undefined && rankedIn(column) >= Math.min(LEAST_RANKED, rows)
      ? column.range
      : undefined,
  )
  const rates = winRates(columns, rows)
  const all = Array.from({ length: rows }, (_, row) => row)
  const isWhole = (row: number): boolean =>
    columns.every((column, at) => isCompared[at] !== true || column.values[row] !== undefined)
  const comparable = all.map((row) => {
    const rate = isWhole(row) ? rates[row] : undefined
    return rate === undefined ? undefined : comparableRate(rate)
  })
  return {
    rows: all.map((row) => ({
      winRate: rates[row] ?? null,
      compared: columns.filter((column, at) => isCompared[at] === true && column.values[row] !== undefined)
        .length,
      place: place(comparable[row], comparable, false),
      average: averageOf(columns, scales, row),
    })),
    isCompared,
    isAveraged: scales.map((scale) => scale !== undefined),
  }
}

export const isComparedColumn = (column: WinRateColumn): boolean =>
  column.lowerIsBetter !== undefined && rankedIn(column) >= LEAST_RANKED

const rankedIn = ({ values }: WinRateColumn): number => values.filter((value) => value !== undefined).length

/** @param scales by column; undefined for one that takes no part */
const averageOf = (
  columns: readonly StandingColumn[],
  scales: readonly (Scale | undefined)[],
  row: number,
): RowAverage => {
  const shares = columns.flatMap(({ lowerIsBetter = false, values }, at) => {
    const [scale, value] = [scales[at], values[row]]
    return scale === undefined || value === undefined ? [] : [shareOf(value, scale, lowerIsBetter)]
  })
  return {
    mean: shares.length === 0 ? null : statisticsMean(shares),
    ranked: shares.length,
    of: scales.filter((scale) => scale !== undefined).length,
  }
}
