import type { BoardCell } from '../../../targets/board/board-cell.ts'
import type { BoardMetric } from '../../../targets/runs/board-metric.ts'
import type { Scale } from '../../../targets/statistics/scale.ts'

/**
 * The range that a column's bars and shades span: a declared scale, the same on every board; of a metric without ends what
 * the column's values and intervals reach.
 */
export const scaleOf = ({ range }: BoardMetric, cells: readonly BoardCell[]): Scale => {
  if (range !== undefined) return range
  const ends = cells.flatMap(({ value, interval }) => [
    ...(value === null ? [] : [value]),
    ...(interval === null ? [] : [interval.low, interval.high]),
  ])
  if (ends.length === 0) return { low: 0, high: 1 }
  const low = ends.reduce((least, end) => Math.min(least, end))
  const high = ends.reduce((most, end) => Math.max(most, end))
  return low === high ? { low: low - 0.5, high: high + 0.5 } : { low, high }
}

/** Where a value lies, 0 … 1, to three decimals; what lies outside is moved to the end. */
export const positionOn = ({ low, high }: Scale, value: number): number => {
  const share = Math.min(1, Math.max(0, (value - low) / (high - low)))
  return Math.round(share * 1000) / 1000
}
