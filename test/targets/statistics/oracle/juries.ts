import { readFileSync } from 'node:fs'
import { csvTable } from '../../../../benchmarks/sources/csv/csv-table.ts'
import { namedRatings, type NamedRatings } from '../../../../targets/jury/rated-answers.ts'
import { readRatings } from '../../../../targets/jury/study/ratings.ts'
import {
  AGREEMENT_DRAWS,
  bootstrapAgreement,
  differenceOf,
} from '../../../../targets/statistics/agreement/agreement-bootstrap.ts'
import {
  alternativeAnnotatorTest,
  type Nearness,
} from '../../../../targets/statistics/agreement/alternative-annotator.ts'
import { pairIcc, raterPairs } from '../../../../targets/statistics/agreement/rater-pairs.ts'
import { onceEach } from '../../../../targets/statistics/agreement/rated-answers.ts'
import { weightedAgreement } from '../../../../targets/statistics/agreement/weighted-agreement.ts'
import { labelsForMean } from '../../../../targets/statistics/calibration/labels-needed.ts'
import { normalInterval } from '../compared/normal-interval.ts'
import { answersForIcc } from '../compared/answers-for-icc.ts'
import { neymanAllocation } from '../../../../targets/statistics/calibration/neyman.ts'
import {
  predictionPoweredDifference,
  predictionPoweredMean,
  type PredictionPowered,
} from '../../../../targets/statistics/calibration/prediction-powered.ts'
import { roganGladen } from '../../../../targets/statistics/calibration/rogan-gladen.ts'
import { gStudy } from '../../../../targets/statistics/judges/g-study.ts'
import { selfPreference } from '../../../../targets/statistics/judges/self-preference.ts'
import { shared } from '../../../rig/shared.ts'
import { method, type Methods } from './method.ts'

type Scores = Readonly<Record<string, number>>

/** Ratings by rater and answer, or a file of them, relative to the reference's folder. */
interface Rated {
  readonly file?: string
  readonly ratings?: Readonly<Record<string, Scores>>
  readonly jury?: Scores
}

const tableOf = ({ file, ratings = {}, jury = {} }: Rated): NamedRatings => {
  if (file !== undefined) {
    const path = shared(file)
    if (path === undefined) throw new RangeError(`there is no ${file}`)
    const named = namedRatings(
      readRatings(csvTable(readFileSync(path, 'utf8'), 'strict', path), { automatic: [] }),
    )
    return { ...named, answers: named.answers.map((answer) => (JSON.parse(answer) as string[]).join('|')) }
  }
  const raters = Object.keys(ratings)
  const answers = [
    ...new Set([...Object.keys(jury), ...raters.flatMap((rater) => Object.keys(ratings[rater] ?? {}))]),
  ]
  return {
    raters,
    answers,
    rated: {
      scores: raters.map((rater) => answers.map((answer) => ratings[rater]?.[answer] ?? null)),
      jury: answers.map((answer) => jury[answer] ?? null),
    },
  }
}

const ppi = (found: PredictionPowered, confidence: number) => ({
  lam: found.lambda,
  estimate: found.estimate,
  se: found.standardError,
  ...normalInterval(found, confidence),
  t_low: found.interval?.low ?? null,
  t_high: found.interval?.high ?? null,
})

interface Predicted {
  readonly labels: number[]
  readonly predictions: number[]
  readonly unlabelled: number[]
  readonly confidence: number
}

const components = ({ answerJudge, ...rest }: { readonly answerJudge: number }) => ({
  ...rest,
  answer_judge: answerJudge,
})

