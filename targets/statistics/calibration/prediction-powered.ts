import type { Interval } from '../intervals/wilson.ts'
import { clusterRobust } from '../paired/cluster-robust.ts'
import { studentInterval } from '../intervals/student-interval.ts'
import { meanOf, squaresOf } from '../mean.ts'

/** A mean of labels, in their units, that many predictions help to measure. */
export interface PredictionPowered {
  /** How far the predictions are believed, 0 to 1: 0 leaves the labels alone. */
  readonly lambda: number
  readonly estimate: number
  readonly standardError: number
  /** By Student's t with n − 1 degrees of freedom, or those of the sources: what is shown; null where nothing tells a spread. */
  readonly interval: Interval | null
}

export interface Labelled {
  readonly labels: readonly number[]
  /** Of the labelled ones, in their order. */
  readonly predictions: readonly number[]
  /** Predictions of those that nobody labelled. */
  readonly unlabelled: readonly number[]
  /** Where several come from one source, such as a patient: the name of each one's. */
  readonly sources?: { readonly labelled: readonly string[]; readonly unlabelled: readonly string[] }
}

/**
 * The mean of labels over all, estimated from a few labels and predictions of all: the predictions' mean, put right by
 * what the labelled ones were off by (Angelopoulos et al. 2023; the weight is PPI++'s, arXiv 2311.01453). Valid however
 * bad the predictions are; sharper the better they follow the labels.
 * @param wanted weight of the predictions: 1 for the first paper's estimator; by default the weight with the least variance
 * @throws RangeError without a label, or where labels and predictions are not as many
 */
export const predictionPoweredMean = (
  { labels, predictions, unlabelled, sources }: Labelled,
  confidence: number,
  wanted = bestLambda({ labels, predictions, unlabelled }),
): PredictionPowered => {
  const n = labels.length
  // Predictions of the labelled alone would be taken off and never added; of one source nothing tells how far they are off.
  const lambda = unlabelled.length === 0 || isOneSource(sources?.unlabelled) ? 0 : wanted
  if (n === 0 || n !== predictions.length) throw new RangeError('every label has its prediction')
  const rest = labels.map((label, index) => label - lambda * (predictions[index] ?? NaN))
  const far = unlabelled.length
  const estimate = (far === 0 ? 0 : lambda * meanOf(unlabelled)) + meanOf(rest)
  const restSquares = squaresOf(rest)
  const farSquares = lambda ** 2 * squaresOf(unlabelled)
  const variance = (far === 0 ? 0 : farSquares / far / far) + restSquares / n / n
  return {
    lambda,
    estimate,
    standardError: Math.sqrt(variance),
    interval: n < 2 ? null : sources === undefined ? tInterval() : robustInterval(sources),
  }

  /** By the cluster-robust variance (CR2) of both parts, a source's residuals summed over them. */
  function robustInterval(names: NonNullable<Labelled['sources']>): Interval | null {
    const { known } = clusterRobust([
      { weight: 1, values: rest, sources: names.labelled },
      ...(lambda === 0 || far === 0
        ? []
        : [{ weight: lambda, values: unlabelled, sources: names.unlabelled }]),
    ])
    return known === undefined ? null : studentInterval(estimate, known, confidence)
  }

  function tInterval(): Interval {
    const unbiased = (far < 2 ? 0 : farSquares / (far - 1) / far) + restSquares / (n - 1) / n
    return studentInterval(estimate, { variance: unbiased, df: n - 1 }, confidence)
  }
}

const isOneSource = (names: readonly string[] | undefined): boolean =>
  names !== undefined && new Set(names).size === 1

/** The weight of the predictions with the least variance, cut to 0 … 1; 0 where the predictions do not differ. */
const bestLambda = ({ labels, predictions, unlabelled }: Labelled): number => {
  const [n, far] = [labels.length, unlabelled.length]
  const all = [...predictions, ...unlabelled]
  const spread = squaresOf(all) / (all.length - 1)
  if (far === 0 || !(spread > 0)) return 0
  const [label, prediction] = [meanOf(labels), meanOf(predictions)]
  const covariance =
    labels.reduce((sum, y, index) => sum + (y - label) * ((predictions[index] ?? NaN) - prediction), 0) / n
  return Math.min(1, Math.max(0, covariance / ((1 + n / far) * spread)))
}

/**
 * The mean difference of labels, B − A, of two models on the same instances; λ is chosen for the difference.
 * Lists of both are in one order, and instances have one source.
 */
export const predictionPoweredDifference = (
  a: Labelled,
  b: Labelled,
  confidence: number,
): PredictionPowered =>
  predictionPoweredMean(
    {
      labels: minus(b.labels, a.labels),
      predictions: minus(b.predictions, a.predictions),
      unlabelled: minus(b.unlabelled, a.unlabelled),
      ...(a.sources === undefined ? {} : { sources: a.sources }),
    },
    confidence,
  )

const minus = (left: readonly number[], right: readonly number[]): readonly number[] => {
  if (left.length !== right.length) throw new RangeError('both models are measured on the same instances')
  return left.map((value, index) => value - (right[index] ?? NaN))
}
