import { sourceOf, CONFIDENCE } from '../../statistics/scale.ts'
import { labelsForStratified } from '../../statistics/calibration/labels-needed.ts'
import { stratifiedDifference } from '../../statistics/calibration/stratified-difference.ts'
import { stratifiedMean, type LabelledStratum } from '../../statistics/calibration/stratified-mean.ts'
import { mergeSmall } from '../../statistics/calibration/merge-small.ts'
import { meanOf } from '../../statistics/mean.ts'
import { groupBy } from '../../../cache/lists.ts'
import { areUnequal } from '../../ratings/draw/drawn-shares.ts'
import { cutToScale, shownScore, type CalibratedScore, type JudgedAnswer } from './calibrated-score.ts'

/** A stratum of a plan, or several that were put together. */
export interface PlannedStratum extends LabelledStratum {
  /** By label. */
  readonly given: readonly NonNullable<JudgedAnswer['given']>[]
  readonly weights: readonly number[]
  /** How many answers one that is to be rated stands for, by stratum of the plan. */
  readonly standsFor: readonly number[]
}

/**
 * The strata of a planned sample, in their order, as far as its labels speak for them; undefined where no plan drew among these
 * answers. One with fewer than two labels yet is put together with its neighbour of the same wave.
 *
 * @param scale of the labels: where all are one of its two points, an answer is right or wrong
 */
export const plannedStrata = (
  answers: readonly JudgedAnswer[],
  scale?: readonly [number, number],
): readonly PlannedStratum[] | undefined => {
  if (answers.length === 0 || answers.some(({ planned }) => planned === undefined)) return undefined
  const waves = inOrder(coveredAnswers(answers), 'wave').map((own) => inOrder(own, 'stratum').map(stratumOf))
  const isBinary =
    scale !== undefined &&
    scale[1] - scale[0] === 1 &&
    waves.flat().every(({ labels }) => labels.every((label) => scale.includes(label)))
  return waves.flatMap((strata) => {
    const told = isBinary ? strata.map((stratum) => ({ ...stratum, ends: scale })) : strata
    return mergeSmall(told, isEnough, joined)
  })
}

/** Answers by their number of one kind, in its order. */
const inOrder = (
  answers: readonly JudgedAnswer[],
  kind: 'wave' | 'stratum',
): readonly (readonly JudgedAnswer[])[] =>
  [...groupBy(answers, ({ planned }) => String(planned?.[kind] ?? 0))]
    .toSorted(([a], [b]) => Number(a) - Number(b))
    .map(([, own]) => own)

const stratumOf = (own: readonly JudgedAnswer[]): PlannedStratum => {
  const drawn = own.filter(isLabelled)
  const each = own.length / own.filter(({ planned }) => planned?.isDrawn === true).length
  return {
    standsFor: [each],
    weights: drawn.map(() => each),
    given: drawn.map(({ given = [] }) => given),
    labels: drawn.map(({ label }) => label ?? NaN),
    predictions: drawn.map(({ jury }) => jury),
    all: own.map(({ jury }) => jury),
    sources: { labelled: drawn.map(nameOf), all: own.map(nameOf) },
  }
}

/** Fewer labels tell no spread, but where they are all there is. */
const isEnough = ({ labels, all }: LabelledStratum): boolean => labels.length >= Math.min(FEWEST, all.length)

const nameOf = ({ instance, source }: JudgedAnswer): string => sourceOf(instance, source)

