import { isRanked, isThere, type BoardCell } from '../../../../targets/aggregate/board-cell.ts'
import { placeText } from '../../../../targets/aggregate/board-place.ts'
import type { BoardBenchmark } from '../../../../targets/aggregate/board-run.ts'
import { openRanks, type Board, type BoardRow } from '../../../../targets/aggregate/board.ts'
import { coveredShare } from '../../../../targets/record/coverage.ts'
import { doubtText } from '../../coverage-text.ts'
import { formatValue } from '../../format.ts'
import { benchmarkPath } from '../../paths.ts'
import { scaleOf } from '../../scale.ts'
import { visibleText } from '../../visible-text.ts'
import type { BoardData, ColumnData, ScoreData, Standing } from './board-data.ts'
import { rangeText, summaryColumns } from './summary-columns.ts'
import type { ColumnView } from './view.ts'

/** Where benchmarks without a place in the taxonomy stand. */
export const OTHER = 'Other'

/** What the leaderboard's script loads of a board. */
export const makeBoardData = (board: Board): BoardData => {
  const summaries = summaryColumns(board)
  const taken = new Set(summaries.map(({ column }) => column.key))
  return {
    suite: board.suite,
    columns: [
      ...summaries.map(({ column }) => column),
      ...board.benchmarks.map((benchmark, index) => columnData(board, benchmark, index, taken)),
    ],
    models: board.rows.map((row) => ({
      key: row.model.deployment,
      label: visibleText(row.label),
      creator: visibleText(row.model.creator),
      weights: visibleText(row.model.access),
      place: row.place === null ? '' : placeText(row.place),
      places: placesText(row),
      cells: [...summaries.map(({ cell }) => cell(row)), ...row.cells.map(scoreData)],
    })),
  }
}

/** Direction as header cells show it. */
export const betterOf = ({
  lowerIsBetter,
}: {
  readonly lowerIsBetter?: boolean
}): Pick<ColumnView, 'better'> =>
  lowerIsBetter === undefined ? {} : { better: lowerIsBetter ? 'lower' : 'higher' }

const columnData = (
  board: Board,
  benchmark: BoardBenchmark,
  index: number,
  taken: ReadonlySet<string>,
): ColumnData => ({
  key: taken.has(benchmark.name) ? `${benchmark.name}-benchmark` : benchmark.name,
  label: visibleText(benchmark.displayName),
  metric: visibleText(benchmark.mainMetric.displayName),
  ...betterOf(benchmark.mainMetric),
  href: benchmarkPath(board.suite, benchmark.name),
  benchmark: {
    category: visibleText(benchmark.category ?? OTHER),
    subcategory: visibleText(benchmark.subcategory ?? ''),
    access: benchmark.access,
  },
  scale: scaleOf(
    benchmark.mainMetric,
    board.rows.flatMap(({ cells }) => cells[index] ?? []),
  ),
})

/** `1–4`. */
const placesText = ({ rank }: BoardRow): string => {
  const ranks = openRanks(rank)
  return ranks === undefined ? '' : rangeText(ranks)
}

export const scoreData = (cell: BoardCell): ScoreData => {
  if (!isThere(cell)) return 0
  const { value, interval, n } = cell
  const coverage = coveredShare(cell)
  return trimmed([
    value === null ? null : shortened(value),
    interval === null ? null : shown(interval.low),
    interval === null ? null : shown(interval.high),
    n === 0 && value !== null ? -1 : n,
    standingOf(cell),
    coverage === undefined ? 2 : coverage === 1 ? 0 : 1,
    value === null ? 'no value' : doubtText(cell),
    cell.groups,
    calibratedData(cell),
  ])
}

const calibratedData = ({ calibrated }: BoardCell): Required<Score>[8] =>
  calibrated === null
    ? 0
    : [
        shown(calibrated.value),
        calibrated.interval === null ? null : shown(calibrated.interval.low),
        calibrated.interval === null ? null : shown(calibrated.interval.high),
        calibrated.labels,
      ]

type Score = Exclude<ScoreData, 0>

const trimmed = (score: Required<Score>): Score => {
  const used = score.findLastIndex((part) => part !== '' && part !== 0 && part !== null)
  return score.slice(0, Math.max(used, 0) + 1) as unknown as Score
}

/** What `formatValue` shows of it. */
const shown = (value: number): number => Number(formatValue(value).replace('−', '-'))

/** Six digits order a column; all of them where six would be shown otherwise. */
const shortened = (value: number): number => {
  const short = Number(value.toPrecision(6))
  return formatValue(short) === formatValue(value) ? short : value
}

const standingOf = (cell: BoardCell): Standing => {
  if (!isRanked(cell)) return -1
  if (cell.place?.rank !== 1) return 0
  return cell.place.tied ? 2 : 1
}
