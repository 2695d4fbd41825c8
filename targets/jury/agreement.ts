import { roundHalfEven } from '../../benchmarks/python/number.ts'
import { bootstrapInterval } from '../statistics/bootstrap.ts'
import { correlationInterval, correlationP, spearman } from '../statistics/correlation.ts'
import { intraclassCorrelation } from '../statistics/intraclass-correlation.ts'
import type { Interval } from '../statistics/interval.ts'
import { krippendorffAlpha } from '../statistics/krippendorff-alpha.ts'
import { meanOf } from '../statistics/mean.ts'
import { standardize } from '../statistics/standardize.ts'
import { weightedKappa } from '../statistics/weighted-kappa.ts'
import type { Rating } from './ratings.ts'

/** An estimate; undefined parts are those that these data do not determine. */
export interface Estimate {
  readonly value: number
  readonly interval?: Interval
}

/** How two raters agree over the same answers. */
export interface PairAgreement {
  readonly items: number
  /** ICC(3,k), k = 2, of the scores standardized within each rater: of their mean, these two being all raters. */
  readonly icc?: Estimate
  /** Its interval is Fisher's, as in MedHELM's own analysis; Bonett and Wright's is as wide as ranks need it. */
  readonly spearman?: Estimate & { readonly p: number; readonly bonettWright?: Interval }
  /** Quadratic weights, of the scores rounded to whole points. */
  readonly kappa?: Estimate
}

export interface Agreement {
  /** A benchmark, or `pooled` for all together. */
  readonly name: string
  readonly raters: number
  readonly ratings: number
  /** Mean of the clinicians and the jury. */
  readonly jury: PairAgreement
  /** The first two clinicians by name of each answer that several rated: what a jury can be held to. */
  readonly clinicians: PairAgreement
  /** Krippendorff's α of all clinicians for interval data; undefined where no answer was rated twice. */
  readonly alpha?: number
}

const CONFIDENCE = 0.95
/** As MedHELM's own analysis. */
const DRAWS = 1000
/** The rubrics' scale; wider where some score lies beyond it. */
const SCALE = { low: 1, high: 5 }

/** Agreement per benchmark, in the order of the ratings, then of all together where there are several. */
export const measureAgreement = (ratings: readonly Rating[]): readonly Agreement[] => {
  const names = [...new Set(ratings.map(({ benchmark }) => benchmark))]
  const each = names.map((name) =>
    agreementOf(
      name,
      ratings.filter(({ benchmark }) => benchmark === name),
    ),
  )
  return names.length < 2 ? each : [...each, agreementOf('pooled', ratings)]
}

/** The composite score of a rating is the mean over its criteria. */
const agreementOf = (name: string, ratings: readonly Rating[]): Agreement => {
  const items = groupByItem(ratings)
  const twice = items.filter((item) => item.length > 1)
  const raters = [...new Set(ratings.map(({ rater }) => rater))]
  const matrix = raters.map((rater) => items.map((item) => compositeBy(rater, item)))
  const alpha = krippendorffAlpha(matrix, 'interval')
  return {
    name,
    raters: raters.length,
    ratings: ratings.length,
    jury: pairAgreement(
      `${name} jury`,
      items.map((item) => meanOf(item.map(({ scores }) => meanOf(scores)))),
      items.map((item) => meanOf(item[0]?.jury ?? [])),
    ),
    clinicians: pairAgreement(
      `${name} clinicians`,
      twice.map((item) => meanOf(item[0]?.scores ?? [])),
      twice.map((item) => meanOf(item[1]?.scores ?? [])),
    ),
    ...(Number.isNaN(alpha) ? {} : { alpha }),
  }
}

const compositeBy = (wanted: string, item: readonly Rating[]): number | null => {
  const rating = item.find(({ rater }) => rater === wanted)
  return rating === undefined ? null : meanOf(rating.scores)
}

/** The ratings of each answer, by rater. */
const groupByItem = (ratings: readonly Rating[]): readonly (readonly Rating[])[] => {
  const items = new Map<string, Rating[]>()
  for (const rating of ratings) {
    const key = JSON.stringify([rating.benchmark, rating.item])
    const item = items.get(key)
    if (item === undefined) items.set(key, [rating])
    else item.push(rating)
  }
  return [...items.values()].map((item) => item.toSorted((a, b) => (a.rater < b.rater ? -1 : 1)))
}

const pairAgreement = (name: string, a: readonly number[], b: readonly number[]): PairAgreement => {
  const items = a.length
  if (items < 2) return { items }
  const rho = spearman(a, b)
  const fisher = correlationInterval(rho, items, CONFIDENCE)
  const bonettWright = correlationInterval(rho, items, CONFIDENCE, 'bonett-wright')
  const kappa = kappaOf(name, a, b)
  const icc = iccOf(a, b)
  return {
    items,
    ...(icc === undefined ? {} : { icc }),
    ...(Number.isNaN(rho)
      ? {}
      : {
          spearman: {
            value: rho,
            p: correlationP(rho, items),
            ...(fisher === undefined ? {} : { interval: fisher }),
            ...(bonettWright === undefined ? {} : { bonettWright }),
          },
        }),
    ...(kappa === undefined ? {} : { kappa }),
  }
}

const iccOf = (a: readonly number[], b: readonly number[]): Estimate | undefined => {
  const [left, right] = [standardize(a), standardize(b)]
  const { value, interval } = intraclassCorrelation(
    left.map((score, index) => [score, right[index] ?? NaN]),
    'ICC3k',
    CONFIDENCE,
  )
  if (!Number.isFinite(value)) return undefined
  return interval === undefined ? { value } : { value, interval }
}

const kappaOf = (name: string, a: readonly number[], b: readonly number[]): Estimate | undefined => {
  const [left, right] = [a.map((score) => roundHalfEven(score)), b.map((score) => roundHalfEven(score))]
  const low = Math.min(SCALE.low, ...left, ...right)
  const high = Math.max(SCALE.high, ...left, ...right)
  const labels = Array.from({ length: high - low + 1 }, (_, index) => low + index)
  const pick = (values: readonly number[], indexes: readonly number[]): readonly number[] =>
    indexes.map((index) => values[index] ?? NaN)
  const value = weightedKappa(left, right, labels)
  if (Number.isNaN(value)) return undefined
  const interval = bootstrapInterval(
    left.length,
    (indexes) => weightedKappa(pick(left, indexes), pick(right, indexes), labels),
    { name: `kappa ${name}`, draws: DRAWS, confidence: CONFIDENCE },
  )
  return interval === undefined ? { value } : { value, interval }
}
