import { labelsForMean } from '../../statistics/calibration/labels-needed.ts'
import {
  predictionPoweredDifference,
  predictionPoweredMean,
  type Labelled,
  type PredictionPowered,
} from '../../statistics/calibration/prediction-powered.ts'
import { roganGladen, type CorrectedShare } from '../../statistics/calibration/rogan-gladen.ts'
import { pearson } from '../../statistics/agreement/correlation.ts'
import type { Interval } from '../../statistics/intervals/interval.ts'
import { meanOf, squaresOf } from '../../statistics/mean.ts'

/** One judged answer of a model. */
export interface JudgedAnswer {
  readonly instance: string
  /** The jury's mean score. */
  readonly jury: number
  /** Mean of the clinicians' composites; null where nobody rated the answer. */
  readonly label: number | null
  /** What it shares with others, such as a patient. */
  readonly source?: string
}

/** A model's answers in one run. */
export interface JudgedModel {
  readonly run: string
  readonly model: string
  readonly answers: readonly JudgedAnswer[]
}

/** A mean or a difference in points of the rubric, as clinicians would score, and what it rests on. */
export interface CalibratedScore {
  readonly labels: number
  /** Answers that the jury alone scored. */
  readonly unlabelled: number
  /** The jury's own mean over all its answers; null without any. */
  readonly raw: number | null
  /** Null without a label. */
  readonly value: number | null
  /** 95 %, cut to the scale; null with fewer than two labels. */
  readonly interval: Interval | null
  /** How far the jury is believed, 0 to 1; null without a value. */
  readonly lambda: number | null
  readonly reason?: string
}

export interface CalibratedModel extends CalibratedScore {
  readonly run: string
  readonly model: string
  /** Of labels and the jury's scores; null where it is not determined. */
  readonly correlation: number | null
  /** Standard deviation of what the jury leaves unexplained, in points; null with fewer than two labels. */
  readonly unexplained: number | null
  /** Labels for the wished half-width; null where none suffice or too little is known, undefined where none was wished. */
  readonly labelsNeeded?: number | null
  /** The true share of right answers, where the rubric's scale is 0 and 1. */
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

export interface CalibrationOptions {
  readonly scale: readonly [number, number]
  /** In points. */
  readonly halfWidth?: number
}

const CONFIDENCE = 0.95

/**
 * A benchmark's jury scores put right by the answers that clinicians rated: each model by its own labels, so that no
 * model pays for what the jury thinks of another. The labelled answers must be a random draw of the model's.
 */
export const calibrateBenchmark = (
  benchmark: string,
  models: readonly JudgedModel[],
  options: CalibrationOptions,
): Calibration => {
  const labelled = models.flatMap(({ answers }) => answers.filter(({ label }) => label !== null))
  return {
    benchmark,
    scale: options.scale,
    models: models.map((each) => calibrateModel(each, labelled, options)),
    pairs: models.flatMap((a, index) =>
      models.slice(index + 1).map((b) => calibratePair(a, b, options.scale)),
    ),
  }
}

const calibrateModel = (
  { run, model, answers }: JudgedModel,
  allLabelled: readonly JudgedAnswer[],
  { scale, halfWidth }: CalibrationOptions,
): CalibratedModel => {
  const parts = splitAnswers(answers)
  const score = scoreOf(parts, scale, () => predictionPoweredMean(parts, CONFIDENCE))
  const { labels, predictions } = parts
  const r = labels.length < 2 ? NaN : pearson(labels, predictions)
  const correlation = Number.isNaN(r) ? null : r
  const rest = labels.map((label, index) => label - (score.lambda ?? 0) * (predictions[index] ?? NaN))
  return {
    run,
    model,
    ...score,
    correlation,
    unexplained: rest.length < 2 ? null : Math.sqrt(squaresOf(rest) / (rest.length - 1)),
    ...(halfWidth === undefined
      ? {}
      : { labelsNeeded: neededFor(halfWidth, labels, { total: answers.length, correlation }) }),
    ...(isBinary(answers, scale) ? { verdicts: verdictsOf(answers, allLabelled) } : {}),
  }
}

const splitAnswers = (answers: readonly JudgedAnswer[]): Labelled => {
  const rated = answers.flatMap(({ label, ...rest }) => (label === null ? [] : [{ ...rest, label }]))
  const open = answers.filter(({ label }) => label === null)
  const shares = answers.some(({ source }) => source !== undefined)
  return {
    labels: rated.map(({ label }) => label),
    predictions: rated.map(({ jury }) => jury),
    unlabelled: open.map(({ jury }) => jury),
    ...(shares ? { sources: { labelled: rated.map(sourceOf), unlabelled: open.map(sourceOf) } } : {}),
  }
}

/** An answer without a source stands for itself; no source can have its name. */
const sourceOf = ({ instance, source }: Pick<JudgedAnswer, 'instance' | 'source'>): string =>
  source === undefined ? `instance ${instance}` : `source ${source}`

const scoreOf = (
  { labels, predictions, unlabelled }: Labelled,
  [least, most]: readonly [number, number],
  estimate: () => PredictionPowered,
): CalibratedScore => {
  const all = [...predictions, ...unlabelled]
  const counts = {
    labels: labels.length,
    unlabelled: unlabelled.length,
    raw: all.length === 0 ? null : meanOf(all),
  }
  if (labels.length === 0)
    return { ...counts, value: null, interval: null, lambda: null, reason: 'no clinician rated any of them' }
  const { estimate: value, interval, lambda } = estimate()
  const cut = (score: number): number => Math.min(most, Math.max(least, score))
  if (interval === null)
    return {
      ...counts,
      value: cut(value),
      interval,
      lambda,
      reason: labels.length < 2 ? 'one label tells no spread' : 'all labels are of one source',
    }
  // Labels that all differ from the jury alike have no spread, which is no proof that the next one has none.
  if (interval.high - interval.low <= 1e-9 * (most - least))
    return { ...counts, value: cut(value), interval: null, lambda, reason: 'the labels have no spread' }
  return {
    ...counts,
    value: cut(value),
    interval: { low: cut(interval.low), high: cut(interval.high) },
    lambda,
  }
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
  const right = labelled.filter(({ label }) => label === 1)
  const wrong = labelled.filter(({ label }) => label === 0)
  const positive = answers.filter(({ jury }) => jury === 1).length
  return {
    raw: positive / answers.length,
    ...roganGladen(
      {
        positive,
        n: answers.length,
        truePositive: right.filter(({ jury }) => jury === 1).length,
        positivesChecked: right.length,
        trueNegative: wrong.filter(({ jury }) => jury === 0).length,
        negativesChecked: wrong.length,
      },
      CONFIDENCE,
    ),
  }
}

const calibratePair = (
  a: JudgedModel,
  b: JudgedModel,
  [least, most]: readonly [number, number],
): CalibratedPair => {
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
  const range = most - least
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
