import { exactMean, exactSquares } from '../exact-sum.ts'
import { gaffkeHigh, gaffkeLow } from '../intervals/gaffke.ts'
import type { Interval } from '../intervals/wilson.ts'
import { rangeOf, type Scale } from '../scale.ts'
import { boundTail } from './bound-tail.ts'

/** A mean of which some values could not be read. */
interface MeanWithMissing {
  readonly n: number
  readonly measured: number
  /** Where the mean of all must lie (Manski 1990). */
  readonly bounds: Interval
  /** Chance that the interval misses on each side. */
  readonly tail: number
  /** Holds the mean of all with the confidence asked for. */
  readonly interval: Interval
}

/**
 * Bounds of a mean over all instances, the missing ones at either end of the scale, and Imbens and Manski's interval
 * with Gaffke's limits. Assumes nothing of why a value is missing.
 *
 * @param values undefined: missing
 * @throws RangeError without an instance
 */
export const meanWithMissing = (
  values: readonly (number | undefined)[],
  scale: Scale,
  confidence: number,
): MeanWithMissing => {
  const measured = values.filter((value) => value !== undefined)
  const lows = values.map((value) => value ?? scale.low)
  const highs = values.map((value) => value ?? scale.high)
  const bounds = { low: exactMean(lows), high: exactMean(highs) }
  const range = rangeOf(scale)
  const tail = boundTail(
    {
      low: bounds.low / range,
      high: bounds.high / range,
      lowError: standardErrorOf(lows, range),
      highError: standardErrorOf(highs, range),
      df: values.length - 1,
    },
    1 - confidence,
  )
  return {
    n: values.length,
    measured: measured.length,
    bounds,
    tail,
    interval: { low: gaffkeLow(lows, scale, tail), high: gaffkeHigh(highs, scale, tail) },
  }
}

/** As a share of the range, whose square may be more than a number holds; 0 for one value. */
const standardErrorOf = (values: readonly number[], range: number): number => {
  if (values.length < 2) return 0
  const shares = values.map((value) => value / range)
  return Math.sqrt(exactSquares(shares, exactMean(shares)) / (values.length - 1) / values.length)
}
