import { groupBy } from '../../../cache/lists.ts'
import { shownScale, type RatedJury } from '../../ratings/rubric/rating-rubric.ts'
import { labelsForMean } from '../../statistics/calibration/labels-needed.ts'
import {
  predictionPoweredDifference,
  predictionPoweredMean,
  type Labelled,
  type PredictionPowered,
} from '../../statistics/calibration/prediction-powered.ts'
import { roganGladenOf, type CheckedAnswer } from '../../statistics/calibration/checked-test.ts'
import type { CorrectedShare } from '../../statistics/calibration/rogan-gladen.ts'
import { sourceOf, CONFIDENCE } from '../../statistics/scale.ts'
import { shownScore, type CalibratedScore, type JudgedAnswer } from './calibrated-score.ts'
import { plannedFacts, type PlannedFacts } from './planned-facts.ts'
import { labelsOfPlan, plannedPair, plannedScore, plannedStrata } from './planned-score.ts'
import type { LabelledStratum } from '../../statistics/calibration/stratified-mean.ts'
import { weightedCorrelation, type WeightedPair } from '../../statistics/agreement/weighted-correlation.ts'
import { meanOf, squaresOf, weightedDeviation } from '../../statistics/mean.ts'

/** A model's answers in one run. */
export interface JudgedModel {
  readonly run: string
  readonly model: string
  /** Ids of its instances may be patients' names. */
  readonly isClosed?: boolean
  readonly answers: readonly JudgedAnswer[]
  /** Answers without a score of the jury, as blank ones are: unless given none. */
  readonly unscored?: number
}

export interface CalibratedModel extends CalibratedScore {
  readonly run: string
  readonly model: string
  /** Of labels and the jury's scores; null where it is not determined. */
  readonly correlation: number | null
  /** Standard deviation of what the jury leaves unexplained, in points; null with fewer than two labels. */
  readonly unexplained: number | null
  /** Clinicians who gave the labels. */
  readonly raters: number
  /** Labels for the wished half-width; null where none suffice or too little is known, undefined where none was wished. */
  readonly labelsNeeded?: number | null
  /** Of a planned sample with an interval. */
  readonly facts?: PlannedFacts
  /**
   * The true share of right answers, where the rubric's scale is 0 and 1 and labels are random draws. A plan may draw more
   * of what the jury calls right, or wrong: how often it errs among those is no rate of its errors.
   */
  readonly verdicts?: CorrectedShare & { readonly raw: number }
}

export interface CalibratedPair extends CalibratedScore {
  readonly a: string
  readonly b: string
}

export interface Calibration {
  readonly benchmark: string
  /** `[least, most]` of the rubric. */
  readonly scale: readonly [number, number]
  readonly models: readonly CalibratedModel[]
  /** B − A on the instances that both answered. */
  readonly pairs: readonly CalibratedPair[]
}

/** Further labels whose worth is told, unless asked otherwise. */
export const MORE_LABELS = 20

interface CalibrationOptions {
  readonly scale: readonly [number, number]
  /** In points. */
  readonly halfWidth?: number
  /** Further labels whose worth is told; 20 unless given. */
  readonly more?: number
}

/**
 * A benchmark's jury scores put right by the answers that clinicians rated: each model by its own labels, so that no
 * model pays for what the jury thinks of another. The labelled answers must be a random draw of the model's.
 */
export const calibrateBenchmark = (
  benchmark: string,
  models: readonly JudgedModel[],
  options: CalibrationOptions,
): Calibration => {
  const labelled = models.flatMap(({ answers }) =>
    plannedStrata(answers) === undefined ? answers.filter(({ label }) => label !== null) : [],
  )
  return {
    benchmark,
    scale: options.scale,
    models: models.map((each) => calibrateModel(each, labelled, options)),
    pairs: models.flatMap((a, index) =>
      models.slice(index + 1).map((b) => calibratePair(a, b, options.scale)),
    ),
  }
}

/** A model's answers to a benchmark with its arguments: with other arguments it stands apart. */
export interface JudgedScenario extends JudgedModel {
  readonly scenario: string
  readonly jury: RatedJury
}

