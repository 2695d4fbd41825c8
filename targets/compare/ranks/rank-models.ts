import { place } from './rank-place.ts'
import type { Interval } from '../../statistics/intervals/wilson.ts'
import { lettersByTests } from '../../statistics/multiple/letters.ts'
import {
  columnShares,
  winRate,
  winRateLikeThese,
  winRateOnThese,
  type Meeting,
} from '../../statistics/ranks/win-share.ts'
import { comparableRate } from '../../tables/cells/win-rate.ts'
import { statisticsMean } from '../../../benchmarks/python/numbers/mean.ts'
import { finish, shareOf, type Steps, ALPHA } from '../../statistics/scale.ts'
import { ColumnTests, type UnitColumn } from './column-tests.ts'
import { averageOf, rankByAverage, type AverageRank, type UntoldBenchmarks } from './rank-by-average.ts'
import type { RankColumn } from './rank-column.ts'
import { commonPlaces, type AlignedVectors } from '../../runs/aligned-vectors.ts'
import { exactMean } from '../../statistics/exact-sum.ts'
import { tiedScore } from '../../statistics/mean.ts'

/** A model's place by win rate, and what is known of it. */
interface RankedModel {
  readonly name: string
  readonly winRate: number
  readonly rank: number
  /** On these very benchmarks: 95 %, wins and losses that paired tests let stand. Null where nothing was tested. */
  readonly winRateOnThese: Interval | null
  /** To expect on a further benchmark like these: 95 %; null under 8 benchmarks. */
  readonly winRateLikeThese: Interval | null
  /** By the average over the benchmarks' scales; null for a model that lacks one. */
  readonly average: RankedAverage | null
  /** Models that are surely ahead of it by that average on these benchmarks: those that its set of ranks counts. */
  readonly behind: readonly string[]
}

/** Its mean over the benchmarks' scales, 95 % on these very benchmarks, and the ranks by it. */
interface RankedAverage extends AverageRank {
  readonly mean: number
  readonly interval: Interval | null
}

/** A model without a value in some of the columns: its win rate is over other questions than the others'. */
interface PartialModel {
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
  /** By model: two that share a letter no test of their averages on these benchmarks parts (Holm, 5 %). */
  readonly letters: readonly string[]
  /** Benchmarks that the win rates compare: two models or more have a value. */
  readonly columns: readonly string[]
  /** Those that the averages are over: their scales have ends. */
  readonly averaged: readonly string[]
  /** Why nothing is said of benchmarks like these; empty else. */
  readonly likeTheseReason: string
  readonly untold: UntoldBenchmarks
}

/** What wins and losses alone say. */
interface WinRanking extends Pick<Ranking, 'partial' | 'columns'> {
  readonly models: readonly (Omit<RankedModel, 'average' | 'behind'> & {
    /** Place in the list of names. */
    readonly model: number
  })[]
  /** The columns compared, with their tests. */
  readonly compared: readonly Scored[]
}

/**
 * Ranks models by win rate and average, each on the instances that it has in full, as a board does; and says how sure, by
 * tests on common instances: on these benchmarks, whose instances were drawn, and on benchmarks like these, apart.
 * @param names the models in the columns' order; models without any win rate are left out, and those without a value
 *   in some column play, but are not ranked
 * @param tests of the columns, where they are at hand
 */
export const rankModels = (
  names: readonly string[],
  columns: readonly RankColumn[],
  tests?: readonly ColumnTests[],
): Ranking => {
  const { ranking, averaged, order } = finish(rankedInSteps(names, columns, tests))
  const units = averaged.map(({ unit }) => unit)
  return {
    ...ranking,
    models: ranking.models.map((model, at) => {
      const own = order[at] ?? -1
      const average = model.average && {
        mean: statisticsMean(averaged.map(({ shares }) => shares[own] ?? NaN)),
        interval: averageOf(units, own)?.interval ?? null,
        ...model.average,
      }
      return { ...model, average }
    }),
  }
}

/** `rankModels` without the averages themselves, a few milliseconds at a time. */
export function* rankModelsInSteps(
  names: readonly string[],
  columns: readonly RankColumn[],
  tests?: readonly ColumnTests[],
): Steps<RanksAlone> {
  return (yield* rankedInSteps(names, columns, tests)).ranking
}

type RanksAlone = Omit<Ranking, 'models'> & {
  readonly models: readonly (Omit<RankedModel, 'average'> & { readonly average: AverageRank | null })[]
}

function* rankedInSteps(
  names: readonly string[],
  columns: readonly RankColumn[],
  tests?: readonly ColumnTests[],
): Steps<{ ranking: RanksAlone; averaged: readonly AveragedColumn[]; order: readonly number[] }> {
  const { models, compared, ...wins } = yield* winRanking(names, columns, { scoresOf: ownScores, tests })
  const averaged = compared.flatMap(averagedColumn)
  const order = models.map(({ model }) => model)
  const averages = yield* rankByAverage(
    averaged.map(({ unit }) => unit),
    order,
  )
  const ranking = {
    ...wins,
    models: models.map((each, at) => {
      const { model: _, ...ranked } = each
      return {
        ...ranked,
        average: averages.models[at] ?? null,
        behind: (averages.behind[at] ?? []).flatMap((above) => names[above] ?? []),
      }
    }),
    letters: lettersOf(models.length, averages.pairs),
    averaged: averages.benchmarks,
    likeTheseReason: averages.likeTheseReason,
    untold: averages.untold,
  }
  return { ranking, averaged, order }
}

interface AveragedColumn {
  readonly unit: UnitColumn
  /** By model, its score as a share of the scale: averages are of these, as a board's are. */
  readonly shares: readonly (number | undefined)[]
}

