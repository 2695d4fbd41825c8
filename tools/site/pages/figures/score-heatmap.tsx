import type { JSX } from 'preact'
import { isRanked, type BoardCell } from '../../../../targets/board/board-cell.ts'
import type { Board } from '../../../../targets/board/board.ts'
import { formatValue } from '../../../compare/number-text.ts'
import { scaleOf } from '../../content/scale.ts'
import { visibleText } from '../../visible-text.ts'
import { heatOf } from './heat.ts'
import { categoriesOf } from './categories-of.ts'
import type { Drawing, FigureContent } from './figure.tsx'
import { shortened, Turned } from './labels.tsx'

const CELL = { width: 46, height: 22 }
const LABELS = 190
const HEAD = 140
const GROUP = 26
/** Up to here models stand side by side; more of them stand below each other. */
const SIDE_BY_SIDE = 20

interface Entry {
  readonly label: string
  readonly index: number
}

interface Group {
  readonly name: string
  readonly entries: readonly Entry[]
}

/** Every score of the board, shaded: the paper's figure 3. */
export const scoreHeatmap = (board: Board): FigureContent => {
  const models = [
    {
      name: '',
      entries: board.rows.map(({ label }, index) => ({ label: visibleText(label), index })),
    },
  ]
  const benchmarks = categoriesOf(board).map(({ name, columns }) => ({
    name: visibleText(name),
    entries: columns.map((index) => ({
      label: visibleText(board.benchmarks[index]?.displayName ?? ''),
      index,
    })),
  }))
  const cellAt = cellOf(board)
  const beside = board.rows.length <= SIDE_BY_SIDE
  return {
    id: 'scores',
    title: 'Scores by benchmark',
    caption: `The mean of each benchmark’s main metric; models in the order of their places. Deeper is better, on the metric’s own range. Numbers after ~ are not ranked, – was not run.`,
    drawing: beside
      ? matrix(benchmarks, models, (row, column) => cellAt(column, row))
      : matrix(models, benchmarks, cellAt),
    table: {
      head: [
        { text: 'Benchmark' },
        ...board.rows.map(({ label }) => ({ text: visibleText(label), number: true })),
      ],
      rows: board.benchmarks.map(({ displayName }, column) => [
        visibleText(displayName),
        ...board.rows.map(({ cells }) => textOf(cells[column])),
      ]),
    },
  }
}

const textOf = (cell: BoardCell | undefined): string =>
  cell === undefined || cell.value === null ? '–' : `${isRanked(cell) ? '' : '~'}${formatValue(cell.value)}`

interface MatrixCell {
  readonly text: string
  readonly heat: number | undefined
}

const cellOf = (board: Board): ((model: number, benchmark: number) => MatrixCell) => {
  const scales = board.benchmarks.map(({ mainMetric }, column) =>
    scaleOf(
      mainMetric,
      board.rows.flatMap(({ cells }) => cells[column] ?? []),
    ),
  )
  return (model, benchmark) => {
    const cell = board.rows[model]?.cells[benchmark]
    const [scale, metric] = [scales[benchmark], board.benchmarks[benchmark]?.mainMetric]
    const shaded = cell !== undefined && cell.value !== null && isRanked(cell)
    return {
      text: textOf(cell),
      heat:
        shaded && scale !== undefined && metric?.lowerIsBetter !== undefined
          ? heatOf(cell.value, scale, metric.lowerIsBetter)
          : undefined,
    }
  }
}

/** Rows under the names of their groups; groups of columns a gap apart. */
const matrix = (
  rows: readonly Group[],
  columns: readonly Group[],
  cellAt: (row: number, column: number) => MatrixCell,
): Drawing => {
  const across = columns.flatMap(({ entries }, group) =>
    entries.map((entry, index) => ({ entry, gap: group * 6, first: index === 0, group })),
  )
  const xs = across.map(({ gap }, index) => LABELS + index * CELL.width + gap)
  const content: JSX.Element[] = across.map(({ entry }, index) => (
    <Turned
      key={`c${entry.index}`}
      x={(xs[index] ?? 0) + CELL.width / 2}
      y={HEAD - 8}
      text={shortened(entry.label, 26)}
    />
  ))
  let y = HEAD
  for (const { name, entries } of rows) {
    if (name !== '') {
      y += GROUP
      content.push(
        <text key={`g${name}`} class="group" x={0} y={y - 7}>
          {name}
        </text>,
      )
    }
    for (const { label, index: row } of entries) {
      content.push(
        <MatrixRow
          key={`r${row}`}
          label={label}
          y={y}
          xs={xs}
          cells={across.map(({ entry }) => cellAt(row, entry.index))}
        />,
      )
      y += CELL.height
    }
  }
  return { width: (xs.at(-1) ?? LABELS) + CELL.width + 80, height: y + 4, content }
}

const MatrixRow = ({
  label,
  y,
  xs,
  cells,
}: {
  readonly label: string
  readonly y: number
  readonly xs: readonly number[]
  readonly cells: readonly MatrixCell[]
}): JSX.Element => (
  <g>
    <text x={LABELS - 8} y={y + 15} class="end">
      {shortened(label, 28)}
    </text>
    {cells.map(({ text, heat }, index) => (
      <g key={xs[index]}>
        {heat === undefined ? null : (
          <rect class={`fill-${heat}`} x={xs[index]} y={y} width={CELL.width} height={CELL.height} />
        )}
        <text class="middle" x={(xs[index] ?? 0) + CELL.width / 2} y={y + 15}>
          {text}
        </text>
      </g>
    ))}
  </g>
)
