import { place } from '../aggregate/board-place.ts'
import { winRates } from '../aggregate/win-rate.ts'
import { holm } from '../statistics/multiple/holm.ts'
import type { Interval } from '../statistics/interval.ts'
import { percentileInterval } from '../statistics/percentiles.ts'
import { randomKey } from '../statistics/random-stream.ts'
import { significanceGroups } from '../statistics/significance-groups.ts'
import { drawWinRates } from './draw-win-rates.ts'
import { placeDoubts, type PlaceDoubt } from './drawn-places.ts'
import { columnMeans, type RankColumn } from './rank-column.ts'

/** A model's place by win rate, and how sure it is. */
export interface RankedModel extends PlaceDoubt {
  readonly name: string
  readonly winRate: number
  /** 95 % of the resamples. */
  readonly winRateInterval: Interval | null
  readonly rank: number
}

/** A model without a value in some of the columns: its win rate is over other questions than the others'. */
export interface PartialModel {
  readonly name: string
  readonly winRate: number
  /** Of the ranking's columns. */
  readonly columns: number
}

export interface Ranking {
  /** Those with a value in all columns, best first. */
  readonly models: readonly RankedModel[]
  /** The others, in the order of their names; they have no place. */
  readonly partial: readonly PartialModel[]
  /** Neighbours of whom no two differ (bootstrap, Holm over all pairs, 5 %), as indices into `models`. */
  readonly groups: readonly { readonly first: number; readonly last: number }[]
  /** Benchmarks that the win rates compare: two models or more have a value. */
  readonly columns: readonly string[]
  readonly resamples: number
}

const LEAST_RESAMPLES = 2000
/** A p of many pairs must be able to stay below 0.05 after Holm's adjustment. */
const RESAMPLES_PER_PAIR = 40
const ALPHA = 0.05

/**
 * Ranks models by mean win rate. Benchmarks are drawn with replacement, then instances within each, the same ones for
 * all models: places vary as they would with other benchmarks and other instances.
 *
 * @param names the models in the columns' order; models without any win rate are left out, and those without a value
 *   in some column play, but are not ranked
 * @param enough resamples for whoever does not read `groups`; unless given, as many as their pairs need
 */
export const rankModels = (
  names: readonly string[],
  columns: readonly RankColumn[],
  enough?: number,
): Ranking => {
  const scored = columns
    .filter(({ lowerIsBetter }) => lowerIsBetter !== undefined)
    .map((column) => ({ column, ...direction(column), values: columnMeans(column, names.length) }))
    .filter(({ values }) => values.filter((value) => value !== undefined).length > 1)
  const compared = scored.map(({ column }) => column)
  const rates = winRates(scored, names.length)
  const known = names.flatMap((name, model) => {
    const rate = rates[model]
    const own = scored.filter(({ values }) => values[model] !== undefined).length
    return rate === undefined ? [] : [{ name, model, rate, own }]
  })
  const order = known
    .filter(({ own }) => own === scored.length)
    .sort((a, b) => b.rate - a.rate || (a.name < b.name ? -1 : 1))
  const pairs = (order.length * (order.length - 1)) / 2
  const resamples = enough ?? Math.max(LEAST_RESAMPLES, RESAMPLES_PER_PAIR * pairs)
  const key = randomKey(
    `win rates of ${names.join(' ')} in ${compared.map((each) => each.benchmark).join(' ')}`,
  )
  const drawn = drawWinRates(compared, { models: names.length, resamples, key })
  const own = order.map(({ model }) => drawn[model] ?? new Float64Array())
  const comparable = own.map((each) => each.map(rounded))
  const doubts = placeDoubts(comparable)
  const all = order.map(({ rate }) => rounded(rate))
  return {
    models: order.flatMap(({ name, rate }, index): readonly RankedModel[] => {
      const doubt = doubts[index]
      const known = own[index]?.filter((each) => !Number.isNaN(each)) ?? []
      return doubt === undefined
        ? []
        : [
            {
              name,
              winRate: rate,
              winRateInterval: percentileInterval(known, 0.95) ?? null,
              rank: place(rounded(rate), all, false)?.rank ?? 1,
              ...doubt,
            },
          ]
    }),
    partial: known
      .filter(({ own }) => own < scored.length)
      .map(({ name, rate, own }) => ({ name, winRate: rate, columns: own })),
    groups: tieGroups(comparable),
    columns: compared.map(({ benchmark }) => benchmark),
    resamples,
  }
}

const direction = ({ lowerIsBetter }: RankColumn): { lowerIsBetter?: boolean } =>
  lowerIsBetter === undefined ? {} : { lowerIsBetter }

/** Equal sums of thirds can differ in the last digit, which must not decide a place. */
const rounded = (rate: number): number => Math.round(rate * 1e9) / 1e9

const tieGroups = (rates: readonly Float64Array[]): Ranking['groups'] => {
  const pairs = rates.flatMap((one, a) =>
    rates.slice(a + 1).map((other, further) => ({ a, b: a + 1 + further, one, other })),
  )
  const adjusted = holm(pairs.map(({ one, other }) => swapChance(one, other)))
  const apart = new Set(
    pairs.flatMap(({ a, b }, index) => ((adjusted[index] ?? 1) < ALPHA ? [a * rates.length + b] : [])),
  )
  return significanceGroups(rates.length, (a, b) => apart.has(a * rates.length + b))
}

/** Two-sided: how often the order is the other way round, ties on both sides; never 0. */
const swapChance = (one: Float64Array, other: Float64Array): number => {
  let [above, below, equal] = [0, 0, 0]
  for (let resample = 0; resample < one.length; resample += 1) {
    const [a, b] = [one[resample] ?? NaN, other[resample] ?? NaN]
    if (a > b) above += 1
    else if (a < b) below += 1
    else if (a === b) equal += 1
  }
  return Math.min(1, (2 * (Math.min(above, below) + equal + 1)) / (above + below + equal + 1))
}
