import type { JSX } from 'preact'
import { groupBy } from '../../../../cache/lists.ts'
import { isRanked, type BoardCell } from '../../../../targets/board/board-cell.ts'
import type { Board, BoardRow } from '../../../../targets/board/board.ts'
import type { BoardMetric } from '../../../../targets/runs/board-metric.ts'
import { fixed, formatValue } from '../../../../cache/words/number-text.ts'
import type { Scale } from '../../../../targets/statistics/scale.ts'
import { positionOn, scaleOf } from '../../content/scale.ts'
import { OTHER } from '../../../../targets/analysis/score-table.ts'
import { runPath } from '../../paths.ts'
import { visibleText } from '../../visible-text.ts'
import { ModelLink, BenchmarkLink } from '../../components/links.tsx'

/** Benchmarks up to which cells have room for their numbers. */
const WIDE = 14

/** Every score of the board, shaded: the paper's figure 3. A row a model; cells lead to their runs. */
export const ScoreHeatmap = ({
  board,
  root,
}: {
  readonly board: Board
  readonly root: string
}): JSX.Element => {
  const groups = groupBy(board.benchmarks.keys(), (column) => board.benchmarks[column]?.category ?? OTHER)
  const columns = [...groups.values()].flat()
  const scales = board.benchmarks.map(({ mainMetric }, column) =>
    scaleOf(
      mainMetric,
      board.rows.flatMap(({ cells }) => cells[column] ?? []),
    ),
  )
  return (
    <>
      <p>{READING}</p>
      <div class="table-scroll" role="region" aria-label="Scores by benchmark" tabIndex={0}>
        <table class={columns.length > WIDE ? 'data heat narrow' : 'data heat'}>
          <thead>
            <tr>
              <td />
              {[...groups].map(([name, own]) => (
                <th key={name} scope="colgroup" colSpan={own.length}>
                  <span class="group-name">{visibleText(name)}</span>
                </th>
              ))}
            </tr>
            <tr>
              <th scope="col">Model</th>
              {columns.map((column) => {
                const benchmark = board.benchmarks[column]
                return benchmark === undefined ? null : (
                  <th key={column} scope="col">
                    <BenchmarkLink suite={board.suite} benchmark={benchmark} root={root} />
                  </th>
                )
              })}
            </tr>
          </thead>
          <tbody>
            {board.rows.map((row) => (
              <HeatRow
                key={row.model.deployment}
                board={board}
                row={row}
                columns={columns}
                scales={scales}
                root={root}
              />
            ))}
          </tbody>
        </table>
      </div>
    </>
  )
}

const READING =
  'The mean of each benchmark’s main metric; models in the order of their places. Deeper is better, on the metric’s own range, or that of its scores where it has none; without a shade nobody says what is better, or it is not ranked. ~ is not ranked, – has no score.'

interface HeatRowProps {
  readonly board: Board
  readonly row: BoardRow
  /** Places of the board's columns. */
  readonly columns: readonly number[]
  /** By column of the board. */
  readonly scales: readonly Scale[]
  readonly root: string
}

const HeatRow = ({ board, row, columns, scales, root }: HeatRowProps): JSX.Element => (
  <tr>
    <th scope="row" dir="auto" title={visibleText(row.label)}>
      <ModelLink board={board} deployment={row.model.deployment} root={root} />
    </th>
    {columns.map((column) => {
      const [cell, benchmark] = [row.cells[column], board.benchmarks[column]]
      const [run] = cell?.runs ?? []
      const text = scoreText(cell)
      const shown = columns.length > WIDE ? <ShortScore cell={cell} /> : text
      return (
        <td
          key={column}
          class={shadeOf(cell, benchmark?.mainMetric, scales[column])}
          title={`${visibleText(row.label)}, ${visibleText(benchmark?.displayName ?? '')}: ${text}`}
        >
          {run === undefined ? shown : <a href={root + runPath(board.suite, run)}>{shown}</a>}
        </td>
      )
    })}
  </tr>
)

/** Two digits where there is no room for more; files and readers of the page get them all. */
const ShortScore = ({ cell }: { readonly cell: BoardCell | undefined }): JSX.Element => (
  <>
    <span class="value unseen">{scoreText(cell)}</span>
    <span aria-hidden="true">{cell?.value == null ? '–' : shortScore(cell.value)}</span>
  </>
)

/** `0.76`, `4.0`, `87`: as wide as its neighbours. */
const shortScore = (value: number): string =>
  fixed(value, Math.abs(value) >= 10 ? 0 : Math.abs(value) > 1 ? 1 : 2)

const shadeOf = (
  cell: BoardCell | undefined,
  metric: BoardMetric | undefined,
  scale: Scale | undefined,
): string | undefined =>
  cell?.value == null || !isRanked(cell) || scale === undefined || metric?.lowerIsBetter === undefined
    ? undefined
    : `fill-${heatOf(cell.value, scale, metric.lowerIsBetter)}`

const scoreText = (cell: BoardCell | undefined): string =>
  cell === undefined || cell.value === null ? '–' : `${isRanked(cell) ? '' : '~'}${formatValue(cell.value)}`

const STEPS = 6

/** 0 … 6, the better the deeper. */
const heatOf = (value: number, scale: Scale, lowerIsBetter: boolean): number => {
  const position = positionOn(scale, value)
  return Math.round((lowerIsBetter ? 1 - position : position) * STEPS)
}
