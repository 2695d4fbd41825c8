import { regularizedBeta } from './incomplete-beta.ts'

/** P(F > x) of the F distribution with `df1` and `df2` degrees of freedom, x ≥ 0; the second need not be whole. */
export const fTail = (x: number, df1: number, df2: number): number => {
  if (x === Infinity) return 0
  const scaled = df1 * x
  return regularizedBeta(df2 / (df2 + scaled), scaled / (df2 + scaled), df2 / 2, df1 / 2)
}

/**
 * The x that F exceeds with probability `tail`.
 * @throws RangeError unless 0 < tail < 1 and both degrees of freedom are positive
 */
export const fQuantile = (tail: number, df1: number, df2: number): number => {
  if (!(tail > 0 && tail < 1)) throw new RangeError('a probability lies between 0 and 1')
  if (!(df1 > 0 && df2 > 0)) throw new RangeError('degrees of freedom are positive')
  // Near 0 the tail is 1 to the last digit: the lower side is looked at there.
  const isAbove = (x: number): boolean =>
    tail < 0.5 ? fTail(x, df1, df2) > tail : fTail(1 / x, df2, df1) < 1 - tail
  let high = 1
  while (isAbove(high)) high *= 2
  let low = high / 2
  while (!isAbove(low)) {
    high = low
    low /= 2
  }
  for (;;) {
    const middle = (low + high) / 2
    if (middle <= low || middle >= high) return middle
    if (isAbove(middle)) low = middle
    else high = middle
  }
}