const joined = (a: PlannedStratum, b: PlannedStratum): PlannedStratum => ({
  ...a,
  standsFor: [...a.standsFor, ...b.standsFor],
  weights: [...a.weights, ...b.weights],
  given: [...a.given, ...b.given],
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
  strata: readonly PlannedStratum[],
  answers: readonly JudgedAnswer[],
  scale: readonly [number, number],
): CalibratedScore => {
  const outside = answers.filter(({ label, planned }) => label !== null && planned?.isDrawn !== true).length
  const own = countsOf(strata)
  const uncovered = answers.length - own.labels - own.unlabelled
  const counts = {
    sample: 'planned' as const,
    ...own,
    ...(outside === 0 ? {} : { outside }),
    ...(uncovered === 0 ? {} : { uncovered }),
  }
  if (counts.labels === 0)
    return { ...counts, value: null, interval: null, lambda: null, reason: 'no clinician rated any of them' }
  const { estimate, lambda, ...intervals } = stratifiedMean(strata, CONFIDENCE)
  const likeThese = areAlike(strata) ? intervals.likeThese : null
  const onThese = areAlike(strata) ? intervals.interval : null
  return {
    ...shownScore(counts, { estimate, lambda, interval: likeThese }, scale),
    ...(likeThese === null && counts.labels > 1 ? { reason: TOO_FEW } : {}),
    // Labels without a spread tell nothing of the next one.
    onThese:
      onThese && (onThese.low < onThese.high || own.unlabelled === 0) ? cutToScale(onThese, scale) : null,
  }
}

/**
 * B − A on the instances that both samples speak for, each with the weights of its own draw: a sample that no plan drew is
 * one stratum. Undefined unless a plan drew one of them.
 */
export const plannedPair = (
  a: readonly JudgedAnswer[],
  b: readonly JudgedAnswer[],
  scale: readonly [number, number],
): CalibratedScore | undefined => {
  const planned = [a, b].filter((answers) => plannedStrata(answers) !== undefined).length
  if (planned === 0) return undefined
  const [ofA, ofB] = coveredByBoth(a, b)
  const [left, right] = [plannedStrata(ofA, scale) ?? [], plannedStrata(ofB, scale) ?? []]
  const [one, two] = [countsOf(left), countsOf(right)]
  const counts = {
    sample: planned === 2 ? ('planned' as const) : ('mixed' as const),
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
  const { estimate, ...found } = stratifiedDifference(left, right, CONFIDENCE)
  const interval = areAlike([...left, ...right]) ? found.interval : null
  const range = scale[1] - scale[0]
  // The slope is each model's own.
  return {
    ...shownScore(counts, { estimate, interval, lambda: 0 }, [-range, range]),
    ...(interval === null && counts.labels > 1 ? { reason: TOO_FEW } : {}),
    lambda: null,
  }
}

/** The answers of both to instances that either's labels speak for. */
const coveredByBoth = (
  a: readonly JudgedAnswer[],
  b: readonly JudgedAnswer[],
): readonly [readonly JudgedAnswer[], readonly JudgedAnswer[]] => {
  const shared = (of: readonly JudgedAnswer[], other: readonly JudgedAnswer[]): readonly JudgedAnswer[] => {
    const instances = new Set(other.map(({ instance }) => instance))
    return coveredAnswers(of.filter(({ instance }) => instances.has(instance)).map(asDrawn))
  }
  const [one, two] = [shared(a, b), shared(b, a)]
  // Without an instance a wave may have too few labels left.
  return one.length < a.length || two.length < b.length ? coveredByBoth(one, two) : [one, two]
}

/** A random draw of all is a plan of one stratum. */
const asDrawn = (answer: JudgedAnswer): JudgedAnswer => ({
  ...answer,
  planned: answer.planned ?? { stratum: 0, isDrawn: answer.label !== null },
})

const countsOf = (strata: readonly LabelledStratum[]) => {
  const all = strata.flatMap((stratum) => stratum.all)
  const labels = strata.reduce((sum, stratum) => sum + stratum.labels.length, 0)
  return { labels, unlabelled: all.length - labels, raw: all.length === 0 ? null : meanOf(all) }
}

const TOO_FEW = 'too few labels for its strata'

/**
 * Whether strata that were put together were drawn in like shares. Where they were not, labels of one are few that stand for
 * many, and those of another say nothing of them: in made-up studies of 40 labels, half of the plan, intervals over such
 * strata held the truth in .83 to .92 of cases.
 */
const areAlike = (strata: readonly PlannedStratum[]): boolean =>
  strata.every(({ standsFor }) => !areUnequal(standsFor))

/** Labels with which the mean of answers like these is known to ± so many points; null where not even all bring that. */
export const labelsOfPlan = (strata: readonly LabelledStratum[], halfWidth: number): number | null =>
  strata.some((stratum) => !isEnough(stratum)) ? null : labelsForStratified(strata, halfWidth, CONFIDENCE)

/** Fewer labels tell no spread. */
const FEWEST = 2

/**
 * The answers of a planned sample that its labels speak for: those of each wave of the draw with two labels, or with all. What
 * came later is like what was there before for nobody knows; where no wave has as many, those of waves with a label.
 */
const coveredAnswers = (answers: readonly JudgedAnswer[]): readonly JudgedAnswer[] => {
  const waves = [...groupBy(answers, ({ planned }) => String(planned?.wave ?? 0)).values()].map((own) => ({
    own,
    labels: own.filter(isLabelled).length,
  }))
  const known = waves.filter(({ own, labels }) => labels >= Math.min(FEWEST, own.length))
  const begun = waves.filter(({ labels }) => labels > 0)
  const chosen = [known, begun, waves].find(({ length }) => length > 0)
  const all = new Set(chosen?.flatMap(({ own }) => own))
  return answers.filter((answer) => all.has(answer))
}

/** Whether the plan drew it and it was rated. */
const isLabelled = ({ planned, label }: JudgedAnswer): boolean => planned?.isDrawn === true && label !== null
