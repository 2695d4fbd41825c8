import {
  stratifiedMean,
  type LabelledStratum,
  type StratifiedMean,
} from '../../statistics/calibration/stratified-mean.ts'
import { normalQuantile } from '../../statistics/distributions/normal.ts'
import { studentT } from '../../statistics/distributions/student-t.ts'
import { mergeSmall } from '../../ratings/strata.ts'
import { meanOf } from '../../statistics/mean.ts'
import { shownScore, type CalibratedScore, type JudgedAnswer } from './calibrated-score.ts'

const CONFIDENCE = 0.95

/** Fewer labels tell no spread: strata are put together until each has as many. */
const FEWEST = 2

/**
 * The strata of a planned sample, in their order; undefined where no plan drew among these answers. One with fewer than
 * two labels yet is put together with its neighbour.
 */
export const plannedStrata = (answers: readonly JudgedAnswer[]): readonly LabelledStratum[] | undefined => {
  if (answers.length === 0 || answers.some(({ planned }) => planned === undefined)) return undefined
  const numbers = [...new Set(answers.map(({ planned }) => planned?.stratum ?? 0))].toSorted((a, b) => a - b)
  const shares = answers.some(({ source }) => source !== undefined)
  const strata = numbers.map((number): LabelledStratum => {
    const own = answers.filter(({ planned }) => planned?.stratum === number)
    const drawn = own.filter(({ planned, label }) => planned?.isDrawn === true && label !== null)
    return {
      labels: drawn.map(({ label }) => label ?? NaN),
      predictions: drawn.map(({ jury }) => jury),
      all: own.map(({ jury }) => jury),
      ...(shares ? { sources: drawn.map(sourceOf) } : {}),
    }
  })
  return mergeSmall(strata, ({ labels }) => labels.length >= FEWEST, joined)
}

const joined = (a: LabelledStratum, b: LabelledStratum): LabelledStratum => ({
  labels: [...a.labels, ...b.labels],
  predictions: [...a.predictions, ...b.predictions],
  all: [...a.all, ...b.all],
  ...(a.sources === undefined || b.sources === undefined ? {} : { sources: [...a.sources, ...b.sources] }),
})

/** An answer without a source stands for itself; no source can have its name. */
export const sourceOf = ({ instance, source }: Pick<JudgedAnswer, 'instance' | 'source'>): string =>
  source === undefined ? `instance ${instance}` : `source ${source}`

/** What clinicians would give, from the labels that a plan drew. */
export const plannedScore = (
  strata: readonly LabelledStratum[],
  answers: readonly JudgedAnswer[],
  scale: readonly [number, number],
): CalibratedScore => {
  const labels = strata.reduce((sum, stratum) => sum + stratum.labels.length, 0)
  const outside = answers.filter(({ label, planned }) => label !== null && planned?.isDrawn !== true).length
  const counts = {
    sample: 'planned' as const,
    labels,
    unlabelled: answers.length - labels,
    raw: meanOf(answers.map(({ jury }) => jury)),
    ...(outside === 0 ? {} : { outside }),
  }
  if (labels === 0)
    return { ...counts, value: null, interval: null, lambda: null, reason: 'no clinician rated any of them' }
  const { estimate, lambda, interval, likeThese } = stratifiedMean(strata, CONFIDENCE)
  const [least, most] = scale
  const cut = (score: number): number => Math.min(most, Math.max(least, score))
  return {
    ...shownScore(counts, { estimate, lambda, interval: likeThese }, scale),
    ...(likeThese === null && labels > 1 ? { reason: 'too few labels for its strata' } : {}),
    onThese: interval === null ? null : { low: cut(interval.low), high: cut(interval.high) },
  }
}

/**
 * B − A from two planned samples: each was drawn by itself, so their variances add up. Undefined unless both are planned.
 * @param range of the scale
 */
export const plannedPair = (
  a: readonly JudgedAnswer[],
  b: readonly JudgedAnswer[],
  range: number,
): CalibratedScore | undefined => {
  const [left, right] = [plannedStrata(a), plannedStrata(b)]
  if (left === undefined || right === undefined) return undefined
  const scale = [-range, range] as const
  const [one, two] = [plannedScore(left, a, scale), plannedScore(right, b, scale)]
  const counts = {
    sample: 'planned' as const,
    labels: Math.min(one.labels, two.labels),
    unlabelled: Math.min(one.unlabelled, two.unlabelled),
    raw: one.raw === null || two.raw === null ? null : two.raw - one.raw,
  }
  if (one.labels === 0 || two.labels === 0)
    return {
      ...counts,
      value: null,
      interval: null,
      lambda: null,
      reason: 'no clinician rated one of the two',
    }
  const [first, second] = [stratifiedMean(left, CONFIDENCE), stratifiedMean(right, CONFIDENCE)]
  const estimate = second.estimate - first.estimate
  // The slope is each model's own.
  return {
    ...shownScore(
      counts,
      { estimate, lambda: 0, interval: differenceInterval(first, second, estimate) },
      scale,
    ),
    lambda: null,
  }
}

/** Welch's degrees of freedom. */
const differenceInterval = (
  a: StratifiedMean,
  b: StratifiedMean,
  estimate: number,
): StratifiedMean['likeThese'] => {
  if (a.likeThese === null || b.likeThese === null) return null
  const [one, two] = [a.likeTheseError ** 2, b.likeTheseError ** 2]
  const df = (one + two) ** 2 / (one ** 2 / a.df + two ** 2 / b.df)
  if (!(df > 0)) return { low: estimate, high: estimate }
  const half = studentT(CONFIDENCE, df) * Math.sqrt(one + two)
  return { low: estimate - half, high: estimate + half }
}

/** Labels with which the mean of answers like these is known to ± so many points; null where not even all bring that. */
export const labelsOfPlan = (strata: readonly LabelledStratum[], halfWidth: number): number | null => {
  const total = strata.reduce((sum, { all }) => sum + all.length, 0)
  const labels = strata.reduce((sum, stratum) => sum + stratum.labels.length, 0)
  if (strata.some((stratum) => stratum.labels.length < FEWEST)) return null
  const { standardError, likeTheseError } = stratifiedMean(strata, CONFIDENCE)
  if (labels >= total || standardError === 0) return labels
  // The variance of the sample falls as 1/n − 1/N; what all answers leave open stays.
  const residual = standardError ** 2 / (1 / labels - 1 / total)
  const open = likeTheseError ** 2 - standardError ** 2
  const wanted = (halfWidth / normalQuantile((1 + CONFIDENCE) / 2)) ** 2 - open
  const needed = residual / (wanted + residual / total)
  return wanted < 0 || needed > total ? null : Math.ceil(needed)
}
