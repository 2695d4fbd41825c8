import { sourceOf, CONFIDENCE } from '../../statistics/scale.ts'
import { labelsForStratified } from '../../statistics/calibration/labels-needed.ts'
import { stratifiedDifference } from '../../statistics/calibration/stratified-difference.ts'
import { stratifiedMean, type LabelledStratum } from '../../statistics/calibration/stratified-mean.ts'
import { mergeSmall } from '../../statistics/calibration/merge-small.ts'
import { meanOf } from '../../statistics/mean.ts'
import { cutToScale, shownScore, type CalibratedScore, type JudgedAnswer } from './calibrated-score.ts'

/** Fewer labels tell no spread: strata are put together until each has as many. */
const FEWEST = 2

/**
 * The strata of a planned sample, in their order; undefined where no plan drew among these answers. One with fewer than
 * two labels yet is put together with its neighbour.
 *
 * @param scale of the labels: where all are one of its two points, an answer is right or wrong
 */
export const plannedStrata = (
  answers: readonly JudgedAnswer[],
  scale?: readonly [number, number],
): readonly LabelledStratum[] | undefined => {
  if (answers.length === 0 || answers.some(({ planned }) => planned === undefined)) return undefined
  const numbers = [...new Set(answers.map(({ planned }) => planned?.stratum ?? 0))].toSorted((a, b) => a - b)
  const strata = numbers.map((number): LabelledStratum => {
    const own = answers.filter(({ planned }) => planned?.stratum === number)
    const drawn = own.filter(({ planned, label }) => planned?.isDrawn === true && label !== null)
    return {
      labels: drawn.map(({ label }) => label ?? NaN),
      predictions: drawn.map(({ jury }) => jury),
      all: own.map(({ jury }) => jury),
      sources: { labelled: drawn.map(nameOf), all: own.map(nameOf) },
    }
  })
  const isBinary =
    scale !== undefined &&
    scale[1] - scale[0] === 1 &&
    strata.every(({ labels }) => labels.every((label) => scale.includes(label)))
  const told = isBinary ? strata.map((stratum) => ({ ...stratum, ends: scale })) : strata
  return mergeSmall(told, ({ labels }) => labels.length >= FEWEST, joined)
}

const nameOf = ({ instance, source }: JudgedAnswer): string => sourceOf(instance, source)

const joined = (a: LabelledStratum, b: LabelledStratum): LabelledStratum => ({
  ...a,
  labels: [...a.labels, ...b.labels],
  predictions: [...a.predictions, ...b.predictions],
  all: [...a.all, ...b.all],
  ...(a.sources &&
    b.sources && {
      sources: {
        labelled: [...a.sources.labelled, ...b.sources.labelled],
        all: [...a.sources.all, ...b.sources.all],
      },
    }),
})

/** What clinicians would give, from the labels that a plan drew. */
export const plannedScore = (
  strata: readonly LabelledStratum[],
  answers: readonly JudgedAnswer[],
  scale: readonly [number, number],
): CalibratedScore => {
  const outside = answers.filter(({ label, planned }) => label !== null && planned?.isDrawn !== true).length
  const counts = {
    sample: 'planned' as const,
    ...countsOf(strata, answers),
    ...(outside === 0 ? {} : { outside }),
  }
  if (counts.labels === 0)
    return { ...counts, value: null, interval: null, lambda: null, reason: 'no clinician rated any of them' }
  const { estimate, lambda, interval, likeThese } = stratifiedMean(strata, CONFIDENCE)
  return {
    ...shownScore(counts, { estimate, lambda, interval: likeThese }, scale),
    ...(likeThese === null && counts.labels > 1 ? { reason: TOO_FEW } : {}),
    onThese: interval && cutToScale(interval, scale),
  }
}

/**
 * B − A from two planned samples. Undefined unless both are planned.
 */
export const plannedPair = (
  a: readonly JudgedAnswer[],
  b: readonly JudgedAnswer[],
  scale: readonly [number, number],
): CalibratedScore | undefined => {
  const [left, right] = [plannedStrata(a, scale), plannedStrata(b, scale)]
  if (left === undefined || right === undefined) return undefined
  const [one, two] = [countsOf(left, a), countsOf(right, b)]
  const counts = {
    sample: 'planned' as const,
    labels: Math.min(one.labels, two.labels),
    unlabelled: Math.min(one.unlabelled, two.unlabelled),
    raw: two.raw - one.raw,
  }
  if (one.labels === 0 || two.labels === 0)
    return {
      ...counts,
      value: null,
      interval: null,
      lambda: null,
      reason: 'no clinician rated one of the two',
    }
  const found = stratifiedDifference(left, right, CONFIDENCE)
  const range = scale[1] - scale[0]
  // The slope is each model's own.
  return {
    ...shownScore(counts, { ...found, lambda: 0 }, [-range, range]),
    ...(found.interval === null && counts.labels > 1 ? { reason: TOO_FEW } : {}),
    lambda: null,
  }
}

const countsOf = (strata: readonly LabelledStratum[], answers: readonly JudgedAnswer[]) => {
  const labels = strata.reduce((sum, stratum) => sum + stratum.labels.length, 0)
  return { labels, unlabelled: answers.length - labels, raw: meanOf(answers.map(({ jury }) => jury)) }
}

const TOO_FEW = 'too few labels for its strata'

/** Labels with which the mean of answers like these is known to ± so many points; null where not even all bring that. */
export const labelsOfPlan = (strata: readonly LabelledStratum[], halfWidth: number): number | null =>
  strata.some(({ labels }) => labels.length < FEWEST)
    ? null
    : labelsForStratified(strata, halfWidth, CONFIDENCE)
