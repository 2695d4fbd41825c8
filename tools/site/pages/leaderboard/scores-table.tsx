import type { JSX } from 'preact'
import type { BoardView, RowView } from './board/board-view.ts'

interface ScoresTableProps {
  readonly view: BoardView
  readonly root: string
  /** Address of a cell’s run from the page. */
  readonly linkOf: (model: number, column: number) => string | undefined
}

/** Models of one part: a browser lays out the parts in sight, not the thousands of cells of a large board at once. */
const PART = 20

/** Every score with its interval and what is not whole about it: the board for whom no script runs. */
export const ScoresTable = ({ view, root, linkOf }: ScoresTableProps): JSX.Element => {
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
