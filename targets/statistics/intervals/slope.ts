import { studentInterval } from './student-interval.ts'
import { meanOf } from '../mean.ts'
import type { Interval } from './wilson.ts'

/** A least-squares slope, in units of y for one of x. */
interface Slope extends Interval {
  readonly slope: number
}

/** With its t interval; undefined for fewer than three points, where x does not differ, and where the points lie on a line. */
export const slopeOver = (
  points: readonly { readonly x: number; readonly y: number }[],
  confidence: number,
): Slope | undefined => {
  const n = points.length
  if (n < 3) return undefined
  const [x0, y0] = [meanOf(points.map(({ x }) => x)), meanOf(points.map(({ y }) => y))]
  const spread = points.reduce((sum, { x }) => sum + (x - x0) ** 2, 0)
  const slope = points.reduce((sum, { x, y }) => sum + (x - x0) * (y - y0), 0) / spread
  const rest = points.reduce((sum, { x, y }) => sum + (y - y0 - slope * (x - x0)) ** 2, 0)
  const level = points.reduce((sum, { y }) => sum + y ** 2, 0)
  // What rounding leaves of a line without scatter.
  if (spread === 0 || rest <= 1e-24 * (1 + level)) return undefined
  const scatter = { variance: rest / (n - 2) / spread, df: n - 2 }
  return { slope, ...studentInterval(slope, scatter, confidence) }
}
