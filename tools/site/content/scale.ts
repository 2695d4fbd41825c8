import type { BoardCell } from '../../../targets/board/board-cell.ts'
import type { BoardMetric } from '../../../targets/runs/board-metric.ts'

/** The range that a column's bars and shades span. */
export interface ShownScale {
  readonly low: number
  readonly high: number
}

/** A declared scale is the same on every board; a metric without ends spans what the column's values and intervals reach. */
export const scaleOf = ({ range }: BoardMetric, cells: readonly BoardCell[]): ShownScale => {
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
export const positionOn = ({ low, high }: ShownScale, value: number): number => {
  const share = Math.min(1, Math.max(0, (value - low) / (high - low)))
  return Math.round(share * 1000) / 1000
}
