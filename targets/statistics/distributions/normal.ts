/** Below this distance from 0 the power series is exact to the last digits; above it the continued fraction is. */
const SERIES_REACH = 3
const SERIES_TERMS = 200
const FRACTION_TERMS = 120

/** Standard normal density. */
const density = (z: number): number => Math.exp((-z * z) / 2) / Math.sqrt(2 * Math.PI)

/** Upper tail of the standard normal distribution for `z` ≥ 0. Abramowitz & Stegun 26.2.11 and 26.2.14. */
const upperTail = (z: number): number => {
  if (z < SERIES_REACH) {
    let term = z
    let sum = z
    for (let n = 1; n < SERIES_TERMS; n += 1) {
      term *= (z * z) / (2 * n + 1)
      sum += term
      if (term < 1e-18 * sum) break
    }
    return 0.5 - density(z) * sum
  }
  let fraction = z
  for (let n = FRACTION_TERMS; n >= 1; n -= 1) fraction = z + n / fraction
  return density(z) / fraction
}

/** P(Z ≤ z) of a standard normal variable. */
export const normalCdf = (z: number): number => (z < 0 ? upperTail(-z) : 1 - upperTail(z))

/** The z > 0 that is exceeded with probability `tail` ≤ 0.5, by Newton's method on the tail's logarithm. */
const upperQuantile = (tail: number): number => {
  if (tail === 0.5) return 0
  let z = Math.sqrt(-2 * Math.log(2 * tail)) * 0.8 + 0.2
  for (let step = 0; step < 60; step += 1) {
    const above = upperTail(z)
    const next = Math.max(0, z + (above / density(z)) * Math.log(above / tail))
    if (Math.abs(next - z) <= 1e-15 * next) return next
    z = next
  }
  return z
}

/**
 * The z below which a standard normal variable falls with `probability`.
 * @throws RangeError unless 0 < probability < 1
 */
export const normalQuantile = (probability: number): number => {
  if (!(probability > 0 && probability < 1)) throw new RangeError('a probability lies between 0 and 1')
  return probability < 0.5 ? -upperQuantile(probability) : upperQuantile(1 - probability)
}
