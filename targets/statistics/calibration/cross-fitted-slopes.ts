import { groupBy } from '../../../cache/lists.ts'
import { exactMean, exactSum } from '../exact-sum.ts'
import type { NamedStratum } from './stratified-mean.ts'

/** Slopes of labels on predictions, pooled within strata. */
interface CrossFittedSlopes {
  /** Over all labels. */
  readonly lambda: number
  /** By stratum and label: over the labels of the other folds. */
  readonly slopes: readonly (readonly number[])[]
}

const FOLDS = 5

/**
 * The slope for each label from the labels of other folds. Folds take whole sources in turn, in an order that rests on
 * their labels and predictions alone: neither the order of the labels nor a name has a say.
 *
 * @param wanted for all, in place of the slopes
 */
export const crossFittedSlopes = (strata: readonly NamedStratum[], wanted?: number): CrossFittedSlopes => {
  if (wanted !== undefined)
    return { lambda: wanted, slopes: strata.map(({ labels }) => labels.map(() => wanted)) }
  const points = strata.flatMap(({ labels, predictions, names }, stratum) =>
    labels.map((label, index) => ({
      stratum,
      label,
      prediction: predictions[index] ?? NaN,
      source: names.labelled[index] ?? '',
    })),
  )
  const foldOf = new Map(
    [...groupBy(points, ({ source }) => source)]
      .map(([source, own]) => ({ source, own: own.toSorted(byValue) }))
      .toSorted((a, b) => byValues(a.own, b.own))
      .map(({ source }, at) => [source, at % FOLDS]),
  )
  const byFold = Array.from({ length: FOLDS }, (_, fold) =>
    slopeOf(points.filter(({ source }) => foldOf.get(source) !== fold)),
  )
  return {
    lambda: slopeOf(points),
    slopes: strata.map(({ names }) => names.labelled.map((source) => byFold[foldOf.get(source) ?? 0] ?? 0)),
  }
}

interface Point {
  readonly stratum: number
  readonly label: number
  readonly prediction: number
}

const byValue = (a: Point, b: Point): number =>
  a.stratum - b.stratum || a.prediction - b.prediction || a.label - b.label

const byValues = (a: readonly Point[], b: readonly Point[]): number => {
  for (const [at, left] of a.entries()) {
    const right = b[at]
    if (right === undefined) return 1
    const order = byValue(left, right)
    if (order !== 0) return order
  }
  return a.length - b.length
}

/** 0 where predictions do not differ within strata. */
const slopeOf = (points: readonly Point[]): number => {
  const strata = [...groupBy(points, ({ stratum }) => String(stratum)).values()].map((own) => {
    const label = exactMean(own.map((each) => each.label))
    const prediction = exactMean(own.map((each) => each.prediction))
    return own.map((each) => ({ y: each.label - label, x: each.prediction - prediction }))
  })
  const spread = exactSum(strata.flat().map(({ x }) => x * x))
  const level = exactSum(points.map(({ prediction }) => prediction * prediction))
  return spread > 1e-24 * (1 + level) ? exactSum(strata.flat().map(({ x, y }) => x * y)) / spread : 0
}
