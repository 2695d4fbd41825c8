import type { JSX } from 'preact'
import type { Board } from '../../../../targets/board/board.ts'
import type { Dropout, DropoutRow } from '../../../../targets/jury/study/dropout.ts'
import { formatValue } from '../../../compare/number-text.ts'
import { visibleText } from '../../visible-text.ts'
import { linearAxis, tenth, type Axis } from './axis.ts'
import type { Drawing, FigureContent } from './figure.tsx'
import { shortened } from './labels.tsx'
import { ScaleLines } from './scale-lines.tsx'

const LABELS = 220
const SCALE = 560
const HEAD = 30
const PANEL_HEAD = 34
const PANEL_FOOT = 34
const ROW = 22

/** What the jury's scores would be without each judge. */
export const juryDropout = ({ rows }: Board, all: readonly Dropout[]): FigureContent => {
  // Without its only judge a jury says nothing.
  const dropout = all.filter(({ swaps }) => swaps.size > 1)
  const names = new Map(rows.map(({ model, label }) => [model.deployment, visibleText(label)]))
  const nameOf = (model: string): string => names.get(model) ?? visibleText(model)
  const judges = [...new Set(dropout.flatMap(({ swaps }) => [...swaps.keys()]))]
  return {
    id: 'jury',
    title: 'The jury without each judge',
    caption:
      'Mean jury scores with all judges, and without each of them. Marks that stand far from the point show how much one judge decides; the table counts the pairs of models that swap places.',
    missing: 'No benchmark of this suite has a jury of two judges or more whose judgements are at hand.',
    drawing: dropout.length === 0 ? undefined : panels(dropout, judges, nameOf),
    table: {
      head: [
        { text: 'Benchmark' },
        { text: 'Model' },
        { text: 'All judges', number: true },
        ...judges.map((judge) => ({ text: `Without ${visibleText(judge)}`, number: true })),
      ],
      rows: dropout.flatMap(({ benchmark, rows: own, swaps }) => [
        ...own.map(({ model, all, without }) => [
          visibleText(benchmark),
          nameOf(model),
          standingText(all),
          ...judges.map((judge) => standingText(without.get(judge))),
        ]),
        [
          visibleText(benchmark),
          'pairs that swap',
          '',
          ...judges.map((judge) => String(swaps.get(judge) ?? '–')),
        ],
      ]),
    },
  }
}

const standingText = (standing: DropoutRow['all'] | undefined): string =>
  standing === undefined ? '–' : `${formatValue(standing.score)} (${standing.rank})`

const panels = (
  dropout: readonly Dropout[],
  judges: readonly string[],
  nameOf: (model: string) => string,
): Drawing => {
  const content: JSX.Element[] = [<Legend key="legend" judges={judges} />]
  let top = HEAD
  for (const { benchmark, rows } of dropout) {
    content.push(
      <Panel key={benchmark} title={benchmark} rows={rows} judges={judges} top={top} nameOf={nameOf} />,
    )
    top += PANEL_HEAD + rows.length * ROW + PANEL_FOOT
  }
  return { width: LABELS + SCALE + 20, height: top, content }
}

const Legend = ({ judges }: { readonly judges: readonly string[] }): JSX.Element => (
  <g>
    <circle class="dot" cx={LABELS + 6} cy={12} r={4} />
    <text x={LABELS + 16} y={16}>
      all judges
    </text>
    {judges.map((judge, index) => {
      const x = LABELS + 106 + index * 150
      return (
        <g key={judge}>
          <path class="shape" d={shapeOf(index, x, 12)} />
          <text x={x + 10} y={16}>
            {shortened(`without ${visibleText(judge)}`, 22)}
          </text>
        </g>
      )
    })}
  </g>
)

interface PanelProps {
  readonly title: string
  readonly rows: readonly DropoutRow[]
  readonly judges: readonly string[]
  readonly top: number
  readonly nameOf: (model: string) => string
}

const Panel = ({ title, rows, judges, top, nameOf }: PanelProps): JSX.Element => {
  const scores = rows.flatMap(({ all, without }) => [all, ...without.values()].map(({ score }) => score))
  const axis = linearAxis(
    { from: Math.min(...scores), to: Math.max(...scores) },
    { from: LABELS + 8, to: LABELS + SCALE },
  )
  const first = top + PANEL_HEAD
  return (
    <g>
      <text class="group" x={LABELS} y={first - 10}>
        {shortened(visibleText(title), 60)}
      </text>
      <ScaleLines axis={axis} top={first} bottom={first + rows.length * ROW} format={String} />
      {rows.map((row, index) => (
        <g key={row.model}>
          <text class="end" x={LABELS - 12} y={first + index * ROW + 15}>
            {shortened(nameOf(row.model), 32)}
          </text>
          <Marks row={row} judges={judges} axis={axis} y={first + index * ROW + 11} />
        </g>
      ))}
    </g>
  )
}

const Marks = ({
  row,
  judges,
  axis,
  y,
}: {
  readonly row: DropoutRow
  readonly judges: readonly string[]
  readonly axis: Axis
  readonly y: number
}): JSX.Element => (
  <g>
    {judges.map((judge, index) => {
      const standing = row.without.get(judge)
      return standing === undefined ? null : (
        <path key={judge} class="shape" d={shapeOf(index, axis.at(standing.score), y)} />
      )
    })}
    <circle class="dot" cx={axis.at(row.all.score)} cy={y} r={4} />
  </g>
)

/** A square, a triangle, a diamond, a cross, a plus, and again: told apart without colour. */
const shapeOf = (index: number, x: number, y: number): string => {
  const [l, r, t, b] = [tenth(x - 5), tenth(x + 5), y - 5, y + 5]
  const shapes = [
    `M${l} ${t}H${r}V${b}H${l}Z`,
    `M${l} ${b}H${r}L${tenth(x)} ${t}Z`,
    `M${l} ${y}L${tenth(x)} ${t}L${r} ${y}L${tenth(x)} ${b}Z`,
    `M${l} ${t}L${r} ${b}M${l} ${b}L${r} ${t}`,
    `M${tenth(x)} ${t}V${b}M${l} ${y}H${r}`,
  ] as const
  return shapes[index % shapes.length] ?? shapes[0]
}
