import { isRanked, type BoardCell } from '../../../../targets/board/board-cell.ts'
import type { BoardMetric } from '../../../../targets/runs/board-metric.ts'
import type { Board, BoardRow } from '../../../../targets/board/board.ts'
import type { Interval } from '../../../../targets/statistics/intervals/interval.ts'
import { intervalOfMean } from '../../../../targets/statistics/intervals/mean-of-means.ts'

/** A mean on a scale from 0, the worst, to 1. */
export interface NormalisedMean {
  readonly value: number
  readonly interval: Interval | null
}

/** The ends of a metric's scale, worst and best; undefined where it has no ends or no direction. */
const endsOf = ({ range, lowerIsBetter }: BoardMetric): readonly [number, number] | undefined => {
  if (range === undefined || lowerIsBetter === undefined) return undefined
  return lowerIsBetter ? [range.high, range.low] : [range.low, range.high]
}

/** Whether values of a metric can be laid on the scale from 0 to 1: those of shares and of juries. */
export const isNormalised = (metric: BoardMetric): boolean => endsOf(metric) !== undefined

/** What places go by: a default for what was lost is in no mean, as on the board itself. */
export const normalise = (cell: BoardCell, metric: BoardMetric): NormalisedMean | undefined => {
  const ends = endsOf(metric)
  if (ends === undefined || cell.score === null || !isRanked(cell)) return undefined
  const [worst, best] = ends
  const on = (value: number): number => (value - worst) / (best - worst)
  const limits = cell.interval === null ? undefined : [on(cell.interval.low), on(cell.interval.high)]
  return {
    value: on(cell.score),
    interval: limits === undefined ? null : { low: Math.min(...limits), high: Math.max(...limits) },
  }
}

/**
 * A model's mean over some benchmarks, all of which must be measured: means over different benchmarks do not compare.
 * The interval adds the distances to the limits in squares, as for independent samples (Zou & Donner 2008): it tells
 * of the instances at hand, not of other benchmarks that could have been taken.
 */
export const categoryMean = (
  { benchmarks }: Board,
  { cells }: BoardRow,
  columns: readonly number[],
): NormalisedMean | undefined => {
  const means = columns.map((column) => {
    const [cell, benchmark] = [cells[column], benchmarks[column]]
    return cell === undefined || benchmark === undefined ? undefined : normalise(cell, benchmark.mainMetric)
  })
  const known = means.filter((mean) => mean !== undefined)
  if (known.length === 0 || known.length < columns.length) return undefined
  const value = known.reduce((sum, mean) => sum + mean.value, 0) / known.length
  return { value, interval: intervalOfMean(known, { low: 0, high: 1 }) }
}
