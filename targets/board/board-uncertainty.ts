import { columnTests, type BoardValues } from './board-columns.ts'
import type { Interval } from '../statistics/intervals/wilson.ts'
import { averageIntervals, rankUncertainties } from './board-ranks.ts'
import { standingColumn, type Board, type RankUncertainty } from './board.ts'
import { lettersByTests } from '../statistics/multiple/letters.ts'
import type { ColumnTests } from '../compare/ranks/column-tests.ts'
import { ALPHA } from '../statistics/scale.ts'

/** What is added to a board, by row: the doubt about its average and place, and of each cell its groups. */
export type BoardUncertainty = readonly {
  readonly average: Interval | null
  readonly rank: RankUncertainty | null
  readonly groups: readonly string[]
}[]

/** Reckons how sure a board's order is. Takes seconds for a hundred models: see `withUncertainty`. */
export const boardUncertainty = (board: Board, values: readonly BoardValues[]): BoardUncertainty => {
  const columns = columnTests(board, values)
  const [ranks, averages] = [rankUncertainties(board, columns), averageIntervals(board, columns)]
  const groups = board.benchmarks.map((benchmark, index) => {
    const tests = columns[index]
    const { values: scores } = standingColumn(
      benchmark,
      board.rows.map(({ cells }) => cells[index]),
    )
    return tests && columnGroups(tests, scores, benchmark.mainMetric.lowerIsBetter)
  })
  return board.rows.map((_, row) => ({
    average: averages[row] ?? null,
    rank: ranks[row] ?? null,
    groups: groups.map((letters) => letters?.[row] ?? ''),
  }))
}

export const withUncertainty = (board: Board, uncertainty: BoardUncertainty): Board => ({
  ...board,
  rows: board.rows.map((row, index) => ({
    ...row,
    averageInterval: uncertainty[index]?.average ?? null,
    rank: uncertainty[index]?.rank ?? null,
    cells: row.cells.map((cell, column) => ({ ...cell, groups: uncertainty[index]?.groups[column] ?? '' })),
  })),
})

/**
 * Letters of a column's models: two share one exactly where no paired test parts them (Holm over all pairs of the column,
 * 5 %; Piepho 2004).
 *
 * @param scores the ranked models' scores, by row; undefined for a row that takes no part
 * @returns by row, '' where there is nothing to compare
 */
export const columnGroups = (
  tests: ColumnTests,
  scores: readonly (number | undefined)[],
  lowerIsBetter: boolean | undefined,
): readonly string[] => {
  const none = scores.map(() => '')
  if (lowerIsBetter === undefined) return none
  const order = scores
    .flatMap((score, row) => (score === undefined ? [] : [{ row, score }]))
    .sort((a, b) => (lowerIsBetter ? a.score - b.score : b.score - a.score) || a.row - b.row)
    .map(({ row }) => row)
  const letters = lettersByTests(order.length, (a, b) => tests.of(order[a] ?? a, order[b] ?? b).p, ALPHA)
  for (const [place, row] of order.entries()) none[row] = letters[place] ?? ''
  return none
}
