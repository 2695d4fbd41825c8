import type { JSX } from 'preact'
import { isRanked } from '../../../../targets/board/board-cell.ts'
import type { Board } from '../../../../targets/board/board.ts'
import { formatRange, formatValue } from '../../../compare/number-text.ts'
import { visibleText } from '../../visible-text.ts'
import { linearAxis } from '../../components/plot/axis.ts'
import { categoriesOf, type Category } from './categories-of.ts'
import { DotRow } from './dot-row.tsx'
import type { Drawing, FigureContent } from './figure.tsx'
import { shortened } from './labels.tsx'
import { categoryMean, isNormalised, type NormalisedMean } from './normalised.ts'
import { ScaleLines } from './scale-lines.tsx'

const LABELS = 200
const PANEL = 172
const GAP = 22
const HEAD = 52
const ROW = 22

/** Means over each category: the paper's figure 4. */
export const categoryDots = (board: Board): FigureContent => {
  const categories = categoriesOf(board)
    .map(({ name, columns }) => ({
      name,
      columns: columns.filter((column) => isScaled(board, column) && isShared(board, column)),
    }))
    .filter(({ columns }) => columns.length > 0)
  const means = board.rows.map((row) => categories.map(({ columns }) => categoryMean(board, row, columns)))
  const without = (is: (board: Board, column: number) => boolean): readonly string[] =>
    board.benchmarks.flatMap(({ displayName }, column) =>
      is(board, column) ? [] : [visibleText(displayName)],
    )
  const [left, unshared] = [without(isScaled), without(isShared)]
  return {
    id: 'categories',
    title: 'Mean scores by category',
    caption: [
      'Means of the benchmarks of a category, each on a scale from 0 to 1 (a jury’s scale likewise), with 95 % intervals over instances. A model without a ranked score in one of them has none.',
      ...(left.length === 0 ? [] : [`Without a scale of its own, and so left out: ${left.join(', ')}.`]),
      ...(unshared.length === 0
        ? []
        : [
            `With fewer than two ranked scores, and so left out, as from win rates and averages: ${unshared.join(', ')}.`,
          ]),
    ].join(' '),
    missing: 'No benchmark of this suite has a metric with a known scale.',
    drawing: categories.length === 0 ? undefined : panels(board, categories, means),
    table: {
      head: [
        { text: 'Model' },
        ...categories.map(({ name, columns }) => ({
          text: `${visibleText(name)} (${columns.length})`,
          number: true,
        })),
      ],
      rows: board.rows.map(({ label }, row) => [
        visibleText(label),
        ...(means[row] ?? []).map((mean) => meanText(mean)),
      ]),
    },
  }
}

const isScaled = ({ benchmarks }: Board, column: number): boolean => {
  const metric = benchmarks[column]?.mainMetric
  return metric !== undefined && isNormalised(metric)
}

/** As the board's averages have it: ranked scores of two models, or of the only one. */
const isShared = ({ rows }: Board, column: number): boolean => {
  const ranked = rows.filter(({ cells }) => {
    const cell = cells[column]
    return cell !== undefined && isRanked(cell)
  })
  return ranked.length >= Math.min(2, rows.length)
}

const meanText = (mean: NormalisedMean | undefined): string => {
  if (mean === undefined) return '–'
  return `${formatValue(mean.value)}${mean.interval === null ? '' : ` (${formatRange(mean.interval)})`}`
}

const panels = (
  { rows }: Board,
  categories: readonly Category[],
  means: readonly (readonly (NormalisedMean | undefined)[])[],
): Drawing => {
  const bottom = HEAD + rows.length * ROW
  return {
    width: LABELS + categories.length * (PANEL + GAP),
    height: bottom + 28,
    content: (
      <>
        {rows.map(({ label }, row) => (
          <text key={row} class="end" x={LABELS - 12} y={HEAD + row * ROW + 15}>
            {shortened(visibleText(label), 30)}
          </text>
        ))}
        {categories.map(({ name, columns }, index) => {
          const from = LABELS + index * (PANEL + GAP)
          const axis = linearAxis({ from: 0, to: 1 }, { from: from + 6, to: from + PANEL - 6 }, 2)
          return (
            <g key={name}>
              <PanelHead x={from} name={visibleText(name)} count={columns.length} />
              <ScaleLines axis={axis} top={HEAD} bottom={bottom} format={String} />
              {means.map((own, row) => {
                const mean = own[index]
                return mean === undefined ? null : (
                  <DotRow key={row} axis={axis} y={HEAD + row * ROW + 11} {...mean} />
                )
              })}
            </g>
          )
        })}
      </>
    ),
  }
}

/** Two lines at most; the table has the whole name. */
const PanelHead = ({
  x,
  name,
  count,
}: {
  readonly x: number
  readonly name: string
  readonly count: number
}): JSX.Element => {
  const words = name.split(' ')
  const half =
    words.findIndex((_, index) => words.slice(0, index + 1).join(' ').length * 2 >= name.length) + 1
  const lines = name.length <= 24 ? ['', name] : [words.slice(0, half).join(' '), words.slice(half).join(' ')]
  return (
    <g>
      {lines.map((line, index) => (
        <text key={index} class="group" x={x} y={16 + index * 15}>
          {shortened(line, 25)}
        </text>
      ))}
      <text class="soft" x={x} y={46}>
        {count === 1 ? '1 benchmark' : `${count} benchmarks`}
      </text>
    </g>
  )
}
