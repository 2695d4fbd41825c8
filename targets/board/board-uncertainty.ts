import { columnTests, type BoardValues } from './board-columns.ts'
import { columnGroups } from './board-groups.ts'
import { rankUncertainties } from './board-ranks.ts'
import { standingColumn, type Board, type RankUncertainty } from './board.ts'

/** What is added to a board, by row: the doubt about its place, and of each cell its groups. */
export type BoardUncertainty = readonly {
  readonly rank: RankUncertainty | null
  readonly groups: readonly string[]
}[]

/** Reckons how sure a board's order is. Takes seconds for a hundred models: see `withUncertainty`. */
export const boardUncertainty = (board: Board, values: readonly BoardValues[]): BoardUncertainty => {
  const columns = columnTests(board, values)
  const ranks = rankUncertainties(board, columns)
  const groups = board.benchmarks.map((benchmark, index) => {
    const tests = columns[index]
    const { values: scores } = standingColumn(
      benchmark,
      board.rows.map(({ cells }) => cells[index]),
    )
    return tests && columnGroups(tests, scores, benchmark.mainMetric.lowerIsBetter)
  })
  return board.rows.map((_, row) => ({
    rank: ranks[row] ?? null,
    groups: groups.map((letters) => letters?.[row] ?? ''),
  }))
}

export const withUncertainty = (board: Board, uncertainty: BoardUncertainty): Board => ({
  ...board,
  rows: board.rows.map((row, index) => ({
    ...row,
    rank: uncertainty[index]?.rank ?? null,
    cells: row.cells.map((cell, column) => ({ ...cell, groups: uncertainty[index]?.groups[column] ?? '' })),
  })),
})
