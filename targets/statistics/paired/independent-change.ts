import { normalCdf, normalQuantile } from '../distributions/normal.ts'
import type { Interval } from '../intervals/wilson.ts'

/** How one number differs from another that was measured by itself. */
export interface IndependentChange {
  /** Null where one of the two has no interval. */
  readonly standardError: number | null
  /** Two-sided, by the normal distribution; null where there is no standard error, or it is 0. */
  readonly p: number | null
}

/** @param confidence of both intervals, whose half-widths are taken for as many standard errors */
export const independentChange = (
  difference: number,
  intervals: readonly [Interval | null, Interval | null],
  confidence: number,
): IndependentChange => {
  const [before, now] = intervals
  if (before === null || now === null) return { standardError: null, p: null }
  const standardError =
    Math.hypot(before.high - before.low, now.high - now.low) / (2 * normalQuantile((1 + confidence) / 2))
  if (!(standardError > 0)) return { standardError, p: null }
  return { standardError, p: 2 * normalCdf(-Math.abs(difference) / standardError) }
}
