import { formatLack } from '../../../cache/words/number-text.ts'
import {
  AGREEMENT_DRAWS,
  bootstrapAgreement,
  differenceOf,
  MOST_WITHOUT_VALUE,
  type AgreementDraws,
  type DrawnFigure,
  type Quartiles,
} from '../../statistics/agreement/agreement-bootstrap.ts'
import { alternativeAnnotatorTest, ANNOTATOR_TEST } from '../../statistics/agreement/alternative-annotator.ts'
import { clinicianMeans } from '../../statistics/agreement/clinician-means.ts'
import { juryBias } from '../../statistics/agreement/jury-bias.ts'
import { kappaWithJury } from '../../statistics/agreement/kappa-with-jury.ts'
import { onceEach, type RatedAnswers } from '../../statistics/agreement/rated-answers.ts'
import { pairIcc, raterPairs } from '../../statistics/agreement/rater-pairs.ts'
import { LEAST_SOURCES, NO_AGREEMENT_INTERVAL } from '../../statistics/resampling/jackknife.ts'
import { weightedAgreement } from '../../statistics/agreement/weighted-agreement.ts'
import type { Interval } from '../../statistics/intervals/wilson.ts'
import { publishedAgreement, type CompositeRule, type PublishedAgreement } from '../published-agreement.ts'
import { namedRatings, type NamedRatings } from '../rated-answers.ts'
import type { DrawnShares } from '../../ratings/draw/drawn-shares.ts'
import type { Rating } from './ratings.ts'
import { CONFIDENCE } from '../../statistics/scale.ts'

/** An estimate; null where the data do not determine it. */
export interface AgreementEstimate {
  readonly value: number | null
  /** 95 %, over draws of what the answers come from and of raters together. */
  readonly interval: Interval | null
  /** Why there is no value, or no interval. */
  readonly reason?: string
}

/** How a jury, or another metric, agrees with the clinicians' mean. */
export interface ScoreAgreement {
  /** `jury`, or the metric. */
  readonly name: string
  readonly answers: number
  /** ICC(3,k), k = 2, of the clinicians' mean and the scores, each standardized. */
  readonly icc: AgreementEstimate
  readonly spearman: AgreementEstimate
  /** Its ICC less the clinicians' own. */
  readonly lead: AgreementEstimate & {
    readonly quartiles: Quartiles | null
    /** Share of all draws, 0 to 1. */
    readonly withoutValue: number
    readonly aboveZero: number
  }
  /** Of the clinicians' mean and the jury, both rounded to whole points; of a jury alone. */
  readonly kappa?: AgreementEstimate
  /** How many points it gives more than the clinicians' mean, and where single answers' differences lie; of a jury alone. */
  readonly bias?: AgreementEstimate & { readonly limits: Interval | null }
  /** As the paper prints it, by its script or by its text, with its intervals, which take in the answers alone. */
  readonly published: PublishedAgreement | null
}

export interface RaterAgreement {
  /** Mean over pairs of ICC(3,k): what a jury is held to. */
  readonly icc: AgreementEstimate
  readonly pairs: readonly {
    readonly raters: readonly [string, string]
    readonly common: number
    readonly icc: number | null
  }[]
  /** Quadratic weights, mean over pairs; of single criteria alone, as composites are no whole points. */
  readonly kappa: AgreementEstimate
  /** Krippendorff's α for interval data. */
  readonly alpha: AgreementEstimate
  /** ICC(1,1) and ICC(2,1) of one raw score, raters being a sample. */
  readonly icc1: AgreementEstimate
  readonly icc2: AgreementEstimate
}

export interface Replacement {
  readonly epsilon: number
  readonly raters: readonly {
    readonly rater: string
    readonly n: number
    readonly p: number | null
    readonly advantage: number | null
    readonly rejected: boolean
  }[]
  readonly winningRate: number | null
  readonly advantage: number | null
  readonly passes: boolean | null
  readonly reason?: string
}

export interface Agreement {
  /** A benchmark, or `pooled` for all together. */
  readonly name: string
  readonly rule: CompositeRule
  readonly raters: number
  readonly ratings: number
  readonly answers: number
  /** Where a plan drew unequal shares of the answers: each counts once all the same. */
  readonly drawn?: DrawnShares
  readonly clinicians: RaterAgreement
  /** Null where the ratings come without a jury. */
  readonly jury: ScoreAgreement | null
  readonly metrics: readonly ScoreAgreement[]
  /** The alternative annotator test: may the jury take a clinician's place? */
  readonly replacement: Replacement | null
  /** The same by criterion and by model, where there are several; of the jury alone. Absent for what is pooled. */
  readonly parts?: readonly (Agreement & { readonly by: 'criterion' | 'model' })[]
}

