import { normalCdf, normalQuantile } from '../distributions/normal.ts'
import type { Interval } from '../intervals/wilson.ts'
import { rangeOf, type Scale } from '../scale.ts'

/** A number that was measured by itself; without an interval where nothing tells of one. */
export interface MeasuredScore {
  readonly value: number
  readonly interval: Interval | null
}

/** How one number differs from another that was measured by itself. */
export interface IndependentChange {
  /** Two-sided, by the normal distribution; null where one of the two has no interval, or both have none but a point. */
  readonly p: number | null
  /** Of the test that gave p, cut to what the scale allows; null without one. */
  readonly interval: Interval | null
}

/**
 * Newcombe's square-and-add (Statistics in Medicine 17, 1998, method 10): what counts against a rise is how far the score
 * before may lie above itself and the one now below, which whole half-widths hide near a scale's ends: of 0 and 3 right of 5
 * these would make p .003.
 *
 * @param confidence of both intervals, whose sides are taken for as many standard errors
 * @param scale of both numbers; absent where an end is open
 */
export const independentChange = (
  before: MeasuredScore,
  now: MeasuredScore,
  confidence: number,
  scale?: Scale,
): IndependentChange => {
  const [had, has] = [before.interval, now.interval]
  const difference = now.value - before.value
  if (had === null || has === null) return { p: null, interval: null }
  const below = Math.hypot(now.value - has.low, had.high - before.value)
  const above = Math.hypot(has.high - now.value, before.value - had.low)
  const towardsNone = difference > 0 ? below : above
  if (!(towardsNone > 0)) return { p: null, interval: null }
  const most = scale === undefined ? Infinity : rangeOf(scale)
  const errors = (Math.abs(difference) / towardsNone) * normalQuantile((1 + confidence) / 2)
  return {
    p: 2 * normalCdf(-errors),
    interval: { low: Math.max(-most, difference - below), high: Math.min(most, difference + above) },
  }
}
