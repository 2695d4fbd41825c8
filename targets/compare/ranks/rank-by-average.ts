import { groupBy } from '../../../cache/lists.ts'
import { bothValues, ownValues } from '../../runs/aligned-vectors.ts'
import { likeThese, type LikeThese } from '../../statistics/benchmarks/like-these.ts'
import { exactMean } from '../../statistics/exact-sum.ts'
import type { Interval } from '../../statistics/intervals/wilson.ts'
import { meanInterval, type MeanFound } from '../../statistics/intervals/mean-interval.ts'
import {
  columnsOnThese,
  pWithMissing,
  samplesOf,
  wholeSamples,
  type ColumnSamples,
} from '../../statistics/missing/difference-with-missing.ts'
import {
  contrastOf,
  NO_SPREAD,
  onThese,
  weightedMean,
  withAlike,
  type ContrastSample,
} from '../../statistics/paired/contrast.ts'
import { placeOfPair } from '../../statistics/paired/sums.ts'
import { chancesOfFirst } from '../../statistics/ranks/chance-first.ts'
import { rankSets, type RankSets } from '../../statistics/ranks/rank-sets.ts'
import { ALPHA, type Steps, CONFIDENCE } from '../../statistics/scale.ts'
import type { UnitColumn } from './column-tests.ts'
import { isWhole } from '../../statistics/paired/paired-sides.ts'

/** Ranks that a model may hold, 1 the best: its own set, and one that holds together with all others'. */
interface RankRange {
  readonly marginal: Interval
  readonly simultaneous: Interval
}

/** A model by its mean over benchmarks, each on the unit scale and turned so that more is better. */
export interface AverageRank {
  /** 95 %, of benchmarks like these; null under 8 of them. */
  readonly likeTheseInterval: Interval | null
  readonly onThese: RankRange
  readonly likeThese: RankRange | null
  /**
   * Share of normal draws around the averages in which it is first: a description, no confidence. Null where nothing tells how
   * far to draw: a run, or what was read of two models in common, has one source, or two models that no test parts differ by
   * the same everywhere.
   */
  readonly first: number | null
}

export interface AverageRanks {
  /** In the order asked for; null for a model that lacks a benchmark. */
  readonly models: readonly (AverageRank | null)[]
  /** In that order: who is surely ahead of each on these benchmarks, by place in the columns. */
  readonly behind: readonly (readonly number[])[]
  /** Tests of the averages on these benchmarks, by places in that order. */
  readonly pairs: readonly PairOfAverages[]
  readonly benchmarks: readonly string[]
  readonly likeTheseReason: string
  readonly untold: UntoldBenchmarks
}

/** Benchmarks that keep averages from being told apart. */
export interface UntoldBenchmarks {
  /** A run's instances are one, or come from one source: nothing says how far its score may be off. */
  readonly oneSource: readonly string[]
  /** Two models were asked nothing alike. */
  readonly unshared: readonly string[]
}

interface PairOfAverages {
  readonly a: number
  readonly b: number
  /** Null where there is no test. */
  readonly p: number | null
  /** 1 where the first is better by the values that gave p, −1 where the second is, 0 where bounds leave it open. */
  readonly direction: number
  /** Undefined where a run has one source. */
  readonly variance: number | undefined
  readonly likeThese: LikeThese
  /** Benchmarks on which they were asked nothing alike. */
  readonly unshared: readonly string[]
}