export interface CalibratedScenario {
  readonly calibration: Calibration
  /** In the order of the calibration's models. */
  readonly judged: readonly JudgedModel[]
}

/** All benchmarks of a suite, in the order of its runs. */
export const calibrateScenarios = (
  judged: readonly JudgedScenario[],
  options: Omit<CalibrationOptions, 'scale'> = {},
): readonly CalibratedScenario[] =>
  [...groupBy(judged, ({ scenario }) => scenario)].map(([scenario, own]) => ({
    calibration: calibrateBenchmark(scenario, own, { ...options, scale: scaleOf(own) }),
    judged: own,
  }))

/**
 * What clinicians rate by, unless a judge used more of the declared scale. Items of an instance's own rubric give at most 1, and
 * no least score that all instances share: so the least there is.
 */
const scaleOf = (models: readonly JudgedScenario[]): readonly [number, number] => {
  const [first] = models
  if (first === undefined) return [1, 5]
  const { jury } = first
  const given = models.flatMap(({ answers }) =>
    answers.flatMap((each) => [each.jury, each.label ?? each.jury]),
  )
  if (jury.grading === undefined) {
    const shown = shownScale(jury)
    const { least, most } = given.every((score) => score >= shown.least && score <= shown.most)
      ? shown
      : jury.scale
    return [least, most]
  }
  return [given.reduce((least, score) => Math.min(least, score), 0), 1]
}

const calibrateModel = (
  judged: JudgedModel,
  allLabelled: readonly JudgedAnswer[],
  { scale, halfWidth, more = MORE_LABELS }: CalibrationOptions,
): CalibratedModel => {
  const { run, model, answers, unscored = 0 } = judged
  const strata = plannedStrata(answers, scale)
  const parts = splitAnswers(answers)
  const score =
    strata === undefined
      ? scoreOf(parts, scale, () => predictionPoweredMean(parts, CONFIDENCE))
      : plannedScore(strata, answers, scale)
  const { labels } = parts
  const uncovered = (score.uncovered ?? 0) + unscored
  const weighed = weighedLabels(strata ?? [{ ...parts, all: labels }])
  const correlation = weightedCorrelation(weighed)
  const facts = strata && plannedFacts(strata, score, { scale, more })
  const rest = weighed.map(({ a, b, weight }) => ({ value: a - (score.lambda ?? 0) * b, weight }))
  return {
    run,
    model,
    ...score,
    ...(uncovered === 0 ? {} : { uncovered }),
    correlation,
    raters: ratersOf(answers),
    unexplained: rest.length < 2 ? null : weightedDeviation(rest),
    ...(facts && { facts }),
    ...(halfWidth !== undefined && {
      labelsNeeded:
        strata === undefined
          ? neededFor(halfWidth, labels, { total: answers.length, correlation })
          : labelsOfPlan(strata, halfWidth),
    }),
    ...(strata === undefined && isBinary(answers, scale) && { verdicts: verdictsOf(answers, allLabelled) }),
  }
}

const ratersOf = (answers: readonly JudgedAnswer[]): number =>
  new Set(
    answers.flatMap(({ given = [], planned }) =>
      planned?.isDrawn === false ? [] : given.map(({ rater }) => rater),
    ),
  ).size

/** Labels and what the jury says of them, each standing for as many answers as it was drawn among. */
const weighedLabels = (
  strata: readonly Pick<LabelledStratum, 'labels' | 'predictions' | 'all'>[],
): readonly WeightedPair[] =>
  strata.flatMap(({ labels, predictions, all }) =>
    labels.map((a, index) => ({ a, b: predictions[index] ?? NaN, weight: all.length / labels.length })),
  )

const splitAnswers = (answers: readonly JudgedAnswer[]): Labelled => {
  const rated = answers.flatMap(({ label, ...rest }) => (label === null ? [] : [{ ...rest, label }]))
  const open = answers.filter(({ label }) => label === null)
  const shares = answers.some(({ source }) => source !== undefined)
  return {
    labels: rated.map(({ label }) => label),
    predictions: rated.map(({ jury }) => jury),
    unlabelled: open.map(({ jury }) => jury),
    ...(shares ? { sources: { labelled: rated.map(nameOf), unlabelled: open.map(nameOf) } } : {}),
  }
}

