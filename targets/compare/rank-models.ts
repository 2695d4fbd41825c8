import { place } from '../aggregate/board-place.ts'
import { winRates } from '../aggregate/win-rate.ts'
import { holm } from '../statistics/holm.ts'
import type { Interval } from '../statistics/interval.ts'
import { percentileInterval } from '../statistics/percentiles.ts'
import { RandomStream, randomKey } from '../statistics/random-stream.ts'
import { significanceGroups } from '../statistics/significance-groups.ts'
import { columnMeans, resampler, type RankColumn } from './rank-column.ts'

/** A model's place by win rate, and how sure it is. */
export interface RankedModel {
  readonly name: string
  readonly winRate: number
  /** 95 % of the resamples. */
  readonly winRateInterval: Interval | null
  readonly rank: number
  /** Best and worst place in the middle 95 % of the resamples. */
  readonly ranks: Interval
  /** Share of the resamples in which it came first, or among the first three; a shared first place is parted. */
  readonly first: number
  readonly topThree: number
}

export interface Ranking {
  /** Best first. */
  readonly models: readonly RankedModel[]
  /** Neighbours of whom no two differ (bootstrap, Holm over all pairs, 5 %), as indices into `models`. */
  readonly groups: readonly { readonly first: number; readonly last: number }[]
  /** Benchmarks that the win rates compare. */
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
 * @param names the models in the columns' order; models without any win rate are left out
 * @param enough resamples for whoever does not read `groups`; unless given, as many as their pairs need
 */
export const rankModels = (
  names: readonly string[],
  columns: readonly RankColumn[],
  enough?: number,
): Ranking => {
  const compared = columns.filter(({ lowerIsBetter }) => lowerIsBetter !== undefined)
  const rates = winRates(
    compared.map((column) => ({ ...direction(column), values: columnMeans(column, names.length) })),
    names.length,
  )
  const known = names.flatMap((name, model) => {
    const rate = rates[model]
    return rate === undefined ? [] : [{ name, model, rate }]
  })
  const order = known.sort((a, b) => b.rate - a.rate || (a.name < b.name ? -1 : 1))
  const pairs = (order.length * (order.length - 1)) / 2
  const resamples = enough ?? Math.max(LEAST_RESAMPLES, RESAMPLES_PER_PAIR * pairs)
  const draws = drawRates(names, compared, resamples).map((drawn) => order.map(({ model }) => drawn[model]))
  const places = draws.map((drawn) => {
    const rates = drawn.map(rounded)
    return rates.map((rate) => place(rate, rates, false))
  })
  return {
    models: order.map(({ name, rate }, index): RankedModel => {
      const own = places.flatMap((each) => each[index] ?? [])
      const all = order.map((each) => rounded(each.rate))
      return {
        name,
        winRate: rate,
        winRateInterval:
          percentileInterval(
            draws.flatMap((drawn) => drawn[index] ?? []),
            0.95,
          ) ?? null,
        rank: place(rounded(rate), all, false)?.rank ?? 1,
        ranks: rankInterval(own.map(({ rank }) => rank)),
        first: firstShare(places, index) / Math.max(1, own.length),
        topThree: own.filter(({ rank }) => rank <= 3).length / Math.max(1, own.length),
      }
    }),
    groups: tieGroups(order.length, draws),
    columns: compared.map(({ benchmark }) => benchmark),
    resamples,
  }
}

const direction = ({ lowerIsBetter }: RankColumn): { lowerIsBetter?: boolean } =>
  lowerIsBetter === undefined ? {} : { lowerIsBetter }

/** Equal sums of thirds can differ in the last digit, which must not decide a place. */
const rounded = (rate: number | undefined): number | undefined =>
  rate === undefined ? undefined : Math.round(rate * 1e9) / 1e9

const drawRates = (
  names: readonly string[],
  columns: readonly RankColumn[],
  resamples: number,
): readonly (readonly (number | undefined)[])[] => {
  const key = randomKey(
    `win rates of ${names.join(' ')} in ${columns.map((each) => each.benchmark).join(' ')}`,
  )
  const drawable = columns.map((column) => ({ column, means: resampler(column, names.length) }))
  return Array.from({ length: resamples }, (_, resample) => {
    const stream = new RandomStream(key, resample)
    const drawn = columns.flatMap(() => drawable[stream.below(columns.length)] ?? [])
    return winRates(
      drawn.map(({ column, means }) => ({ ...direction(column), values: means(stream) })),
      names.length,
    )
  })
}

/** The middle 95 % of places, both ends places that were taken. */
const rankInterval = (ranks: readonly number[]): Interval => {
  const sorted = [...ranks].sort((a, b) => a - b)
  const at = (share: number, round: (value: number) => number): number =>
    sorted[Math.min(sorted.length - 1, Math.max(0, round(share * (sorted.length - 1))))] ?? 1
  return { low: at(ALPHA / 2, Math.floor), high: at(1 - ALPHA / 2, Math.ceil) }
}

const firstShare = (
  places: readonly (readonly ({ readonly rank: number } | null)[])[],
  index: number,
): number =>
  places.reduce((sum, each) => {
    if (each[index]?.rank !== 1) return sum
    return sum + 1 / each.filter((other) => other?.rank === 1).length
  }, 0)

const tieGroups = (count: number, draws: readonly (readonly (number | undefined)[])[]): Ranking['groups'] => {
  const pairs = Array.from({ length: count }, (_, a) =>
    Array.from({ length: count - a - 1 }, (_, further) => [a, a + 1 + further] as const),
  ).flat()
  const adjusted = holm(pairs.map(([a, b]) => swapChance(draws, a, b)))
  const apart = new Set(
    pairs.filter((_, index) => (adjusted[index] ?? 1) < ALPHA).map((pair) => pair.join(' ')),
  )
  return significanceGroups(count, (a, b) => apart.has(`${a} ${b}`))
}

/** Two-sided: how often the order is the other way round, ties on both sides; never 0. */
const swapChance = (draws: readonly (readonly (number | undefined)[])[], a: number, b: number): number => {
  let [above, below, count] = [0, 0, 0]
  for (const drawn of draws) {
    const [one, other] = [rounded(drawn[a]), rounded(drawn[b])]
    if (one === undefined || other === undefined) continue
    count += 1
    if (one >= other) above += 1
    if (one <= other) below += 1
  }
  return Math.min(1, (2 * (Math.min(above, below) + 1)) / (count + 1))
}
