import { normalQuantile } from '../statistics/distributions/normal.ts'

/** Squared points that a jury leaves unexplained of clinicians' scores, where nothing better is known yet. */
export const USUAL_RESIDUAL_VARIANCE = 0.3

/**
 * Answers to rate out of `total` for a calibrated mean whose interval is ± `halfWidth` points, the answers being all
 * that is asked about: n0 / (1 + n0 / N) with n0 = (z / h)² V.
 */
export const labelsForHalfWidth = (
  {
    total,
    halfWidth,
    variance,
  }: { readonly total: number; readonly halfWidth: number; readonly variance: number },
  confidence: number,
): number => {
  if (total === 0) return 0
  const plain = (normalQuantile((1 + confidence) / 2) / halfWidth) ** 2 * variance
  return Math.min(total, Math.ceil(plain / (1 + plain / total)))
}

/** The half-width that so many labels bring, in points. */
export const halfWidthOf = (
  { total, labels, variance }: { readonly total: number; readonly labels: number; readonly variance: number },
  confidence: number,
): number | null =>
  labels === 0
    ? null
    : normalQuantile((1 + confidence) / 2) * Math.sqrt((variance / labels) * (1 - labels / total))
