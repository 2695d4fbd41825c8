import type { Interval } from '../intervals/wilson.ts'
import { meanOf, squaresOf, averageRanks } from '../mean.ts'
import { normalQuantile } from '../distributions/normal.ts'

/** Pearson's r of pairs, −1 to 1; NaN where one side is constant. @throws RangeError for lists of two lengths */
export const pearson = (a: readonly number[], b: readonly number[]): number => {
  if (a.length !== b.length) throw new RangeError('both sides of a correlation have the same length')
  const [meanA, meanB] = [meanOf(a), meanOf(b)]
  const cross = a.reduce((sum, value, index) => sum + (value - meanA) * ((b[index] ?? NaN) - meanB), 0)
  const scale = Math.sqrt(squaresOf(a) * squaresOf(b))
  return scale === 0 ? NaN : Math.max(-1, Math.min(1, cross / scale))
}

/** Spearman's ρ of pairs: Pearson's r of their ranks, equal values sharing the mean rank. */
export const spearman = (a: readonly number[], b: readonly number[]): number =>
  pearson(averageRanks(a), averageRanks(b))

/** The interval of a correlation by Fisher's z; undefined for fewer than four pairs and for |r| = 1, of which it knows no width. */
export const correlationInterval = (r: number, n: number, confidence: number): Interval | undefined => {
  if (n < 4 || !(Math.abs(r) < 1)) return undefined
  const half = normalQuantile((1 + confidence) / 2) * Math.sqrt(1 / (n - 3))
  return { low: Math.tanh(Math.atanh(r) - half), high: Math.tanh(Math.atanh(r) + half) }
}