/** Name of what is said of several benchmarks together. */
export const POOLED = 'pooled'

/** Agreement per benchmark, by name, then of all together where there are several. */
export const measureAgreement = (
  ratings: readonly Rating[],
  rule: CompositeRule = 'text',
  draws = AGREEMENT_DRAWS,
): readonly Agreement[] => {
  const names = [...new Set(ratings.map(({ benchmark }) => benchmark))].toSorted()
  const each = names.map((name) => {
    const own = ratings.filter(({ benchmark }) => benchmark === name)
    const parts = partsOf(own).map(([by, part, of]) => ({ by, ...agreementOf(part, of, { rule, draws }) }))
    return { ...agreementOf(name, own, { rule, draws }), ...(parts.length > 0 && { parts }) }
  })
  return names.length < 2 ? each : [...each, agreementOf(POOLED, ratings, { rule, draws })]
}

type Part = readonly [by: 'criterion' | 'model', name: string, ratings: readonly Rating[]]

const partsOf = (given: readonly Rating[]): readonly Part[] => {
  const ratings = given.map((rating) => ({ ...rating, metrics: new Map<string, number>() }))
  const toldOf = ratings.map((rating) => ({ ...rating, isShared: false }))
  const criteria = several(ratings.flatMap((rating) => rating.criteria ?? []))
  const models = several(ratings.map(({ model }) => model)).toSorted()
  return [
    ...criteria.map((name): Part => ['criterion', name, ratings.flatMap((each) => ofCriterion(each, name))]),
    ...models.map((name): Part => ['model', name, toldOf.filter(({ model }) => model === name)]),
  ]
}

/** One alone would say what the whole says. */
const several = (names: readonly string[]): readonly string[] => {
  const found = [...new Set(names)]
  return found.length > 1 ? found : []
}

/** Empty where the rater could not judge it. */
const ofCriterion = (rating: Rating, name: string): readonly Rating[] => {
  const at = rating.criteria?.indexOf(name) ?? -1
  const score = rating.scores[at]
  const jury = rating.juryBy === undefined ? rating.jury[at] : rating.juryBy.get(name)
  if (score === undefined) return []
  const { juryBy: _, ...rest } = rating
  return [{ ...rest, criteria: [name], scores: [score], jury: jury === undefined ? [] : [jury] }]
}

/** Agreement of some ratings as a whole. */
export const agreementOf = (
  name: string,
  given: readonly Rating[],
  { rule = 'text', draws = AGREEMENT_DRAWS }: { readonly rule?: CompositeRule; readonly draws?: number } = {},
): Agreement => {
  const ratings = given.filter(({ isShared }) => isShared !== true)
  const named = namedRatings(ratings)
  const hasJury = named.rated.jury.some((score) => score !== null)
  const drawn = draw(named.rated, draws)
  const metrics = [...new Set(ratings.flatMap((rating) => [...rating.metrics.keys()]))].toSorted()
  return {
    name,
    rule,
    raters: named.raters.length,
    ratings: ratings.length,
    answers: named.answers.length,
    clinicians: raterAgreement(named, drawn),
    jury: hasJury
      ? {
          ...scoreAgreement('jury', named.rated, drawn, rule),
          kappa: kappaOf(named.rated),
          bias: biasOf(named.rated),
        }
      : null,
    metrics: metrics.map((metric) => {
      const { rated } = namedRatings(ratings, metric)
      return scoreAgreement(metric, rated, draw(rated, draws), rule)
    }),
    replacement: hasJury ? replacementOf(named) : null,
  }
}

const draw = (rated: RatedAnswers, draws: number): AgreementDraws =>
  bootstrapAgreement(rated, { draws, confidence: CONFIDENCE })

/** A value with its interval, or with the reason why it is withheld. */
const estimate = (
  value: number | null,
  drawn: DrawnFigure | null,
  undetermined: string,
): AgreementEstimate => {
  if (value === null) return { value, interval: null, reason: undetermined }
  if (drawn === null) return { value, interval: null, reason: 'no draw of answers and raters has a value' }
  const { interval, withoutValue } = drawn
  return interval === null ? { value, interval, reason: withheldReason(withoutValue) } : { value, interval }
}

