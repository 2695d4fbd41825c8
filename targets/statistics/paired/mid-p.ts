import { binomialCdf } from '../distributions/binomial.ts'
import { normalCdf } from '../distributions/normal.ts'

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

/** The exact test, which published work uses. */
export const mcnemarExact = (onlyA: number, onlyB: number): number =>
  onlyA === onlyB ? 1 : Math.min(1, 2 * binomialCdf(Math.min(onlyA, onlyB), onlyA + onlyB, 0.5))

/** The score test, which Tango's interval inverts. */
export const mcnemarScore = (onlyA: number, onlyB: number): number =>
  onlyA === onlyB ? 1 : 2 * normalCdf(-Math.abs(onlyA - onlyB) / Math.sqrt(onlyA + onlyB))
