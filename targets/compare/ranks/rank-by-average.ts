import { groupBy } from '../../../cache/group-by.ts'
import { likeThese, type LikeThese } from '../../statistics/benchmarks/like-these.ts'
import { exactMean } from '../../statistics/exact-sum.ts'
import type { Interval } from '../../statistics/intervals/interval.ts'
import { meanInterval, type MeanFound } from '../../statistics/intervals/mean-interval.ts'
import { differenceWithMissing } from '../../statistics/missing/difference-with-missing.ts'
import { contrastOf } from '../../statistics/paired/contrast.ts'
import { isWhole } from '../../statistics/paired/paired-sides.ts'
import { chanceFirst } from '../../statistics/ranks/chance-first.ts'
import { rankSets, type RankSets } from '../../statistics/ranks/rank-sets.ts'
import { sharesOf, type Scale } from '../../statistics/scale.ts'
import type { RankColumn, RankStratum } from './rank-column.ts'

/** Ranks that a model may hold, 1 the best: its own set, and one that holds together with all others'. */
export interface RankRange {
  readonly marginal: Interval
  readonly simultaneous: Interval
}

/** A model by its mean over benchmarks, each on the unit scale and turned so that more is better. */
export interface AverageRank {
  readonly mean: number | null
  /** 95 %, on these very benchmarks. */
  readonly interval: Interval | null
  /** 95 %, of benchmarks like these; null under 8 of them. */
  readonly likeTheseInterval: Interval | null
  readonly onThese: RankRange
  readonly likeThese: RankRange | null
  /** Share of normal draws around the averages in which it is first: a description, no confidence. */
  readonly first: number
}

export interface AverageRanks {
  /** In the order asked for; null for a model that lacks a benchmark. */
  readonly models: readonly (AverageRank | null)[]
  /** Tests of the averages on these benchmarks, by places in that order. */
  readonly pairs: readonly PairOfAverages[]
  readonly benchmarks: readonly string[]
  readonly likeTheseReason: string
}

interface PairOfAverages {
  readonly a: number
  readonly b: number
  readonly p: number
  /** 1 where the first is better by the values that gave p, −1 where the second is, 0 where bounds leave it open. */
  readonly direction: number
  readonly variance: number
  readonly likeThese: LikeThese
}

type Scaled = RankColumn & { readonly range: Scale }

const CONFIDENCE = 0.95

/** @param order models by their place in the columns */
export const rankByAverage = (columns: readonly RankColumn[], order: readonly number[]): AverageRanks => {
  const scaled = columns.filter((column): column is Scaled => column.range !== undefined)
  const isRun = (model: number): boolean =>
    scaled.every(({ strata }) => strata.every(({ values }) => values[model] !== undefined))
  const whole = order.flatMap((model, place) => (isRun(model) ? [{ model, place }] : []))
  const none: AverageRanks = { models: order.map(() => null), pairs: [], benchmarks: [], likeTheseReason: '' }
  if (scaled.length === 0 || whole.length < 2) return none
  const units = scaled.map(unitColumn)
  const pairs = whole.flatMap((left, a) => whole.slice(a + 1).map((right) => pairOf(units, left, right)))
  // The pairs stand in order: those of the first model, then of the second …
  const pairAt = (a: number, b: number): PairOfAverages | undefined =>
    pairs[a * whole.length - (a * (a + 1)) / 2 + (b - a - 1)]
  const setsOf = (claim: (pair: PairOfAverages) => { p: number; difference: number }): RankSets =>
    rankSets(
      whole.length,
      (a, b) => {
        const pair = pairAt(a, b)
        return pair === undefined ? { difference: 0, p: 1 } : claim(pair)
      },
      1 - CONFIDENCE,
    )
  const onThese = setsOf(({ p, direction }) => ({ p, difference: direction }))
  const reason = pairs[0]?.likeThese.reason ?? ''
  const further =
    reason === ''
      ? setsOf(({ likeThese: { known: test, estimate } }) => ({ p: test?.p ?? 1, difference: estimate }))
      : undefined
  const means = whole.map(({ model }) => meanOf(units, model))
  const first = chancesFirst(units, whole, pairAt)
  const models: (AverageRank | null)[] = order.map(() => null)
  for (const [at, { model, place }] of whole.entries())
    models[place] = {
      mean: means[at]?.mean ?? null,
      interval: means[at]?.interval ?? null,
      likeTheseInterval: likeTheseOf(units, model),
      onThese: rangeAt(onThese, at),
      likeThese: further === undefined ? null : rangeAt(further, at),
      first: first[at] ?? 0,
    }
  return { models, pairs, benchmarks: scaled.map(({ benchmark }) => benchmark), likeTheseReason: reason }
}

