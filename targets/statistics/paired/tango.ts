import type { Interval } from '../intervals/wilson.ts'
import { normalQuantile } from '../distributions/normal.ts'
import { binomialCdf } from '../distributions/binomial.ts'

/** How instances fell out that two models answered, right or wrong. */
export interface PairedCounts {
  readonly onlyA: number
  readonly onlyB: number
  /** All pairs. */
  readonly n: number
}

/**
 * Tango's score interval of the difference of two paired proportions, B − A (Statistics in Medicine 17, 1998).
 * It inverts the test whose squared statistic at 0 is McNemar's, stays within −1 … 1,
 * and leaves doubt where the two never differ.
 *
 * @throws RangeError without any pair
 */
export const tango = ({ onlyA, onlyB, n }: PairedCounts, confidence: number): Interval => {
  if (n < 1) throw new RangeError('an interval of a difference needs at least one pair')
  const z = normalQuantile((1 + confidence) / 2)
  const estimate = (onlyB - onlyA) / n
  const score = (delta: number): number => {
    const middle = -onlyA - onlyB + (2 * n - onlyB + onlyA) * delta
    const product = -onlyA * delta * (1 - delta)
    const share = (Math.sqrt(Math.max(0, middle * middle - 8 * n * product)) - middle) / (4 * n)
    const variance = n * (2 * share + delta * (1 - delta))
    return variance <= 0 ? Infinity : Math.abs(n * (estimate - delta)) / Math.sqrt(variance)
  }
  return { low: limit(estimate, -1, score, z), high: limit(estimate, 1, score, z) }
}

/** The farthest point from `inside` towards `outside` that the score still accepts. */
const limit = (inside: number, outside: number, score: (delta: number) => number, z: number): number => {
  let [accepted, refused] = [inside, outside]
  for (;;) {
    const middle = (accepted + refused) / 2
    // Numbers up to 1 lie closer together than that.
    if (Math.abs(refused - accepted) < 1e-15) return middle
    if (score(middle) <= z) accepted = middle
    else refused = middle
  }
}

/**
 * The mid-p McNemar test: two-sided p of `onlyA` and `onlyB`, the pairs that just one side got right, if both were as
 * likely (Fagerland, Lydersen & Laake 2013). Keeps its level where the exact test falls far below it.
 */
export const midP = (onlyA: number, onlyB: number): number => {
  const fewer = Math.min(onlyA, onlyB)
  // 2 P(X ≤ k) − P(X = k).
  return binomialCdf(fewer, onlyA + onlyB, 0.5) + binomialCdf(fewer - 1, onlyA + onlyB, 0.5)
}

/** One-sided mid-p that B is not worse than A. 0.5 where no pair differs. */
export const midPOfLoss = (onlyA: number, onlyB: number): number =>
  (binomialCdf(onlyB, onlyA + onlyB, 0.5) + binomialCdf(onlyB - 1, onlyA + onlyB, 0.5)) / 2
