import type { Interval } from './interval.ts'
import { studentT } from '../distributions/student-t.ts'

/** Count, mean and standard deviation (with n − 1) of a sample. */
export interface SampleSummary {
  readonly n: number
  readonly mean: number
  readonly sd: number
}

/** The t interval of a mean; undefined for fewer than two values, which say nothing of their spread. */
export const tInterval = ({ n, mean, sd }: SampleSummary, confidence: number): Interval | undefined => {
  if (n < 2) return undefined
  const half = sd === 0 ? 0 : (studentT(confidence, n - 1) * sd) / Math.sqrt(n)
  return { low: mean - half, high: mean + half }
}
