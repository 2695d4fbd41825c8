import { isRanked } from './board-cell.ts'
import { columnTests, type RunValues } from './board-columns.ts'
import { columnGroups } from './board-groups.ts'
import { rankDoubts } from './board-ranks.ts'
import type { Board, RankDoubt } from './board.ts'

/** What is added to a board, by row: the doubt about its place, and of each cell its groups. */
export type BoardDoubt = readonly { readonly rank: RankDoubt | null; readonly groups: readonly string[] }[]

/** Reckons how sure a board's order is. Takes seconds for a hundred models: see `withDoubt`. */
export const boardDoubt = (board: Board, values: readonly RunValues[]): BoardDoubt => {
  const columns = columnTests(board, values)
  const ranks = rankDoubts(board, columns)
  const groups = board.benchmarks.map(({ mainMetric }, index) => {
    const tests = columns[index]
    const scores = board.rows.map(({ cells }) => {
      const cell = cells[index]
      return cell !== undefined && isRanked(cell) ? (cell.value ?? undefined) : undefined
    })
    return tests && columnGroups(tests, scores, mainMetric.lowerIsBetter)
  })
  return board.rows.map((_, row) => ({
    rank: ranks[row] ?? null,
    groups: groups.map((letters) => letters?.[row] ?? ''),
  }))
}

export const withDoubt = (board: Board, doubt: BoardDoubt): Board => ({
  ...board,
  rows: board.rows.map((row, index) => ({
    ...row,
    rank: doubt[index]?.rank ?? null,
    cells: row.cells.map((cell, column) => ({ ...cell, groups: doubt[index]?.groups[column] ?? '' })),
  })),
})
