/** The mean of values added in their order; NaN without any. */
export const meanOf = (values: readonly number[]): number =>
  values.reduce((sum, value) => sum + value, 0) / values.length

/** The sum of squared distances from the mean. */
export const squaresOf = (values: readonly number[]): number => {
  const mean = meanOf(values)
  return values.reduce((sum, value) => sum + (value - mean) ** 2, 0)
}
