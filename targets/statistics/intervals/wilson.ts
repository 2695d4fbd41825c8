import type { Interval } from '../interval.ts'
import { normalQuantile } from '../distributions/normal.ts'

/**
 * Wilson's score interval of a proportion, without continuity correction: honest at 0 and 1, where the usual
 * interval shrinks to a point.
 *
 * @param successes 0 … `trials`
 * @throws RangeError when the counts are no counts
 */
export const wilson = (successes: number, trials: number, confidence: number): Interval => {
  if (!Number.isInteger(trials) || trials < 1) throw new RangeError('trials is a count of at least 1')
  if (!(successes >= 0 && successes <= trials)) throw new RangeError('successes lie between 0 and trials')
  const z = normalQuantile((1 + confidence) / 2)
  const square = z * z
  const centre = (successes + square / 2) / (trials + square)
  const spread = (successes * (trials - successes)) / trials + square / 4
  const half = (z * Math.sqrt(spread)) / (trials + square)
  return {
    low: successes === 0 ? 0 : Math.max(0, centre - half),
    high: successes === trials ? 1 : Math.min(1, centre + half),
  }
}
