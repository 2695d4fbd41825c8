import { rankModelsInSteps } from '../compare/ranks/rank-models.ts'
import type { RankColumn } from '../compare/ranks/rank-column.ts'
import type { ColumnTests, UnitColumn } from '../compare/ranks/column-tests.ts'
import { averageOf } from '../compare/ranks/rank-by-average.ts'
import type { Interval } from '../statistics/intervals/wilson.ts'
import { finish, type Steps } from '../statistics/scale.ts'
import type { Board, RankUncertainty } from './board.ts'
import { stretchesOf } from './stretches.ts'

/** Ranks by average that a model may hold on these very benchmarks, with 95 %; undefined where nothing tells. */
export const openRanks = (rank: RankUncertainty | null): Interval | undefined =>
  rank?.average?.onThese.marginal

/**
 * How sure the rows' places are, by row. Null for all where the values of a compared column are not at hand: doubt about
 * fewer columns would be doubt about another place.
 *
 * @param columns tests of the board's columns
 */
export const rankUncertainties = (
  { benchmarks, rows, winRateColumns }: Board,
  columns: readonly (ColumnTests | undefined)[],
): readonly (RankUncertainty | null)[] => {
  const compared = benchmarks.flatMap(({ name, mainMetric: { lowerIsBetter } }, index) => {
    if (!winRateColumns.includes(name) || lowerIsBetter === undefined) return []
    const tests = columns[index]
    return [tests && { tests, column: { ...tests.column, lowerIsBetter } }]
  })
  const known = compared.filter((column) => column !== undefined)
  if (known.length === 0 || known.length < compared.length) return rows.map(() => null)
  return finish(
    rankDoubtsOf(
      rows.map(({ model }) => model.deployment),
      known,
    ),
  )
}

/** A column that is compared, with its tests. */
export interface TestedColumn {
  readonly column: RankColumn
  readonly tests: ColumnTests
}

/** By model; null for one that is not ranked in all columns. */
export function* rankDoubtsOf(
  names: readonly string[],
  known: readonly TestedColumn[],
): Steps<readonly (RankUncertainty | null)[]> {
  const { models, likeTheseReason, untold } = yield* rankModelsInSteps(
    names,
    known.map(({ column }) => column),
    known.map(({ tests }) => tests),
  )
  const byName = new Map(models.map((model) => [model.name, model]))
  const rows = new Map(names.map((name, row) => [name, row]))
  return names.map((name) => {
    const model = byName.get(name)
    if (model === undefined) return null
    const { winRateOnThese, winRateLikeThese, average } = model
    const behind = model.behind.flatMap((each) => rows.get(each) ?? []).toSorted((a, b) => a - b)
    return {
      winRate: winRateOnThese,
      winRateLikeThese,
      average,
      behind: stretchesOf(behind),
      likeTheseReason,
      ...(untold.oneSource.length + untold.unshared.length > 0 && { untold }),
    }
  })
}

/**
 * 95 % of each row's average on these very benchmarks, also of a row that nothing ranks; null where it has no average, or
 * values of an averaged column are not at hand.
 *
 * @param columns tests of the board's columns
 */
export const averageIntervals = (
  { benchmarks, rows, averageColumns }: Board,
  columns: readonly (ColumnTests | undefined)[],
): readonly (Interval | null)[] => {
  const units = benchmarks.flatMap(({ name, mainMetric: { lowerIsBetter } }, index) =>
    averageColumns.includes(name) ? [columns[index]?.unit(lowerIsBetter === true)] : [],
  )
  return intervalsOver(
    units,
    rows.map(({ average }) => average !== null),
  )
}

/** The same of averages over any columns. @param has by row: it has an average over them */
export const intervalsOver = (
  units: readonly (UnitColumn | undefined)[],
  has: readonly boolean[],
): readonly (Interval | null)[] => {
  const known = units.filter((unit) => unit !== undefined)
  return has.map((is, row) =>
    is && known.length === units.length ? (averageOf(known, row)?.interval ?? null) : null,
  )
}