const withheldReason = (withoutValue: number): string =>
  withoutValue > MOST_WITHOUT_VALUE
    ? `${formatLack(withoutValue)} of the draws of answers and raters have no value, ` +
      `more than ${100 * MOST_WITHOUT_VALUE} %`
    : `all draws are alike, or of fewer than ${LEAST_SOURCES} sources`

/** Draws are of z-scores alone, so they say nothing of the script's mixture. */
const asScript = (value: number | null, _: DrawnFigure | null, undetermined: string): AgreementEstimate => ({
  value,
  interval: null,
  reason: value === null ? undetermined : "draws follow the text's rule, not the script's",
})

const NO_PAIR = 'no two clinicians with spread rated two answers in common'
const NOT_TWICE = 'no answer was rated twice, or all scores are alike'
const NO_SPREAD = 'fewer than two answers, or all scores of one side are alike'

const raterAgreement = ({ raters, rated }: NamedRatings, drawn: AgreementDraws): RaterAgreement => {
  const figures = weightedAgreement(rated, onceEach(rated))
  return {
    icc: estimate(figures.clinicians, drawn.clinicians, NO_PAIR),
    pairs: raterPairs(rated).map((pair) => ({
      raters: [raters[pair.raters[0]] ?? '', raters[pair.raters[1]] ?? ''],
      common: pair.common.length,
      icc: pairIcc(pair),
    })),
    kappa: estimate(figures.kappa, drawn.kappa, 'composites are no whole points, or no pair has a value'),
    alpha: estimate(figures.alpha, drawn.alpha, NOT_TWICE),
    icc1: estimate(figures.icc1, drawn.icc1, NOT_TWICE),
    icc2: estimate(figures.icc2, drawn.icc2, NOT_TWICE),
  }
}

const scoreAgreement = (
  name: string,
  rated: RatedAnswers,
  drawn: AgreementDraws,
  rule: CompositeRule,
): ScoreAgreement => {
  const { clinicians, jury, spearman } = weightedAgreement(rated, onceEach(rated))
  const pairs = clinicianMeans(rated, onceEach(rated))
  const published = publishedAgreement(pairs, rule, CONFIDENCE)
  const icc = rule === 'text' ? jury : (published?.icc ?? null)
  const shown = rule === 'text' ? estimate : asScript
  return {
    name,
    answers: pairs.length,
    icc: shown(icc, drawn.jury, NO_SPREAD),
    spearman: estimate(spearman, drawn.spearman, NO_SPREAD),
    lead: {
      ...shown(
        differenceOf({ jury: icc, clinicians }),
        drawn.difference,
        clinicians === null ? NO_PAIR : NO_SPREAD,
      ),
      quartiles: (drawn.sources < LEAST_SOURCES ? null : drawn.difference?.quartiles) ?? null,
      withoutValue: drawn.withoutValue,
      aboveZero: drawn.aboveZero,
    },
    published,
  }
}

const kappaOf = (rated: RatedAnswers): AgreementEstimate => {
  const found = kappaWithJury(rated, CONFIDENCE)
  if (found === null) return { value: null, interval: null, reason: `${NO_SPREAD}, or shares of points` }
  return found.interval === null ? { ...found, reason: NO_AGREEMENT_INTERVAL } : found
}

const biasOf = (rated: RatedAnswers): NonNullable<ScoreAgreement['bias']> => {
  const found = juryBias(rated, CONFIDENCE)
  if (found === null) return { value: null, interval: null, limits: null, reason: 'no answer has both' }
  return found.interval === null
    ? { ...found, reason: 'the answers come of one source, or differ by the same everywhere' }
    : found
}

const replacementOf = ({ raters, rated }: NamedRatings): Replacement => {
  const found = alternativeAnnotatorTest(rated, ANNOTATOR_TEST)
  return {
    epsilon: ANNOTATOR_TEST.epsilon,
    ...found,
    raters: found.raters.map((each, index) => ({ rater: raters[index] ?? '', ...each })),
    ...(found.passes === null && {
      reason: `no clinician has ${ANNOTATOR_TEST.least} answers, of two sources, that another one rated, too`,
    }),
  }
}
