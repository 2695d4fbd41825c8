import { LEAST_SOURCES, isFlat } from '../resampling/jackknife.ts'
import { drawSources, itemsBySource, randomKey, RandomStream } from '../resampling/random-stream.ts'
import { percentile } from '../resampling/percentiles.ts'
import { canonicalOrder } from './canonical-order.ts'
import type { RatedAnswers } from './rated-answers.ts'
import { prepareRatings, weightedAgreement, type AgreementFigures } from './weighted-agreement.ts'

/** Lower quartile, median, upper quartile. */
export type Quartiles = readonly [number, number, number]

/** Null where no draw has a value. */
export interface DrawnFigure {
  readonly quartiles: Quartiles
  /** The middle of the draws at the confidence asked for; null where more than 5 % have no value, or none differs. */
  readonly interval: { readonly low: number; readonly high: number } | null
  /** 0 to 1. */
  readonly withoutValue: number
}

export interface AgreementDraws {
  readonly draws: number
  /** What the answers come from: as many are drawn. Too few tell too little of the spread, so no figure has an interval then. */
  readonly sources: number
  readonly jury: DrawnFigure | null
  readonly clinicians: DrawnFigure | null
  /** Jury minus clinicians. */
  readonly difference: DrawnFigure | null
  readonly spearman: DrawnFigure | null
  readonly kappa: DrawnFigure | null
  readonly alpha: DrawnFigure | null
  readonly icc1: DrawnFigure | null
  readonly icc2: DrawnFigure | null
  /** Share of all draws without a difference. */
  readonly withoutValue: number
  /** Share of all draws in which the jury agrees better with clinicians than these with each other. */
  readonly aboveZero: number
}

/** Draws without a value beyond this share say that a few items decide all: no interval then. */
export const MOST_WITHOUT_VALUE = 0.05

/** Enough for quartiles to stand still where few pairs of raters decide. */
export const AGREEMENT_DRAWS = 10_000

/**
 * The pigeonhole bootstrap (Owen 2007): what the answers come from and raters are drawn independently, each as many as
 * there are, with replacement, since both are samples. A source is drawn with all its answers. The same for the same
 * scores, whatever raters, answers and sources are called.
 */
export const bootstrapAgreement = (
  rated: RatedAnswers,
  { draws, confidence }: { readonly draws: number; readonly confidence: number },
): AgreementDraws => {
  const ordered = canonicalOrder(rated)
  const key = randomKey('agreement of answers and raters')
  const prepared = prepareRatings(ordered)
  const sources = itemsBySource(ordered.jury.length, ordered.sources)
  const ownRater = itemsBySource(ordered.scores.length, undefined)
  const figures = Array.from({ length: draws }, (_, draw) => {
    const stream = new RandomStream(key, draw)
    const answers = drawSources(sources, ordered.jury.length, stream)
    const raters = drawSources(ownRater, ordered.scores.length, stream)
    return weightedAgreement(ordered, { answers, raters }, prepared)
  })
  const differences = figures.map(differenceOf)
  const drawn = (values: readonly (number | null)[]): DrawnFigure | null => {
    const figure = figureOf(values, confidence)
    return sources.length < LEAST_SOURCES && figure !== null ? { ...figure, interval: null } : figure
  }
  return {
    draws,
    sources: sources.length,
    jury: drawn(figures.map(({ jury }) => jury)),
    clinicians: drawn(figures.map(({ clinicians }) => clinicians)),
    difference: drawn(differences),
    spearman: drawn(figures.map(({ spearman }) => spearman)),
    kappa: drawn(figures.map(({ kappa }) => kappa)),
    alpha: drawn(figures.map(({ alpha }) => alpha)),
    icc1: drawn(figures.map(({ icc1 }) => icc1)),
    icc2: drawn(figures.map(({ icc2 }) => icc2)),
    withoutValue: share(differences, (value) => value === null),
    aboveZero: share(differences, (value) => value !== null && value > 0),
  }
}

export const differenceOf = (of: Pick<AgreementFigures, 'jury' | 'clinicians'>): number | null =>
  of.jury === null || of.clinicians === null ? null : of.jury - of.clinicians

const figureOf = (values: readonly (number | null)[], confidence: number): DrawnFigure | null => {
  const known = Float64Array.from(values.filter((value) => value !== null)).sort()
  if (known.length === 0) return null
  const withoutValue = 1 - known.length / values.length
  const tail = (1 - confidence) / 2
  const interval = { low: percentile(known, tail), high: percentile(known, 1 - tail) }
  return {
    quartiles: [percentile(known, 0.25), percentile(known, 0.5), percentile(known, 0.75)],
    interval: withoutValue > MOST_WITHOUT_VALUE || isFlat(interval) ? null : interval,
    withoutValue,
  }
}

const share = <T>(values: readonly T[], holds: (value: T) => boolean): number =>
  values.filter(holds).length / values.length
