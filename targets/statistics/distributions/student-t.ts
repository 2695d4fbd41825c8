import { findRoot } from '../find-root.ts'
import { regularizedBeta } from './incomplete-beta.ts'

/** P(|T| > t) of Student's t with `df` degrees of freedom, which need not be whole. */
export const studentTail = (t: number, df: number): number => {
  const square = t * t
  return regularizedBeta(df / (df + square), square / (df + square), df / 2, 0.5)
}

/** P(T > t). */
export const studentUpper = (t: number, df: number): number =>
  t < 0 ? 1 - studentTail(t, df) / 2 : studentTail(t, df) / 2

/**
 * The t that T exceeds with probability `tail`: positive for tails below 0.5.
 * @throws RangeError unless 0 < tail < 1 and df > 0
 */
export const studentUpperQuantile = (tail: number, df: number): number => {
  if (!(tail > 0 && tail < 1)) throw new RangeError('a probability lies between 0 and 1')
  if (!(df > 0)) throw new RangeError('degrees of freedom are positive')
  if (tail > 0.5) return -studentUpperQuantile(1 - tail, df)
  if (tail !== last.tail || df !== last.df) last = { tail, df, quantile: quantileOf(2 * tail, df) }
  return last.quantile
}

/** The pairs of a board ask for one quantile thousands of times in a row. */
let last = { tail: NaN, df: NaN, quantile: NaN }

const quantileOf = (both: number, df: number): number => {
  let low = 0
  let high = 1
  while (studentTail(high, df) > both) {
    low = high
    high *= 2
  }
  return findRoot((t) => studentTail(t, df) - both, low, high)
}

/** The t that |T| stays below with probability `confidence`, e.g. 2.776… for 0.95 and 4 degrees of freedom. */
export const studentT = (confidence: number, df: number): number => {
  if (!(confidence > 0 && confidence < 1)) throw new RangeError('a confidence lies between 0 and 1')
  return studentUpperQuantile((1 - confidence) / 2, df)
}
