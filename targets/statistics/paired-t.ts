import type { Interval } from './interval.ts'
import { Moments } from './moments.ts'
import { studentTail } from './distributions/student-t.ts'
import { tInterval } from './t-interval.ts'

export interface PairedT {
  readonly meanDifference: number
  readonly df: number
  readonly t: number
  /** Two-sided. */
  readonly p: number
  readonly interval: Interval
}

/**
 * Student's t test of paired differences. Undefined where the differences do not spread: t says nothing of them.
 *
 * @param differences one a pair
 */
export const pairedT = (differences: Iterable<number>, confidence = 0.95): PairedT | undefined => {
  const moments = new Moments()
  for (const difference of differences) moments.add(difference)
  const summary = moments.summary()
  const interval = tInterval(summary, confidence)
  if (interval === undefined || summary.sd === 0) return undefined
  const t = summary.mean / (summary.sd / Math.sqrt(summary.n))
  const df = summary.n - 1
  return { meanDifference: summary.mean, df, t, p: studentTail(t, df), interval }
}
