import { OTHER } from '../analysis/score-table.ts'
import { columnTests, type BoardValues } from './board-columns.ts'
import type { Interval } from '../statistics/intervals/wilson.ts'
import { averageIntervals, rankUncertainties } from './board-ranks.ts'
import { type Board, type RankUncertainty, standingColumn, reachedFields } from './board.ts'
import { standings } from './standings.ts'

/** Benchmarks that are asked about together. */
interface BoardTask {
  /** Empty for the whole board. */
  readonly category: string
  /** Empty for the whole category. */
  readonly subcategory: string
  /** Names, in the board's order. */
  readonly benchmarks: readonly string[]
}

/** A task with how sure the places over its benchmarks are. */
export interface RankedTask extends BoardTask {
  /** In the order of the board's rows. */
  readonly ranks: readonly (RankUncertainty | null)[]
  /** 95 % of the averages over it. */
  readonly averages: readonly (Interval | null)[]
}

/**
 * The board's categories and subcategories, in its order, but those that hold all of its benchmarks. What is of none is one,
 * too.
 */
export const boardTasks = ({ benchmarks }: Board): readonly BoardTask[] => {
  const tasks = new Map<string, { category: string; subcategory: string; benchmarks: string[] }>()
  for (const { name, category = OTHER, subcategory = '' } of benchmarks)
    for (const part of new Set(['', subcategory])) {
      const key = JSON.stringify([category, part])
      const known = tasks.get(key)
      if (known === undefined) tasks.set(key, { category, subcategory: part, benchmarks: [name] })
      else known.benchmarks.push(name)
    }
  return [...tasks.values()].filter((task) => task.benchmarks.length < benchmarks.length)
}

/** The part of a board that holds some benchmarks alone: what makeBoard would make of their runs, rows in the same order. */
export const boardOfTask = (board: Board, names: readonly string[]): Board => {
  const chosen = board.benchmarks.flatMap(({ name }, at) => (names.includes(name) ? [at] : []))
  const benchmarks = chosen.flatMap((at) => board.benchmarks[at] ?? [])
  const reached = standings(
    chosen.flatMap((at) => {
      const benchmark = board.benchmarks[at]
      return benchmark === undefined
        ? []
        : [
            standingColumn(
              benchmark,
              board.rows.map(({ cells }) => cells[at]),
            ),
          ]
    }),
    board.rows.length,
  )
  const named = (is: readonly boolean[]): readonly string[] =>
    benchmarks.flatMap(({ name }, at) => (is[at] === true ? [name] : []))
  return {
    suite: board.suite,
    benchmarks,
    rows: board.rows.map((row, index) => ({
      ...row,
      ...reachedFields(reached.rows[index]),
      averageInterval: null,
      rank: null,
      spent: null,
      cells: chosen.flatMap((at) => row.cells[at] ?? []),
    })),
    winRateColumns: named(reached.isCompared),
    averageColumns: named(reached.isAveraged),
  }
}

/** How sure places are within each task of a board, by the same tests as over all of it. */
export const rankedTasks = (board: Board, values: readonly BoardValues[]): readonly RankedTask[] => {
  const columns = new Map(
    columnTests(board, values).map((column, at) => [board.benchmarks[at]?.name ?? '', column]),
  )
  return boardTasks(board).map((task) => {
    const part = boardOfTask(board, task.benchmarks)
    const own = task.benchmarks.map((name) => columns.get(name))
    return { ...task, ranks: rankUncertainties(part, own), averages: averageIntervals(part, own) }
  })
}