/** @param order models by their place in the columns */
export function* rankByAverage(units: readonly UnitColumn[], order: readonly number[]): Steps<AverageRanks> {
  const whole = order.flatMap((model, place) => (hasRuns(units, model) ? [{ model, place }] : []))
  const none: AverageRanks = {
    models: order.map(() => null),
    behind: order.map(() => []),
    pairs: [],
    benchmarks: [],
    likeTheseReason: '',
    untold: { oneSource: [], unshared: [] },
  }
  if (units.length === 0 || whole.length < 2) return none
  const pairs: PairOfAverages[] = []
  for (const [a, left] of whole.entries())
    for (const right of whole.slice(a + 1)) {
      pairs.push(pairOf(units, left, right))
      yield
    }
  const pairAt = (a: number, b: number): PairOfAverages | undefined => pairs[placeOfPair(a, b, whole.length)]
  const setsOf = (claim: (pair: PairOfAverages) => { p: number; difference: number }): RankSets =>
    rankSets(
      whole.length,
      (a, b) => {
        const pair = pairAt(a, b)
        return pair === undefined ? { difference: 0, p: 1 } : claim(pair)
      },
      1 - CONFIDENCE,
    )
  const onThese = setsOf(({ p, direction }) => ({ p: p ?? 1, difference: direction }))
  const reason = pairs[0]?.likeThese.reason ?? ''
  const further =
    reason === ''
      ? setsOf(({ likeThese: { known: test, estimate } }) => ({ p: test?.p ?? 1, difference: estimate }))
      : undefined
  const first = yield* chancesFirst(units, whole, pairAt)
  const models: (AverageRank | null)[] = order.map(() => null)
  const behind: (readonly number[])[] = order.map(() => [])
  for (const [at, { model, place }] of whole.entries()) {
    models[place] = {
      likeTheseInterval: likeTheseOf(units, model),
      onThese: rangeAt(onThese, at),
      likeThese: further === undefined ? null : rangeAt(further, at),
      first: first?.[at] ?? null,
    }
    behind[place] = (onThese.above[at] ?? []).flatMap((above) => whole[above]?.model ?? [])
    yield
  }
  return {
    models,
    behind,
    pairs,
    benchmarks: units.map(({ benchmark }) => benchmark),
    likeTheseReason: reason,
    untold: {
      oneSource: first === undefined ? oneSourceOf(units, whole) : [],
      unshared: [...new Set(pairs.flatMap(({ unshared }) => unshared))],
    },
  }
}

/** By what was asked: what could not be read is held by bounds. */
const oneSourceOf = (units: readonly UnitColumn[], whole: readonly Placed[]): readonly string[] =>
  units.flatMap((unit) =>
    whole.some(({ model }) =>
      ownRunsOf([unit], model).some(
        ({ values, sources }) => (sources === undefined ? values.length : new Set(sources).size) < 2,
      ),
    )
      ? [unit.benchmark]
      : [],
  )

const hasRuns = (units: readonly UnitColumn[], model: number): boolean =>
  units.every(({ strata }) => strata.every(({ values }) => values[model] !== undefined))

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
  const unshared: string[] = []
  const samples = columns.flatMap((column) => {
    const shared = sharedSamples(column, left, right)
    if (shared.length > 0) return shared
    unshared.push(column.benchmark)
    return [unsharedSamples(column.benchmark)]
  })
  const found = columnsOnThese(samples)
  const { low, high, strict } = found
  // Of one benchmark it is the benchmark's own question, which has one p.
  const [only] = columns.length === 1 ? columns : []
  const byBenchmark = groupBy(strict.means, ({ benchmark }) => benchmark)
  return {
    a: left.place,
    b: right.place,
    ...(only?.of(left.model, right.model) ?? {
      p: pWithMissing(found) ?? null,
      direction: Number(low.estimate > 0) - Number(high.estimate < 0),
    }),
    variance: strict.known?.variance,
    likeThese: likeThese(
      [...byBenchmark.values()].map((means) => exactMean(means.map(({ mean }) => mean))),
      CONFIDENCE,
    ),
    unshared,
  }
}

const sharedSamples = (
  { benchmark, strata }: UnitColumn,
  left: Placed,
  right: Placed,
): readonly ColumnSamples[] =>
  strata.flatMap((run) => {
    const sums = run.sums.of(left.model, right.model)
    if (sums !== undefined) return wholeSamples({ benchmark, sums })
    const both = bothValues(run, right.model, left.model)
    if (both === undefined) return []
    const { values, sources } = both
    return samplesOf({ benchmark, a: values[0], b: values[1], ...(sources && { sources }) })
  })

