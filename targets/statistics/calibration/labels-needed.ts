import { normalQuantile } from '../distributions/normal.ts'
import { stratifiedMean, type LabelledStratum } from './stratified-mean.ts'

/** What is known of the answers whose mean is to be measured. */
interface LabelPlan {
  /** Answers, labelled or not. */
  readonly total: number
  /** Of the labels, in squared points. */
  readonly variance: number
  /** Of labels and predictions. */
  readonly correlation: number
  /** Wished half-width of the mean's interval, in points. */
  readonly halfWidth: number
}

/**
 * The fewest labels with which a prediction-powered mean has an interval no wider than wished; null where not even a
 * label for each answer gives one.
 */
export const labelsForMean = (
  { total, variance, correlation, halfWidth }: LabelPlan,
  confidence: number,
): number | null => {
  const z = normalQuantile((1 + confidence) / 2)
  const half = (labels: number): number =>
    z * Math.sqrt((variance * (1 - (correlation ** 2 * (total - labels)) / total)) / labels)
  // The half-width falls with every label.
  let [low, high] = [1, total]
  if (total < 1 || half(total) > halfWidth) return null
  while (low < high) {
    const middle = Math.floor((low + high) / 2)
    if (half(middle) <= halfWidth) high = middle
    else low = middle + 1
  }
  return low
}

/** Full width of the interval of an ICC over two raters (Bonett 2002); null for one answer. */
export const iccWidth = (
  { icc, answers }: { readonly icc: number; readonly answers: number },
  confidence: number,
): number | null =>
  answers < 2
    ? null
    : Math.min(
        2,
        normalQuantile((1 + confidence) / 2) *
          Math.sqrt((8 * (1 - icc) ** 2 * (1 + icc) ** 2) / (2 * (answers - 1))),
      )

/** Of a sample of answers whose mean is all that is asked about; `variance` is what predictions leave unexplained, squared. */
interface Sample {
  readonly total: number
  readonly variance: number
}

/** Answers to label for a calibrated mean whose interval is ± `halfWidth`: n0 / (1 + n0 / N) with n0 = (z / h)² V. */
export const labelsForHalfWidth = (
  { total, halfWidth, variance }: Sample & { readonly halfWidth: number },
  confidence: number,
): number => {
  if (total === 0) return 0
  const plain = (normalQuantile((1 + confidence) / 2) / halfWidth) ** 2 * variance
  return Math.min(total, Math.ceil(plain / (1 + plain / total)))
}

/** The half-width that so many labels bring; null without any. */
export const halfWidthOf = (
  { total, labels, variance }: Sample & { readonly labels: number },
  confidence: number,
): number | null =>
  labels === 0
    ? null
    : normalQuantile((1 + confidence) / 2) * Math.sqrt((variance / labels) * (1 - labels / total))

/**
 * Labels with which a stratified sample knows the mean of answers like these to ± `halfWidth`; null where not even all bring
 * that. The variance of the sample falls as 1/n − 1/N; what all answers leave open stays.
 */
export const labelsForStratified = (
  strata: readonly LabelledStratum[],
  halfWidth: number,
  confidence: number,
): number | null => {
  const total = strata.reduce((sum, { all }) => sum + all.length, 0)
  const labels = strata.reduce((sum, stratum) => sum + stratum.labels.length, 0)
  const { standardError, likeTheseError } = stratifiedMean(strata, confidence)
  if (labels >= total || standardError === 0) return labels
  const residual = standardError ** 2 / (1 / labels - 1 / total)
  const open = likeTheseError ** 2 - standardError ** 2
  const wanted = (halfWidth / normalQuantile((1 + confidence) / 2)) ** 2 - open
  const needed = residual / (wanted + residual / total)
  return wanted < 0 || needed > total ? null : Math.ceil(needed)
}