/** Juries and clinicians: agreement, alternative annotator, prediction-powered means, labels, self-preference. */
export const JURIES: Methods = {
  'agreement.pairwise_icc': method<Rated>((input) => {
    const { raters, rated } = tableOf(input)
    const figures = weightedAgreement(rated, onceEach(rated))
    return {
      clinicians: figures.clinicians,
      pairs: raterPairs(rated).map((pair) => ({
        raters: pair.raters.map((rater) => raters[rater]),
        common: pair.common.length,
        icc: pairIcc(pair),
      })),
      jury: figures.jury,
      difference: differenceOf(figures),
    }
  }),
  'agreement.weighted': method<Rated & { answer_weight: Scores; rater_weight: Scores }>((input) => {
    const { raters, answers, rated } = tableOf(input)
    return weightedAgreement(rated, {
      answers: answers.map((answer) => input.answer_weight[answer] ?? 0),
      raters: raters.map((rater) => input.rater_weight[rater] ?? 0),
    })
  }),
  'agreement.bootstrap': method<Rated>((input) => {
    const drawn = bootstrapAgreement(tableOf(input).rated, { draws: AGREEMENT_DRAWS, confidence: 0.95 })
    return {
      jury: drawn.jury?.quartiles,
      clinicians: drawn.clinicians?.quartiles,
      difference: drawn.difference?.quartiles,
      share_without_value: drawn.withoutValue,
      above_zero: drawn.aboveZero,
    }
  }),
  alternative_annotator: method<Rated & { epsilon: number; score: Nearness; q: number; least: number }>(
    (input) => {
      const { raters, rated } = tableOf(input)
      const found = alternativeAnnotatorTest(rated, input)
      return {
        raters: found.raters.map((each, index) => ({ rater: raters[index], ...each })),
        winning_rate: found.winningRate,
        advantage: found.advantage,
        passes: found.passes,
      }
    },
  ),
  'ppi.plus': method<Predicted>((input) =>
    ppi(predictionPoweredMean(input, input.confidence), input.confidence),
  ),
  'ppi.lambda_1': method<Predicted>((input) =>
    ppi(predictionPoweredMean(input, input.confidence, 1), input.confidence),
  ),
  'ppi.paired': method<{
    labels_a: number[]
    labels_b: number[]
    predictions_a: number[]
    predictions_b: number[]
    unlabelled_a: number[]
    unlabelled_b: number[]
    confidence: number
  }>((input) =>
    ppi(
      predictionPoweredDifference(
        { labels: input.labels_a, predictions: input.predictions_a, unlabelled: input.unlabelled_a },
        { labels: input.labels_b, predictions: input.predictions_b, unlabelled: input.unlabelled_b },
        input.confidence,
      ),
      input.confidence,
    ),
  ),
  rogan_gladen: method<{
    positive: number
    n: number
    true_positive: number
    positives_checked: number
    true_negative: number
    negatives_checked: number
    confidence: number
  }>((input) => ({
    raw: input.n === 0 ? null : input.positive / input.n,
    ...roganGladen(
      {
        positive: input.positive,
        n: input.n,
        truePositive: input.true_positive,
        positivesChecked: input.positives_checked,
        trueNegative: input.true_negative,
        negativesChecked: input.negatives_checked,
      },
      input.confidence,
    ),
  })),
  'labels_needed.mean': method<{
    total: number
    variance: number
    correlation: number
    half_width: number
    confidence: number
  }>((input) => ({
    labels: labelsForMean({ ...input, halfWidth: input.half_width }, input.confidence),
  })),
  'labels_needed.icc': method<{ icc: number; raters: number; width: number; confidence: number }>(
    (input) => ({ answers: answersForIcc(input, input.confidence) }),
  ),
  neyman: method<{ sizes: number[]; standard_deviations: number[]; labels: number; least: number }>(
    (input) => ({
      allocation: neymanAllocation(
        input.sizes.map((size, index) => ({ size, sd: input.standard_deviations[index] ?? NaN })),
        input.labels,
        { least: input.least, taken: [] },
      ),
    }),
  ),
  self_preference: method<{
    rows: [item: string, model: string, judge: string, score: number][]
    families: Readonly<Record<string, string>>
    confidence: number
  }>((input) => {
    const found = selfPreference(
      input.rows.map(([item, model, judge, score]) => ({ item, model, judge, score })),
      (name) => input.families[name] ?? name,
      input.confidence,
    )
    const { kinship, leniency, models } = found
    return {
      delta: kinship?.delta,
      se: kinship?.standardError,
      df: kinship?.df,
      p: kinship?.p,
      low: kinship?.interval?.low,
      high: kinship?.interval?.high,
      leniency: Object.fromEntries(leniency),
      all_judges: Object.fromEntries([...models].map(([model, { all }]) => [model, all])),
      without_own_family: Object.fromEntries(
        [...models].map(([model, { withoutOwnFamily }]) => [model, withoutOwnFamily]),
      ),
      adjusted: Object.fromEntries([...models].map(([model, { adjusted }]) => [model, adjusted])),
    }
  }),
  g_study: method<{ scores: number[][][]; target: number }>(({ scores, target }) => {
    const { raw, components: cut, dStudy, judgesNeeded } = gStudy(scores, target)
    return { raw: components(raw), components: components(cut), d_study: dStudy, judges_needed: judgesNeeded }
  }),
}
