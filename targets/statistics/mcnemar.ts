import { regularizedBeta } from './distributions/incomplete-beta.ts'

/**
 * McNemar's exact test: two-sided p of `onlyA` and `onlyB`, the pairs that just one side got right, if both were as
 * likely. 1 where there are no such pairs.
 */
export const mcnemarExact = (onlyA: number, onlyB: number): number => {
  const fewer = Math.min(onlyA, onlyB)
  const more = Math.max(onlyA, onlyB)
  // The binomial distribution function with probability 1/2, as an incomplete beta function.
  return fewer === more ? 1 : Math.min(1, 2 * regularizedBeta(0.5, 0.5, more, fewer + 1))
}
