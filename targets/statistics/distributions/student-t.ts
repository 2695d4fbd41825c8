import { regularizedBeta } from './incomplete-beta.ts'

/** P(|T| > t) of Student's t with `df` degrees of freedom. */
export const studentTail = (t: number, df: number): number => {
  const square = t * t
  return regularizedBeta(df / (df + square), square / (df + square), df / 2, 0.5)
}

/**
 * The t that |T| stays below with probability `confidence`, e.g. 2.776… for 0.95 and 4 degrees of freedom.
 * @throws RangeError unless 0 < confidence < 1 and df > 0
 */
export const studentT = (confidence: number, df: number): number => {
  if (!(confidence > 0 && confidence < 1)) throw new RangeError('a confidence lies between 0 and 1')
  if (!(df > 0)) throw new RangeError('degrees of freedom are positive')
  const tail = 1 - confidence
  let low = 0
  let high = 1
  while (studentTail(high, df) > tail) high *= 2
  // The tail falls monotonously: halving always ends, at the last digit.
  for (;;) {
    const middle = (low + high) / 2
    if (middle <= low || middle >= high) return middle
    if (studentTail(middle, df) > tail) low = middle
    else high = middle
  }
}
