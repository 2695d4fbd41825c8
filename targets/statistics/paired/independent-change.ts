import { normalCdf, normalQuantile } from '../distributions/normal.ts'
import type { Interval } from '../intervals/wilson.ts'
import { rangeOf, type Scale } from '../scale.ts'

/** How one number differs from another that was measured by itself. */
export interface IndependentChange {
  /** Two-sided, by the normal distribution; null where one of the two has no interval, or both have none but a point. */
  readonly p: number | null
  /** Of the test that gave p, cut to what the scale allows; null without one. */
  readonly interval: Interval | null
}

/**
 * @param confidence of both intervals, whose half-widths are taken for as many standard errors
 * @param scale of both numbers; absent where an end is open
 */
export const independentChange = (
  difference: number,
  [before, now]: readonly [Interval | null, Interval | null],
  confidence: number,
  scale?: Scale,
): IndependentChange => {
  if (before === null || now === null) return { p: null, interval: null }
  const half = Math.hypot(before.high - before.low, now.high - now.low) / 2
  if (!(half > 0)) return { p: null, interval: null }
  const most = scale === undefined ? Infinity : rangeOf(scale)
  const errors = (Math.abs(difference) / half) * normalQuantile((1 + confidence) / 2)
  return {
    p: 2 * normalCdf(-errors),
    interval: { low: Math.max(-most, difference - half), high: Math.min(most, difference + half) },
  }
}
