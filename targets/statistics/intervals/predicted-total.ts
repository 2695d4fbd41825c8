import { studentT } from '../distributions/student-t.ts'
import { squaresOf } from '../mean.ts'
import type { Interval } from './wilson.ts'

/**
 * Where the sum of a quantity over `calls` new calls will lie, each measured by `size`, when calls like them had these
 * `values` at these sizes: ratio estimator with a prediction interval (Student's t). With all sizes 1 it is that of a mean.
 * @param total the sum of the new calls' sizes
 */
export const predictedTotal = (
  seen: readonly { readonly value: number; readonly size: number }[],
  { calls, total }: { readonly calls: number; readonly total: number },
  confidence: number,
): Interval => {
  const sizes = seen.reduce((sum, { size }) => sum + size, 0)
  const rate = sizes === 0 ? 0 : seen.reduce((sum, { value }) => sum + value, 0) / sizes
  const errors = seen.map(({ value, size }) => value - rate * size)
  const sd = seen.length < 2 ? 0 : Math.sqrt(squaresOf(errors) / (seen.length - 1))
  const spread =
    studentT(confidence, Math.max(1, seen.length - 1)) *
    sd *
    Math.sqrt(calls + (calls * calls) / Math.max(1, seen.length))
  return { low: rate * total - spread, high: rate * total + spread }
}
