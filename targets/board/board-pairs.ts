import { adjustHolm, summarizePair, type PairSummary } from '../compare/compare-sides.ts'
import { pairSides } from '../compare/ranks/rank-column.ts'
import { boardColumns, type BoardColumn, type BoardValues } from './board-columns.ts'
import type { Board } from './board.ts'

/** Two ranked models of a benchmark; the difference is B − A, A the better placed. */
export interface BoardPair extends PairSummary {
  /** Deployments. */
  readonly a: string
  readonly b: string
  /** Holm's adjustment over the pairs that are listed; null without a p. */
  readonly holm: number | null
}

/** How the ranked models of a benchmark differ. */
export interface ColumnPairs {
  readonly benchmark: string
  /** `all` pairs, or those with the `best` placed model where models are many. */
  readonly of: 'all' | 'best'
  readonly pairs: readonly BoardPair[]
}

/** Models up to which all pairs are listed. */
const ALL_PAIRS = 12

/** By benchmark, in the board's order. None for a benchmark whose values are not at hand, or with nothing to compare. */
export const boardPairs = (board: Board, values: readonly BoardValues[]): readonly ColumnPairs[] => {
  const columns = boardColumns(board, values)
  return board.benchmarks.flatMap((benchmark, index) => {
    const column = columns[index]
    const own = column && columnPairs(board, index, column)
    return own === undefined || own.pairs.length === 0 ? [] : [{ benchmark: benchmark.name, ...own }]
  })
}

const columnPairs = (
  { rows, benchmarks }: Board,
  index: number,
  column: BoardColumn,
): Omit<ColumnPairs, 'benchmark'> => {
  const metric = benchmarks[index]?.mainMetric ?? { isBinary: false }
  const order = rows
    .flatMap(({ cells, model }, row) => {
      const cell = cells[index]
      const place = cell?.place?.rank
      return place === undefined ? [] : [{ row, place, deployment: model.deployment }]
    })
    .sort((one, two) => one.place - two.place || one.row - two.row)
  const of = order.length <= ALL_PAIRS ? 'all' : 'best'
  const pairs: Omit<BoardPair, 'holm'>[] = []
  for (const [at, a] of order.entries()) {
    if (of === 'best' && at > 0) break
    for (const b of order.slice(at + 1)) {
      const summary = summarizePair(pairSides(column, a.row, b.row), metric)
      if (summary !== undefined) pairs.push({ a: a.deployment, b: b.deployment, ...summary })
    }
  }
  return { of, pairs: adjustHolm(pairs).filter((pair) => pair !== null) }
}