const nameOf = ({ instance, source }: Pick<JudgedAnswer, 'instance' | 'source'>): string =>
  sourceOf(instance, source)

const scoreOf = (
  { labels, predictions, unlabelled }: Labelled,
  [least, most]: readonly [number, number],
  estimate: () => PredictionPowered,
): CalibratedScore => {
  const all = [...predictions, ...unlabelled]
  const counts = {
    sample: 'random' as const,
    labels: labels.length,
    unlabelled: unlabelled.length,
    raw: all.length === 0 ? null : meanOf(all),
  }
  if (labels.length === 0)
    return { ...counts, value: null, interval: null, lambda: null, reason: 'no clinician rated any of them' }
  return shownScore(counts, estimate(), [least, most])
}

const neededFor = (
  halfWidth: number,
  labels: readonly number[],
  { total, correlation }: { readonly total: number; readonly correlation: number | null },
): number | null => {
  if (labels.length < 2) return null
  const variance = squaresOf(labels) / (labels.length - 1)
  return variance === 0
    ? null
    : labelsForMean({ total, variance, correlation: correlation ?? 0, halfWidth }, CONFIDENCE)
}

const isBinary = (answers: readonly JudgedAnswer[], [least, most]: readonly [number, number]): boolean =>
  least === 0 &&
  most === 1 &&
  answers.every(({ jury, label }) => [0, 1].includes(jury) && (label === null || [0, 1].includes(label)))

/** How often the jury errs is measured on all models' labels: it is the jury's, not the model's. */
const verdictsOf = (
  answers: readonly JudgedAnswer[],
  labelled: readonly JudgedAnswer[],
): CorrectedShare & { readonly raw: number } => {
  const said = (of: readonly JudgedAnswer[], wanted: number): readonly CheckedAnswer[] =>
    of.map(({ instance, source, jury }) => ({
      isCounted: jury === wanted,
      source: sourceOf(instance, source),
    }))
  const labels = (wanted: number): readonly JudgedAnswer[] => labelled.filter(({ label }) => label === wanted)
  return {
    raw: meanOf(answers.map(({ jury }) => jury)),
    ...roganGladenOf(
      { all: said(answers, 1), right: said(labels(1), 1), wrong: said(labels(0), 0) },
      CONFIDENCE,
    ),
  }
}

const calibratePair = (a: JudgedModel, b: JudgedModel, scale: readonly [number, number]): CalibratedPair => {
  const planned = plannedPair(a.answers, b.answers, scale)
  if (planned !== undefined) return { a: a.model, b: b.model, ...planned }
  const other = new Map(b.answers.map((answer) => [answer.instance, answer]))
  const both = a.answers.flatMap((left) => {
    const right = other.get(left.instance)
    if (right === undefined) return []
    // A label of one of the two says nothing of their difference.
    const whole = left.label !== null && right.label !== null
    return [
      whole
        ? [left, right]
        : [
            { ...left, label: null },
            { ...right, label: null },
          ],
    ]
  })
  const [left, right] = [splitSide(both, 0), splitSide(both, 1)]
  const range = scale[1] - scale[0]
  const difference: Labelled = {
    labels: minus(right.labels, left.labels),
    predictions: minus(right.predictions, left.predictions),
    unlabelled: minus(right.unlabelled, left.unlabelled),
  }
  return {
    a: a.model,
    b: b.model,
    ...scoreOf(difference, [-range, range], () => predictionPoweredDifference(left, right, CONFIDENCE)),
  }
}

const splitSide = (pairs: readonly (readonly JudgedAnswer[])[], side: 0 | 1): Labelled =>
  splitAnswers(pairs.flatMap((pair) => pair[side] ?? []))

const minus = (left: readonly number[], right: readonly number[]): readonly number[] =>
  left.map((value, index) => value - (right[index] ?? NaN))