const rangeAt = ({ marginal, simultaneous }: RankSets, at: number): RankRange => {
  const [low, high] = marginal[at] ?? [1, 1]
  const [least, greatest] = simultaneous[at] ?? [1, 1]
  return { marginal: { low, high }, simultaneous: { low: least, high: greatest } }
}

interface Placed {
  readonly model: number
  readonly place: number
}

const pairOf = (columns: readonly UnitColumn[], left: Placed, right: Placed): PairOfAverages => {
  const sides = columns.flatMap(({ benchmark, strata }) =>
    strata.flatMap(({ values, sources, whole }) => {
      const [a, b] = [values[right.model], values[left.model]]
      if (a === undefined || b === undefined) return []
      const isBothWhole = whole[right.model] === true && whole[left.model] === true
      return [
        { benchmark, a, b, ...(sources && { sources }), ...(isBothWhole && { isWhole: true as const }) },
      ]
    }),
  )
  const { decided, strict, bounds } = differenceWithMissing(sides, CONFIDENCE)
  const byBenchmark = groupBy(strict.means, ({ benchmark }) => benchmark)
  return {
    a: left.place,
    b: right.place,
    p: decided?.p ?? 1,
    direction: Number(bounds.low > 0) - Number(bounds.high < 0),
    variance: strict.known?.variance ?? 0,
    likeThese: likeThese(
      [...byBenchmark.values()].map((means) => exactMean(means.map(({ mean }) => mean))),
      CONFIDENCE,
    ),
  }
}

/** A column's values as shares of its scale, turned so that more is better. */
interface UnitColumn {
  readonly benchmark: string
  readonly strata: readonly (Pick<RankStratum, 'values' | 'sources'> & {
    /** By model: nothing is missing. */
    readonly whole: readonly boolean[]
  })[]
}

const unitColumn = ({ benchmark, strata, range, lowerIsBetter }: Scaled): UnitColumn => ({
  benchmark,
  strata: strata.map(({ values, sources }) => ({
    values: values.map((own) => own && sharesOf(own, range, lowerIsBetter === true)),
    ...(sources && { sources }),
    whole: values.map((own) => own !== undefined && isWhole(own)),
  })),
})

interface UnitRun {
  readonly benchmark: string
  readonly values: Float64Array
  readonly sources?: readonly string[]
}

const unitRunsOf = (columns: readonly UnitColumn[], model: number): readonly UnitRun[] =>
  columns.flatMap(({ benchmark, strata }) =>
    strata.flatMap(({ values: all, sources }) => {
      const values = all[model]
      return values === undefined ? [] : [{ benchmark, values, ...(sources && { sources }) }]
    }),
  )

const meanOf = (columns: readonly UnitColumn[], model: number): MeanFound =>
  meanInterval(unitRunsOf(columns, model), { range: { low: 0, high: 1 }, isBinary: false }, CONFIDENCE)

const likeTheseOf = (columns: readonly UnitColumn[], model: number): Interval | null => {
  const values = columns.flatMap(
    (column) => meanInterval(unitRunsOf([column], model), { isBinary: false }, CONFIDENCE).mean ?? [],
  )
  return likeThese(values, CONFIDENCE, { low: 0, high: 1 }).known?.interval ?? null
}

/** Models on the same instances vary together: their covariance follows from the variance of their difference. */
const chancesFirst = (
  columns: readonly UnitColumn[],
  whole: readonly Placed[],
  pairAt: (a: number, b: number) => PairOfAverages | undefined,
): readonly number[] => {
  const own = whole.map(({ model }) => {
    const runs = unitRunsOf(columns, model).map(({ benchmark, values, sources }) => ({
      benchmark,
      differences: values.filter((value) => !Number.isNaN(value)),
      ...(sources && { sources: sources.filter((_, at) => !Number.isNaN(values[at] ?? NaN)) }),
    }))
    const { estimate, known } = contrastOf(runs.filter(({ differences }) => differences.length > 0))
    return { estimate, variance: known?.variance ?? 0 }
  })
  const covariance = own.map((left, a) =>
    own.map((right, b) => {
      if (a === b) return left.variance
      const pair = pairAt(Math.min(a, b), Math.max(a, b))
      return pair === undefined ? 0 : (left.variance + right.variance - pair.variance) / 2
    }),
  )
  return chanceFirst(
    own.map(({ estimate }) => estimate),
    covariance,
  )
}
