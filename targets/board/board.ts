import { compareCodePoints } from '../../benchmarks/python/text.ts'
import { groupBy } from '../../cache/lists.ts'
import { boardCell, isRanked, withTies, type BoardCell } from './board-cell.ts'
import { countedRuns } from '../compare/ranks/rank-column.ts'
import { scenarioOf } from '../runs/board-metric.ts'
import { place, type RankPlace } from '../compare/ranks/rank-place.ts'
import type { BoardBenchmark, BoardModel, BoardRun } from '../runs/board-run.ts'
import type { AverageRank, UntoldBenchmarks } from '../compare/ranks/rank-by-average.ts'
import type { Interval } from '../statistics/intervals/wilson.ts'
import { OFF_SCALE } from '../statistics/scale.ts'
import { isComparedColumn, standings, type RowStanding, type StandingColumn } from './standings.ts'

/** A model's row: one cell a benchmark of the board, in its order. */
export interface BoardRow {
  readonly model: BoardModel
  /** The display name; with the deployment where two rows would read the same. */
  readonly label: string
  /** Mean win rate as HELM forms it, over the ranked cells; null without any. */
  readonly winRate: number | null
  /** Columns that the win rate rests on: win rates over different columns are not comparable. */
  readonly winRateColumns: number
  /** Mean of the cells of `Board.averageColumns`, each as a share of its scale; null unless all of them are ranked. */
  readonly average: number | null
  /** By win rate; null unless the model is ranked in all of `Board.winRateColumns`. */
  readonly place: RankPlace | null
  /** 95 % of the average on these very benchmarks; null where nothing tells. */
  readonly averageInterval: Interval | null
  /** How sure the place is; null where nothing tells. */
  readonly rank: RankUncertainty | null
  /** Tokens, cost and time of the row's runs; null where no run tells. */
  readonly spent: Spent | null
  readonly cells: readonly BoardCell[]
}

/** What is known of a place: on these very benchmarks, and on benchmarks like these, apart. */
export interface RankUncertainty {
  /** 95 %, on these benchmarks: wins and losses that paired tests let stand. */
  readonly winRate: Interval | null
  /** 95 %, on a further benchmark like these. */
  readonly winRateLikeThese: Interval | null
  /** Rank sets by the average over the benchmarks' scales; null where the row lacks one, or no scale has ends. */
  readonly average: AverageRank | null
  /**
   * Who is surely ahead of it by that average, as its set of ranks on these benchmarks counts them: first and last of each
   * stretch of rows. Absent in releases that were made before it was told.
   */
  readonly behind?: readonly number[]
  /** Why nothing is said of benchmarks like these; empty else. */
  readonly likeTheseReason: string
  /** Benchmarks that keep models from being told apart; absent where none does. */
  readonly untold?: UntoldBenchmarks
}

/** What a model's answers took. Judges' calls are not in it: they depend on the jury, not on the model. */
export interface Spent {
  readonly calls: number
  /** Null where a reply told none. */
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** Mean seconds of a call; null where none was timed. */
  readonly latency: number | null
  /** US dollars at the price file's prices; null where a price or a usage is not known. */
  readonly usd: number | null
}

/** A suite's results, models × benchmarks: plain JSON, the same for the same records. */
export interface Board {
  readonly suite: string
  readonly benchmarks: readonly BoardBenchmark[]
  /** Best win rate first, those without a place last, then by label. */
  readonly rows: readonly BoardRow[]
  /** Names of the benchmarks that win rates compare: a known direction and two ranked cells or more. */
  readonly winRateColumns: readonly string[]
  /**
   * Names of the benchmarks that averages are of: as many ranked cells as win rates want (or one, on a board of one
   * model), a known direction, and a scale with ends that all values lie on.
   */
  readonly averageColumns: readonly string[]
}

