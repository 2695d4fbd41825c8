import { coverageOf, isRanked, type BoardCell } from '../../../../targets/aggregate/board-cell.ts'
import { placeText, type Place } from '../../../../targets/aggregate/board-place.ts'
import type { BoardBenchmark } from '../../../../targets/aggregate/board-run.ts'
import type { Board, BoardRow } from '../../../../targets/aggregate/board.ts'
import { formatCount, formatRange, formatShare, formatValue, plural } from '../../format.ts'
import type { CellView, ColumnView, LeaderboardView } from './view.ts'
import { benchmarkPath, runPath } from '../../paths.ts'
import { visibleText } from '../../visible-text.ts'
import { positionOn, scaleOf, type Scale } from '../../scale.ts'

/** @param root prefix of every address: `../` for pages in a folder */
export const makeLeaderboardView = (board: Board, root = ''): LeaderboardView => {
  const scales = board.benchmarks.map(({ mainMetric }, column) =>
    scaleOf(
      mainMetric,
      board.rows.flatMap(({ cells }) => cells[column] ?? []),
    ),
  )
  const aggregates = aggregateColumns(board)
  return {
    suite: board.suite,
    caption: `${plural(board.rows.length, 'model')} on ${plural(board.benchmarks.length, 'benchmark')}`,
    columns: [
      ...aggregates.map(({ column }) => column),
      ...board.benchmarks.map((benchmark) => columnView(board.suite, benchmark, root)),
    ],
    rows: board.rows.map((row) => ({
      place: row.place === null ? '' : placeText(row.place),
      label: visibleText(row.label),
      origin: [visibleText(row.model.creator), row.model.access].filter((part) => part !== '').join(', '),
      cells: [
        ...aggregates.map(({ cell }) => cell(row)),
        ...row.cells.map((cell, column) => {
          const benchmark = board.benchmarks[column]
          const scale = scales[column]
          if (benchmark === undefined || scale === undefined) throw new RangeError(`no column ${column}`)
          return cellView(cell, { suite: board.suite, benchmark, scale, root })
        }),
      ],
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

const columnView = (suite: string, benchmark: BoardBenchmark, root: string): ColumnView => ({
  label: visibleText(benchmark.displayName),
  metric: visibleText(benchmark.mainMetric.displayName),
  ...betterOf(benchmark.mainMetric),
  href: root + benchmarkPath(suite, benchmark.name),
})

interface AggregateColumn {
  readonly column: ColumnView
  readonly cell: (row: BoardRow) => CellView
}

/** A mean over fewer than two columns says nothing that the columns do not. */
const aggregateColumns = (board: Board): readonly AggregateColumn[] => [
  ...(board.winRateColumns.length === 0
    ? []
    : [
        {
          column: { label: 'Win rate', metric: 'mean', better: 'higher' } as const,
          cell: (row: BoardRow) => winRateCell(row, board.winRateColumns.length),
        },
      ]),
  ...(board.macroColumns.length < 2
    ? []
    : [
        {
          column: {
            label: 'Average',
            metric: `of ${board.macroColumns.length} shares`,
            better: 'higher',
          } as const,
          cell: ({ macroAverage }: BoardRow) => plainCell(macroAverage),
        },
      ]),
]

const plainCell = (value: number | null): CellView => ({
  sort: value,
  text: value === null ? '–' : formatValue(value),
})

const winRateCell = ({ winRate, winRateColumns }: BoardRow, columns: number): CellView => ({
  ...plainCell(winRate),
  ...(winRate === null || winRateColumns === columns
    ? {}
    : { warning: `only ${winRateColumns} of ${columns} benchmarks` }),
})

const bestOf = (place: Place | null): Pick<CellView, 'best'> =>
  place?.rank === 1 ? { best: place.tied ? 'best=' : 'best' } : {}

/** Everything that one cell needs besides its numbers. */
export interface CellContext {
  readonly suite: string
  readonly benchmark: BoardBenchmark
  readonly scale: Scale
  readonly root: string
}

export const cellView = (cell: BoardCell, { suite, benchmark, scale, root }: CellContext): CellView => {
  const { value, interval } = cell
  if (cell.runs.length === 0) return { sort: null, text: '–', base: 'not run' }
  const [only] = cell.runs.length === 1 ? cell.runs : []
  const warning = warningOf(cell)
  return {
    sort: value,
    text: value === null ? '–' : formatValue(value),
    ...(interval === null ? {} : { range: formatRange(interval) }),
    ...(value === null || interval === null ? {} : { bar: barOf(value, interval, scale) }),
    base: cell.n === 0 && value !== null ? 'n not known' : `n ${formatCount(cell.n)}`,
    ...(warning === undefined ? {} : { warning }),
    ...(value === null || !isRanked(cell) ? {} : heatOf(value, scale, benchmark.mainMetric.lowerIsBetter)),
    ...bestOf(cell.place),
    href: root + (only === undefined ? benchmarkPath(suite, benchmark.name) : runPath(suite, only)),
  }
}

const barOf = (
  value: number,
  { low, high }: { readonly low: number; readonly high: number },
  scale: Scale,
): NonNullable<CellView['bar']> => ({
  low: positionOn(scale, low),
  value: positionOn(scale, value),
  high: positionOn(scale, high),
})

const HEAT_STEPS = 6

const heatOf = (value: number, scale: Scale, lowerIsBetter: boolean | undefined): Pick<CellView, 'heat'> => {
  if (lowerIsBetter === undefined) return {}
  const position = positionOn(scale, value)
  return { heat: Math.round((lowerIsBetter ? 1 - position : position) * HEAT_STEPS) }
}

const warningOf = (cell: BoardCell): string | undefined => {
  const coverage = coverageOf(cell)
  if (cell.value === null) return 'no value'
  if (coverage !== undefined && !isRanked(cell)) return `unranked: ${formatShare(coverage)} measured`
  const failed = cell.failures.reduce((sum, { count }) => sum + count, 0)
  return failed === 0 ? undefined : plural(failed, 'failure')
}
