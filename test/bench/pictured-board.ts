import type { Board, BoardRow } from '../../targets/board/board.ts'
import { madeUpBoard } from './made-up-board.ts'

/** Win rates and shares of a scale closer than this are not told apart. */
const NEAR = 0.12

/** A made-up board for pictures: all is measured in full, ranks and groups are as the scores have it. */
export const picturedBoard = (): Board => {
  const board = madeUpBoard({ models: 15, benchmarks: 35 }, (run) => ({
    ...run,
    coverage: { ...run.coverage, measured: run.coverage.evaluated },
  }))
  const ranked = board.rows.filter(({ place }) => place !== null)
  const rates = ranked.map(({ winRate }) => winRate ?? 0)
  const best = Math.max(...rates)
  const chanceOf = (rate: number): number => (best - rate > NEAR ? 0 : Math.exp((rate - best) * 20))
  const chances = rates.reduce((sum, rate) => sum + chanceOf(rate), 0)
  const rankOf = ({ winRate, place, rank }: BoardRow): BoardRow['rank'] => {
    if (winRate === null || place === null || rank === null || rank.average === null) return rank
    const low = 1 + rates.filter((rate) => rate > winRate + NEAR).length
    const high = rates.length - rates.filter((rate) => rate < winRate - NEAR).length
    const ranks = { low, high }
    const onThese = { marginal: ranks, simultaneous: ranks }
    return { ...rank, average: { ...rank.average, onThese, first: chanceOf(winRate) / chances } }
  }
  const isNearBest = (column: number, value: number): boolean => {
    const values = ranked.map(({ cells }) => cells[column]?.value ?? 0)
    const { low = 0, high = 1 } = board.benchmarks[column]?.mainMetric.range ?? {}
    return Math.max(...values) - value <= NEAR * (high - low)
  }
  return {
    ...board,
    rows: board.rows.map((row) => ({
      ...row,
      rank: rankOf(row),
      cells: row.cells.map((cell, column) => ({
        ...cell,
        groups: cell.value !== null && isNearBest(column, cell.value) ? 'a' : 'b',
      })),
    })),
  }
}
