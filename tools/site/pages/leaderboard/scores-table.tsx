import type { JSX } from 'preact'
import type { BoardView, RowView } from './board/board-view.ts'

interface ScoresTableProps {
  readonly view: BoardView
  readonly root: string
  /** Address of a cell’s run from the page. */
  readonly linkOf: (model: number, column: number) => string | undefined
}

/** Every score with its interval and what is not whole about it: the board for whom no script runs. */
export const ScoresTable = ({ view, root, linkOf }: ScoresTableProps): JSX.Element => (
  <div class="table-scroll" role="region" aria-label={`All scores of ${view.suite}`} tabIndex={0}>
    <table class="scores">
      <caption class="unseen">All scores of {view.suite}, with 95 % intervals</caption>
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
      <tbody>
        {view.all
          .toSorted((a, b) => a.index - b.index)
          .map((row) => (
            <tr key={row.key}>
              <th scope="row">{row.label}</th>
              {view.columns.map(({ key, index }) => (
                <ScoreCell key={key} row={row} index={index} href={linkOf(row.index, index)} />
              ))}
            </tr>
          ))}
      </tbody>
    </table>
  </div>
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
