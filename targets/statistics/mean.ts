/** The mean of values added in their order; NaN without any. */
export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** Of the greatest value: what adding up and dividing turn of equal values. */
const ROUNDING = 1e-12

const greatest = (values: readonly number[]): number =>
  values.reduce((most, value) => Math.max(most, Math.abs(value)), 0)

/** The sum of squared distances from the mean; 0 of values that differ in their last digits alone. */
export const squaresOf = (values: readonly number[]): number => {
  const [[first = 0], least] = [values, ROUNDING * greatest(values)]
  if (values.every((value) => Math.abs(value - first) <= least)) return 0
  const mean = meanOf(values)
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
}

/**
 * Sums of squared distances between means of these scores, each with 0 in place of what rounding alone leaves.
 * @param scores of which the means are
 */
export const withoutRounding = (scores: readonly number[]): ((squares: number) => number) => {
  const least = scores.length * (ROUNDING * greatest(scores)) ** 2
  return (squares) => (squares <= least ? 0 : squares)
}
