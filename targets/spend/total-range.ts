import { Moments } from '../statistics/moments.ts'
import { studentT } from '../statistics/distributions/student-t.ts'

export interface Range {
  readonly low: number
  readonly high: number
}

/** How sure a total drawn from like calls is to lie in its range. */
export const CONFIDENCE = 0.99
/** Below so many replies nothing is said from them. */
export const LEAST_SAMPLES = 20

/**
 * Where the sum of tokens over `calls` new calls will lie, each measured by `size`, when calls like them had these `values` at these
 * sizes: ratio estimator with a prediction interval (Student's t). With all sizes 1 it is that of a mean.
 *
 * @param total the sum of the new calls' sizes
 */
export const totalRange = (
  seen: readonly { readonly value: number; readonly size: number }[],
  calls: number,
  total: number,
): Range => {
  const sizes = seen.reduce((sum, { size }) => sum + size, 0)
  const rate = sizes === 0 ? 0 : seen.reduce((sum, { value }) => sum + value, 0) / sizes
  const errors = new Moments()
  for (const { value, size } of seen) errors.add(value - rate * size)
  const spread =
    studentT(CONFIDENCE, Math.max(1, seen.length - 1)) *
    errors.summary().sd *
    Math.sqrt(calls + (calls * calls) / Math.max(1, seen.length))
  // Tokens are whole.
  return { low: Math.max(0, Math.floor(rate * total - spread)), high: Math.ceil(rate * total + spread) }
}

/** The value that a share of the values does not exceed: the smallest of which that is true. NaN without any. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)] ?? Number.NaN

export const addRanges = (ranges: readonly Range[]): Range => ({
  low: ranges.reduce((sum, { low }) => sum + low, 0),
  high: ranges.reduce((sum, { high }) => sum + high, 0),
})
