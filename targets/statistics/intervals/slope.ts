import { groupBy } from '../../../cache/lists.ts'
import { studentInterval } from './student-interval.ts'
import { meanOf } from '../mean.ts'
import type { Interval } from './wilson.ts'

/** A least-squares slope, in units of y for one of x. */
interface Slope extends Interval {
  readonly slope: number
}

/**
 * With its t interval; undefined where groups and slope leave no degree of freedom, where x differs within no group, and where
 * the points lie on parallel lines, one for each group.
 * @param points those of one group have a level of their own; all are of one group unless given
 */
export const slopeOver = (
  points: readonly { readonly x: number; readonly y: number; readonly group?: string }[],
  confidence: number,
): Slope | undefined => {
  const groups = [...groupBy(points, ({ group = '' }) => group).values()]
  const df = points.length - groups.length - 1
  if (df < 1) return undefined
  const centred = groups.flatMap((own) => {
    const [x0, y0] = [meanOf(own.map(({ x }) => x)), meanOf(own.map(({ y }) => y))]
    return own.map(({ x, y }) => ({ x: x - x0, y: y - y0 }))
  })
  const spread = centred.reduce((sum, { x }) => sum + x ** 2, 0)
  const slope = centred.reduce((sum, { x, y }) => sum + x * y, 0) / spread
  const rest = centred.reduce((sum, { x, y }) => sum + (y - slope * x) ** 2, 0)
  const level = points.reduce((sum, { y }) => sum + y ** 2, 0)
  // What rounding leaves of a line without scatter.
  if (spread === 0 || rest <= 1e-24 * (1 + level)) return undefined
  const scatter = { variance: rest / df / spread, df }
  return { slope, ...studentInterval(slope, scatter, confidence) }
}