/** The board of one suite. Benchmarks stand in the order in which the runs first name them. */
export const makeBoard = (suite: string, runs: readonly BoardRun[]): Board => {
  const benchmarks = [...new Map(runs.map(({ benchmark }) => [benchmark.name, benchmark])).values()]
  const models = [...new Map(runs.map(({ model }) => [model.deployment, model])).values()]
  // A cell's runs, sorted by name as HELM reads them.
  const byCell = groupBy(
    runs.toSorted((a, b) => compareCodePoints(a.name, b.name)),
    ({ model, benchmark }) => cellKey(model.deployment, benchmark.name),
  )
  const tied = benchmarks.map((benchmark) =>
    columnCells(
      models.map(({ deployment }) => byCell.get(cellKey(deployment, benchmark.name)) ?? []),
      benchmark,
    ),
  )
  const grid = models.map((_, row) => tied.flatMap((column) => column[row] ?? []))
  const columns = benchmarks.map((benchmark, index) =>
    standingColumn(
      benchmark,
      grid.map((row) => row[index]),
    ),
  )
  const { rows: reached, isCompared, isAveraged } = standings(columns, models.length)
  const cells = grid.map((row) => row.map((cell, index) => placed(cell, columns[index])))
  const rows = models.map((model, index): BoardRow => ({
    model,
    label: labelOf(model, models),
    ...reachedFields(reached[index]),
    averageInterval: null,
    rank: null,
    spent: null,
    cells: cells[index] ?? [],
  }))
  return {
    suite,
    benchmarks,
    rows: rows.sort(byWinRate),
    winRateColumns: namesOf(benchmarks, isCompared),
    averageColumns: namesOf(benchmarks, isAveraged),
  }
}

/** One column's cells, by the runs that its models share. @param byModel each model's runs, sorted by name */
const columnCells = (
  byModel: readonly (readonly BoardRun[])[],
  benchmark: BoardBenchmark,
): readonly BoardCell[] =>
  withTies(
    countedRuns(byModel, ({ name }) => scenarioOf(name)).map(({ runs, leftOut, missing }) => ({
      ...boardCell(runs, benchmark),
      ...(missing > 0 && { missingRuns: missing }),
      ...(leftOut.length > 0 && { leftOutRuns: leftOut.map(({ name }) => name) }),
    })),
  )

/** What a row reaches over a board's columns. Its average is null unless it is ranked in all that averages are of. */
export const reachedFields = (
  row: RowStanding | undefined,
): Pick<BoardRow, 'winRate' | 'winRateColumns' | 'average' | 'place'> => ({
  winRate: row?.winRate ?? null,
  winRateColumns: row?.compared ?? 0,
  average: row !== undefined && row.average.ranked === row.average.of ? row.average.mean : null,
  place: row?.place ?? null,
})

const cellKey = (deployment: string, benchmark: string): string => JSON.stringify([deployment, benchmark])

const namesOf = (benchmarks: readonly BoardBenchmark[], chosen: readonly boolean[]): readonly string[] =>
  benchmarks.filter((_, index) => chosen[index] === true).map(({ name }) => name)

const labelOf = ({ displayName, deployment }: BoardModel, models: readonly BoardModel[]): string =>
  models.filter((other) => other.displayName === displayName).length > 1
    ? `${displayName} [${deployment}]`
    : displayName

/** A benchmark's ranked scores. @param cells by row */
export const standingColumn = (
  { mainMetric: { lowerIsBetter, range } }: Pick<BoardBenchmark, 'mainMetric'>,
  cells: readonly (BoardCell | undefined)[],
): StandingColumn => ({
  ...(lowerIsBetter === undefined ? {} : { lowerIsBetter }),
  ...(range === undefined || isOffScale(cells) ? {} : { range }),
  values: cells.map((cell) => (cell !== undefined && isRanked(cell) ? (cell.score ?? undefined) : undefined)),
})

/** Whether values of a column's ranked cells lie off its scale, so that they are no shares of it. */
export const isOffScale = (cells: readonly (BoardCell | undefined)[]): boolean =>
  cells.some((cell) => cell !== undefined && isRanked(cell) && cell.intervalReason.includes(OFF_SCALE))

const placed = (cell: BoardCell, column: StandingColumn | undefined): BoardCell =>
  column === undefined || !isComparedColumn(column) || !isRanked(cell)
    ? cell
    : { ...cell, place: place(cell.score ?? undefined, column.values, column.lowerIsBetter === true) }

const byWinRate = (a: BoardRow, b: BoardRow): number =>
  (a.place?.rank ?? Infinity) - (b.place?.rank ?? Infinity) ||
  compareCodePoints(a.label, b.label) ||
  compareCodePoints(a.model.deployment, b.model.deployment)
