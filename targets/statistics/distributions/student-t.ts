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
  const both = 2 * tail
  let low = 0
  let high = 1
  while (studentTail(high, df) > both) {
    low = high
    high *= 2
  }
  // The tail falls monotonously: halving always ends, at the last digit.
  for (;;) {
    const middle = (low + high) / 2
    if (middle <= low || middle >= high) return middle
    if (studentTail(middle, df) > both) low = middle
    else high = middle
  }
}

/** The t that |T| stays below with probability `confidence`, e.g. 2.776… for 0.95 and 4 degrees of freedom. */
export const studentT = (confidence: number, df: number): number => {
  if (!(confidence > 0 && confidence < 1)) throw new RangeError('a confidence lies between 0 and 1')
  return studentUpperQuantile((1 - confidence) / 2, df)
}
