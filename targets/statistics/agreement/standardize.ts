import { meanOf, squaresOf } from '../mean.ts'

/** z-scores: mean 0, standard deviation (with n) 1. Values that are all equal become 0. */
export const standardize = (values: readonly number[]): readonly number[] => {
  const mean = meanOf(values)
  const sd = Math.sqrt(squaresOf(values) / values.length)
  return values.map((value) => (sd === 0 ? 0 : (value - mean) / sd))
}
