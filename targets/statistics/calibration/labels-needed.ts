import { normalQuantile } from '../distributions/normal.ts'

/** What is known of the answers whose mean is to be measured. */
export interface LabelPlan {
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

/** Answers that all of `raters` must rate for an ICC's interval to be as narrow as wished (Bonett 2002). */
export const answersForIcc = (
  { icc, raters, width }: { readonly icc: number; readonly raters: number; readonly width: number },
  confidence: number,
): number => {
  const z = normalQuantile((1 + confidence) / 2)
  const plain =
    (8 * z ** 2 * (1 - icc) ** 2 * (1 + (raters - 1) * icc) ** 2) / (raters * (raters - 1) * width ** 2) + 1
  return Math.ceil(plain + (raters === 2 && icc >= 0.7 ? 5 * icc : 0))
}
