import { normalQuantile } from '../distributions/normal.ts'

/** How a test did, and how it did where the truth was looked up. Counts. */
interface CheckedTest {
  readonly positive: number
  readonly n: number
  /** Of `positivesChecked` that are truly positive, how many the test found. */
  readonly truePositive: number
  readonly positivesChecked: number
  /** Of `negativesChecked` that are truly negative, how many the test left. */
  readonly trueNegative: number
  readonly negativesChecked: number
}

/** A true share, 0 to 1. */
export type CorrectedShare =
  | { readonly estimate: number; readonly low: number; readonly high: number; readonly reason?: never }
  | { readonly estimate: null; readonly low: null; readonly high: null; readonly reason: string }

/**
 * The true share behind a test that errs (Rogan and Gladen 1978), with the interval of Lang and Reiczigel (2014), which
 * takes in that sensitivity and specificity are estimates, too.
 */
export const roganGladen = (
  { positive, n, truePositive, positivesChecked, trueNegative, negativesChecked }: CheckedTest,
  confidence: number,
): CorrectedShare => {
  if (n === 0 || positivesChecked === 0 || negativesChecked === 0) return refused('nothing was checked')
  const [p, sensitivity, specificity] = [
    positive / n,
    truePositive / positivesChecked,
    trueNegative / negativesChecked,
  ]
  if (sensitivity + specificity <= 1) return refused('sensitivity + specificity <= 1')
  const z = normalQuantile((1 + confidence) / 2)
  const [n2, a, b] = [n + z * z, positivesChecked + 2, negativesChecked + 2]
  const p2 = (positive + (z * z) / 2) / n2
  const [se, sp] = [(truePositive + 1) / a, (trueNegative + 1) / b]
  const share = (p2 + sp - 1) / (se + sp - 1)
  const shift = 2 * z * z * ((share * se * (1 - se)) / a - ((1 - share) * sp * (1 - sp)) / b)
  const half =
    (z *
      Math.sqrt(
        (p2 * (1 - p2)) / n2 + (share ** 2 * se * (1 - se)) / a + ((1 - share) ** 2 * sp * (1 - sp)) / b,
      )) /
    (se + sp - 1)
  return {
    estimate: cut((p + specificity - 1) / (sensitivity + specificity - 1)),
    low: cut(share + shift - half),
    high: cut(share + shift + half),
  }
}

const refused = (reason: string): CorrectedShare => ({ estimate: null, low: null, high: null, reason })

const cut = (share: number): number => Math.min(1, Math.max(0, share))
