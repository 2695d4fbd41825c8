import { rankModelsInSteps } from '../compare/ranks/rank-models.ts'
import type { RankColumn } from '../compare/ranks/rank-column.ts'
import type { ColumnTests } from '../compare/ranks/column-tests.ts'
import { finish, type Steps } from '../statistics/steps.ts'
import type { Board, RankUncertainty } from './board.ts'
import { stretchesOf } from './stretches.ts'

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
  const { models, likeTheseReason } = yield* rankModelsInSteps(
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
    }
  })
}