const averagedColumn = ({
  column: { range, lowerIsBetter = false },
  tests,
  values,
}: Scored): readonly AveragedColumn[] => {
  const unit = tests.unit(lowerIsBetter)
  if (unit === undefined || range === undefined) return []
  const shares = values.map((value) =>
    value === undefined ? undefined : shareOf(lowerIsBetter ? -value : value, range, lowerIsBetter),
  )
  return [{ unit, shares }]
}

/** By win rate alone, on the instances that all have in full. */
export const rankByWins = (names: readonly string[], columns: readonly RankColumn[]): WinRanking =>
  finish(winRanking(names, columns, { scoresOf: commonScores }))

function* winRanking(
  names: readonly string[],
  columns: readonly RankColumn[],
  {
    scoresOf,
    tests = [],
  }: { readonly scoresOf: ColumnScores; readonly tests?: readonly ColumnTests[] | undefined },
): Steps<WinRanking> {
  const scored: Scored[] = []
  for (const [at, column] of columns.entries()) {
    yield
    if (column.lowerIsBetter === undefined) continue
    const values = scoresOf(column, names.length).map((score) => turned(column, score))
    if (values.filter((value) => value !== undefined).length > 1)
      scored.push({ column, tests: tests[at] ?? new ColumnTests(column), values })
  }
  const scores = scored.map(({ values }) => values)
  const columnsShares = scores.map((column) => columnShares(column, false))
  const shares = names.map((_, model) => columnsShares.map((column) => column[model]))
  const known = names.flatMap((name, model) => {
    const rate = winRate(shares[model] ?? [])
    const own = scores.filter((column) => column[model] !== undefined).length
    return rate === undefined ? [] : [{ name, model, rate, own }]
  })
  const order = known
    .filter(({ own }) => own === scored.length)
    .sort((a, b) => comparableRate(b.rate) - comparableRate(a.rate) || (a.name < b.name ? -1 : 1))
  const all = order.map(({ rate }) => comparableRate(rate))
  const models: WinRanking['models'][number][] = []
  for (const { name, model, rate } of order) {
    const own: Meeting[] = []
    for (const column of scored) {
      own.push(...meetingsOf(column, model))
      yield
    }
    const won = (shares[model] ?? []).filter((share) => share !== undefined)
    models.push({
      name,
      model,
      winRate: rate,
      rank: place(comparableRate(rate), all, false)?.rank ?? 1,
      winRateOnThese: own.length === 0 ? null : winRateOnThese(own, ALPHA),
      winRateLikeThese: winRateLikeThese(won, 1 - ALPHA).known?.interval ?? null,
    })
  }
  return {
    models,
    partial: known
      .filter(({ own }) => own < scored.length)
      .map(({ name, rate, own }) => ({ name, winRate: rate, columns: own })),
    columns: scored.map(({ column: { benchmark } }) => benchmark),
    compared: scored,
  }
}

interface Scored {
  readonly column: RankColumn
  readonly tests: ColumnTests
  /** By model, more is better. */
  readonly values: readonly (number | undefined)[]
}

/** More is better. */
const turned = ({ lowerIsBetter }: RankColumn, score: number | undefined): number | undefined =>
  score === undefined || lowerIsBetter !== true ? score : -score

/** How a model met its rivals on one benchmark. */
const meetingsOf = (
  { column: { lowerIsBetter }, tests, values }: Scored,
  model: number,
): readonly Meeting[] =>
  values[model] === undefined
    ? []
    : values.flatMap((score, rival) => {
        if (rival === model || score === undefined) return []
        const { p, direction } = tests.of(model, rival)
        return [{ difference: lowerIsBetter === true ? -direction : direction, p: p ?? 1 }]
      })

const lettersOf = (
  models: number,
  pairs: readonly { readonly a: number; readonly b: number; readonly p: number | null }[],
): readonly string[] => {
  const ps = new Map(pairs.map(({ a, b, p }) => [a * models + b, p]))
  return lettersByTests(models, (a, b) => ps.get(a * models + b), ALPHA)
}

/** Means of a column by model, runs counting the same; undefined for a model that lacks a run, or all values of one. */
type ColumnScores = (
  column: Pick<RankColumn, 'strata' | 'helmScores'>,
  models: number,
) => readonly (number | undefined)[]

/** On the instances that all its models have in full. */
export const commonScores: ColumnScores = (column, models) =>
  scores(column, models, (run) => {
    const places = commonPlaces(run)
    return (own) => places.map((at) => own[at] ?? NaN)
  })

/** On the instances that each model has in full itself, as a board's cells are, and with their digits where these are at hand. */
const ownScores: ColumnScores = (column, models) =>
  scores(column, models, () => (own) => own.filter((value) => !Number.isNaN(value)), column.helmScores)

const scores = (
  { strata }: Pick<RankColumn, 'strata'>,
  models: number,
  chosen: (run: AlignedVectors) => (own: Float64Array) => ArrayLike<number>,
  helmScores: RankColumn['helmScores'] = [],
): readonly (number | undefined)[] => {
  const runs = strata.map((run) => {
    const choose = chosen(run)
    return run.values.map((own) => {
      const values = own === undefined ? [] : choose(own)
      return values.length === 0 ? undefined : exactMean(values)
    })
  })
  const all = Array.from({ length: models }, (_, model) => {
    const means = runs.map((run) => run[model])
    const known = means.filter((mean) => mean !== undefined)
    return known.length === 0 || known.length < means.length
      ? undefined
      : (helmScores[model] ?? exactMean(known))
  })
  return all.map((score) => (score === undefined ? undefined : tiedScore(score, all)))
}
