import { studentUpper } from '../distributions/student-t.ts'
import { findRoot } from '../find-root.ts'

/** Where an estimate must lie whatever the missing values are, with standard errors of both ends (on the unit scale). */
export interface Bounds {
  readonly low: number
  readonly high: number
  readonly lowError: number
  readonly highError: number
  readonly df: number
}

/** Standard errors below it are what rounding leaves of 0. */
const NO_ERROR = 1e-9

/**
 * How much of α each end of the bounds may miss so that the interval around them covers the estimate, wherever it lies
 * between them (Imbens & Manski 2004, with t for z): from α/2 where nothing is missing to α where the bounds are wide.
 */
export const boundTail = ({ low, high, lowError, highError, df }: Bounds, alpha: number): number => {
  const error = Math.max(lowError, highError)
  if (error <= NO_ERROR) return high - low <= NO_ERROR ? alpha / 2 : alpha
  const apart = (high - low) / error
  // F(c + apart) − F(−c) = 1 − α, in upper tails, which keep their digits.
  const excess = (c: number): number => studentUpper(c, df) + studentUpper(c + apart, df) - alpha
  let above = 1
  while (excess(above) > 0) above *= 2
  return studentUpper(findRoot(excess, 0, above), df)
}

/**
 * The α whose interval ends at 0, which is the p of "no difference", where the bounds leave 0 out.
 * @param from how many standard errors the nearer bound lies from 0
 */
export const boundP = ({ low, high, lowError, highError, df }: Bounds, from: number): number => {
  const error = Math.max(lowError, highError)
  const gap = high - low
  const apart = error > NO_ERROR ? gap / error : gap <= NO_ERROR ? 0 : Infinity
  const beyond = apart === Infinity ? 0 : studentUpper(from + apart, df)
  return Math.min(1, studentUpper(from, df) + beyond)
}