/** Of two models that were asked nothing alike nobody can tell how far apart they are. */
const unsharedSamples = (benchmark: string): ColumnSamples => ({
  low: { benchmark, differences: [-1] },
  high: { benchmark, differences: [1] },
  strict: undefined,
})

interface OwnRun {
  readonly benchmark: string
  readonly values: Float64Array
  readonly areMeans: boolean
  readonly sources?: readonly string[]
}

const ownRunsOf = (columns: readonly UnitColumn[], model: number): readonly OwnRun[] =>
  columns.flatMap(({ benchmark, strata }) =>
    strata.flatMap((run) => {
      const own = ownValues(run, model)
      return own === undefined ? [] : [{ benchmark, ...own }]
    }),
  )

/**
 * A model's mean over benchmarks with its interval, on these very benchmarks; undefined for one that lacks a run. Of one
 * benchmark it is the cell, and has the cell's interval.
 */
export const averageOf = (columns: readonly UnitColumn[], model: number): MeanFound | undefined => {
  if (columns.length === 0 || !hasRuns(columns, model)) return undefined
  const isBinary = columns.length === 1 && columns[0]?.isBinary === true
  return meanInterval(ownRunsOf(columns, model), { range: { low: 0, high: 1 }, isBinary }, CONFIDENCE)
}

const likeTheseOf = (columns: readonly UnitColumn[], model: number): Interval | null => {
  const values = columns.flatMap((column) => {
    const runs = measuredOf([column], model)
    return runs.length === 0 ? [] : [weightedMean(runs)]
  })
  return likeThese(values, CONFIDENCE, { low: 0, high: 1 }).known?.interval ?? null
}

/** A model's values, those that could be read. */
const measuredOf = (
  columns: readonly UnitColumn[],
  model: number,
): readonly Extract<ContrastSample, { readonly differences: unknown }>[] =>
  ownRunsOf(columns, model)
    .map(({ benchmark, values, sources }) => {
      if (isWhole(values)) return { benchmark, differences: values, ...(sources && { sources }) }
      const isKnown = (_: unknown, at: number): boolean => !Number.isNaN(values[at])
      return {
        benchmark,
        differences: values.filter(isKnown),
        ...(sources && { sources: sources.filter(isKnown) }),
      }
    })
    .filter(({ differences }) => differences.length > 0)

/** Models on the same instances vary together: their covariance follows from the variance of their difference. */
function* chancesFirst(
  columns: readonly UnitColumn[],
  whole: readonly Placed[],
  pairAt: (a: number, b: number) => PairOfAverages | undefined,
): Steps<readonly number[] | undefined> {
  const own: { readonly estimate: number; readonly variance: number }[] = []
  for (const { model } of whole) {
    // From −1 to 1, as differences are: what alike answers leave open counts in both.
    const runs = measuredOf(columns, model).map((run) => ({
      ...run,
      differences: Float64Array.from(run.differences, (value) => 2 * value - 1),
    }))
    const { estimate, known } = withAlike(onThese(contrastOf(runs)))
    if (known === undefined) return undefined
    own.push({ estimate: (estimate + 1) / 2, variance: known.variance / 4 })
    yield
  }
  for (const [a, left] of own.entries())
    for (const [b, right] of own.slice(0, a).entries())
      if (isOpenWithoutSpread(pairAt(b, a), left.estimate - right.estimate)) return undefined
  const covariance = own.map((left, a) =>
    own.map((right, b) => {
      if (a === b) return left.variance
      const pair = pairAt(Math.min(a, b), Math.max(a, b))
      return (left.variance + right.variance - (pair?.variance ?? NaN)) / 2
    }),
  )
  if (covariance.some((row) => row.some(Number.isNaN))) return undefined
  return yield* chancesOfFirst(
    own.map(({ estimate }) => estimate),
    covariance,
  )
}

/** Less is what rounding leaves of equal averages. */
const EQUAL = 1e-12

const isOpenWithoutSpread = (pair: PairOfAverages | undefined, difference: number): boolean =>
  pair?.variance !== undefined &&
  pair.variance <= NO_SPREAD &&
  Math.abs(difference) > EQUAL &&
  (pair.p ?? 1) >= ALPHA
