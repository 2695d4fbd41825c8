import type { Interval } from './interval.ts'

/**
 * The interval of the mean of several independent means on one scale, from their own: the distances to the limits add up in
 * squares (Zou & Donner 2008). Null where one has none.
 *
 * @param scale that the ends are cut to
 */
export const intervalOfMean = (
  means: readonly { readonly value: number; readonly interval: Interval | null }[],
  scale: Interval,
): Interval | null => {
  const value = means.reduce((sum, mean) => sum + mean.value, 0) / means.length
  const spread = (distance: (mean: { readonly value: number }, interval: Interval) => number): number =>
    Math.sqrt(
      means.reduce(
        (sum, mean) => sum + (mean.interval === null ? NaN : distance(mean, mean.interval)) ** 2,
        0,
      ),
    ) / means.length
  const below = spread((mean, { low }) => mean.value - low)
  const above = spread((mean, { high }) => high - mean.value)
  return Number.isNaN(below)
    ? null
    : { low: Math.max(scale.low, value - below), high: Math.min(scale.high, value + above) }
}
