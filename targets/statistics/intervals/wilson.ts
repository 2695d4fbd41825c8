import { normalQuantile } from '../distributions/normal.ts'

/**
 * Wilson's score interval of a proportion (1927), without continuity correction: honest at 0 and 1, where the usual
 * interval shrinks to a point.
 *
 * @param successes 0 … `trials`
 * @throws RangeError when the counts are no counts
 */
export const wilson = (successes: number, trials: number, confidence: number): Interval => {
  if (!Number.isInteger(trials) || trials < 1) throw new RangeError('trials is a count of at least 1')
  if (!(successes >= 0 && successes <= trials)) throw new RangeError('successes lie between 0 and trials')
  return wilsonOf(successes / trials, trials, confidence)
}

/** The same of a share seen in `n` answers, which need not be a whole number. */
export const wilsonOf = (share: number, n: number, confidence: number): Interval => {
  const z = normalQuantile((1 + confidence) / 2)
  const square = z * z
  const centre = (share + square / (2 * n)) / (1 + square / n)
  const half = (z * Math.sqrt((share * (1 - share)) / n + square / (4 * n * n))) / (1 + square / n)
  return {
    low: share === 0 ? 0 : Math.max(0, centre - half),
    high: share === 1 ? 1 : Math.min(1, centre + half),
  }
}

/** An estimate's confidence interval, in the estimate's units. */
export interface Interval {
  readonly low: number
  readonly high: number
}
