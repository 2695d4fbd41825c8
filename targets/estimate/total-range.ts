import { predictedTotal } from '../statistics/intervals/predicted-total.ts'

export interface Range {
  readonly low: number
  readonly high: number
}

/** How sure a total drawn from like calls is to lie in its range. */
const CONFIDENCE = 0.99
/** Below so many replies nothing is said from them. */
export const LEAST_SAMPLES = 20

/**
 * Where the sum of tokens over `calls` new calls will lie, each measured by `size`, when calls like them had these `values` at these
 * sizes.
 *
 * @param total the sum of the new calls' sizes
 */
export const totalRange = (
  seen: readonly { readonly value: number; readonly size: number }[],
  calls: number,
  total: number,
): Range => {
  const { low, high } = predictedTotal(seen, { calls, total }, CONFIDENCE)
  // Tokens are whole.
  return { low: Math.max(0, Math.floor(low)), high: Math.ceil(high) }
}

/** The value that a share of the values does not exceed: the smallest of which that is true. NaN without any. */
export const quantile = (values: readonly number[], share: number): number =>
  values.toSorted((a, b) => a - b)[Math.max(0, Math.ceil(share * values.length) - 1)] ?? Number.NaN

export const addRanges = (ranges: readonly Range[]): Range => ({
  low: ranges.reduce((sum, { low }) => sum + low, 0),
  high: ranges.reduce((sum, { high }) => sum + high, 0),
})
