import type { JSX } from 'preact'
import type { Board } from '../../../../targets/board/board.ts'
import { chunkScript } from '../../emit/chunk-script.ts'
import { scoresTable, standingsTable } from '../../downloads/scores-file.ts'
import { csvOf, jsonOf, latexOf } from '../../downloads/table-files.ts'
import { fileId } from '../../emit/file-id.ts'
import { benchmarkPath, runPath } from '../../paths.ts'
import type { SiteFile } from '../../site-page.ts'
import { suitePage } from '../suite-page.tsx'
import { BoardTable } from './board/board-table.tsx'
import { boardView, type BoardView, type RowView } from './board/board-view.ts'
import { Headline } from './headline.tsx'
import { makeBoardData } from './board/make-board-data.ts'
import { Reading } from './reading.tsx'
import { DEFAULT_STATE } from './state.ts'

/** index.html and, where there are several suites, boards/….html: a suite's board each. */
export const leaderboardPage = suitePage({
  page: 'index',
  label: 'Leaderboard',
  content: (suite, root) => {
    const { board } = suite
    const view = boardView(makeBoardData(suite), DEFAULT_STATE)
    const linkOf = (row: number, column: number): string | undefined => runLink(board, row, column, root)
    return (
      <>
        <div data-app="leaderboard" data-folder={root} data-chunk={chunkOf(board)}>
          <div class="board-app">
            <div class="answer">
              <Headline view={view} />
            </div>
            <BoardTable view={view} root={root} />
          </div>
        </div>
        <p class="board-downloads">
          Every score, a row each, all digits: <a href={`${root}${fileOf(board)}.csv`}>CSV</a>{' '}
          <a href={`${root}${fileOf(board)}.json`}>JSON</a>. The standings:{' '}
          <a href={`${root}${fileOf(board)}.tex`}>LaTeX</a>
        </p>
        <Legend view={view} />
        <Reading board={board} />
        <details class="all-scores">
          <summary>All scores as a table</summary>
          <ScoresTable view={view} root={root} linkOf={linkOf} />
        </details>
      </>
    )
  },
  more: (suite) => {
    const chunk = chunkOf(suite.board)
    return [
      { path: `data/${chunk}.js`, text: chunkScript(chunk, makeBoardData(suite)) },
      ...downloadsOf(suite.board),
    ]
  },
})

const chunkOf = ({ suite }: Board): string => fileId(suite)

/** Files for other programs, all digits in them. */
const downloadsOf = (board: Board): readonly SiteFile[] => {
  const scores = scoresTable(board)
  return [
    { path: `${fileOf(board)}.csv`, text: csvOf(scores) },
    { path: `${fileOf(board)}.json`, text: jsonOf(scores) },
    { path: `${fileOf(board)}.tex`, text: latexOf(standingsTable(board)) },
  ]
}

const fileOf = ({ suite }: Board): string => `downloads/${fileId(suite)}`

const Legend = ({ view }: { readonly view: BoardView }): JSX.Element => (
  <p class="legend">
    {isTested(view) ? (
      <span>
        <b>Bold, underlined</b>: first of its column, or not told apart from it
      </span>
    ) : null}
    <span>Place: by win rate</span>
    {view.hasRanks ? <span>1–4: ranks by average that tests leave open (95 %)</span> : null}
    {view.hasRanks ? <span class="wide">First: chance to be it, by average</span> : null}
    {isWhole(view) ? null : <span>◧ not measured in full: decides no place</span>}
    {view.all.every(({ place, ranked }) => place !== null || ranked === view.compared) ? null : (
      <span>○ win rate of the benchmarks measured</span>
    )}
    <span>Average, category: mean share of the scales</span>
    {view.all.some(({ failed }) => failed !== null) ? (
      <span>No score: no answer, or no verdict on it that could be read; ! over 3 %</span>
    ) : null}
    <span class="keys">
      Keys: arrows, <kbd>Enter</kbd> details, <kbd>p</kbd> pin, <kbd>/</kbd> search, <kbd>Esc</kbd>
    </span>
  </p>
)

/** Of the whole board, or at least of a part that a reader may choose. */
const isTested = ({ hasRanks, all }: BoardView): boolean =>
  hasRanks || all.some(({ cells }) => cells.some(({ groups }) => groups !== ''))

/** Whether no cell of the board is marked. */
const isWhole = ({ all, columns }: BoardView): boolean =>
  all.every(
    ({ scores, cells }) =>
      scores.every(({ ranked, of }) => ranked === of) &&
      columns.every(({ index }) => cells[index]?.isRanked !== false || cells[index].value === null),
  )

/** A cell leads to its run; of several runs to the benchmark, which lists them. */
const runLink = (board: Board, row: number, column: number, root: string): string | undefined => {
  const runs = board.rows[row]?.cells[column]?.runs ?? []
  const benchmark = board.benchmarks[column]
  const [only] = runs
  if (only === undefined || benchmark === undefined) return undefined
  return root + (runs.length === 1 ? runPath(board.suite, only) : benchmarkPath(board.suite, benchmark.name))
}

interface ScoresTableProps {
  readonly view: BoardView
  readonly root: string
  /** Address of a cell’s run from the page. */
  readonly linkOf: (model: number, column: number) => string | undefined
}

/** Models of one part: a browser lays out the parts in sight, not the thousands of cells of a large board at once. */
const PART = 20

/** Every score with its interval and what is not whole about it: the board for whom no script runs. */
const ScoresTable = ({ view, root, linkOf }: ScoresTableProps): JSX.Element => {
  const rows = view.all.toSorted((a, b) => a.index - b.index)
  const parts = Array.from({ length: Math.max(1, Math.ceil(rows.length / PART)) }, (_, part) =>
    rows.slice(part * PART, (part + 1) * PART),
  )
  return (
    <div class="table-scroll" role="region" aria-label={`All scores of ${view.suite}`} tabIndex={0}>
      {parts.map((part, index) => (
        <div key={index} class={parts.length > 1 ? 'part' : undefined}>
          <table class="scores">
            <caption class="unseen">
              All scores of {view.suite}, with 95 % intervals
              {parts.length > 1 ? `, part ${index + 1} of ${parts.length}` : ''}
            </caption>
            <Heads view={view} root={root} />
            <tbody>
              {part.map((row) => (
                <tr key={row.key}>
                  <th scope="row">{row.label}</th>
                  {view.columns.map(({ key, index: column }) => (
                    <ScoreCell key={key} row={row} index={column} href={linkOf(row.index, column)} />
                  ))}
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      ))}
    </div>
  )
}

const Heads = ({ view, root }: Pick<ScoresTableProps, 'view' | 'root'>): JSX.Element => (
  <thead>
    <tr>
      <th scope="col">Model</th>
      {view.columns.map(({ key, label, href, metric }) => (
        <th key={key} scope="col">
          <a href={root + href}>{label}</a>
          <span class="detail">{metric}</span>
        </th>
      ))}
    </tr>
  </thead>
)

const ScoreCell = ({
  row,
  index,
  href,
}: {
  readonly row: RowView
  readonly index: number
  readonly href: string | undefined
}): JSX.Element => {
  const cell = row.cells[index]
  if (cell === undefined) return <td class="score" />
  const details = [cell.range, cell.base, cell.calibrated].filter(Boolean).join('\n')
  return (
    <td class="score">
      {href === undefined ? cell.text : <a href={href}>{cell.text}</a>}
      {details === '' ? null : <span class="detail">{details}</span>}
      {cell.warning === undefined ? null : <span class="warning">{cell.warning}</span>}
    </td>
  )
}
