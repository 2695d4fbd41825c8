import type { JSX } from 'preact'
import { rangeText } from '../../../../compare/number-text.ts'
import { BoardCell } from './board-cells.tsx'
import { followKeys } from './board-keys.ts'
import { BoardHead } from './board-head.tsx'
import type { BoardView, RowView } from './board-view.ts'
import { columnsOf, type ShownColumn } from './columns.ts'
import { sizeText } from '../controls.tsx'
import type { Sort } from '../state.ts'

/** What a reader can do in the table; without it nothing promises what needs a script. */
export interface BoardActions {
  readonly onSort: (key: string, lowerIsBetter?: boolean) => void
  readonly onUnfold: (category: string) => void
  readonly onPin: (key: string) => void
  readonly onOpen: (at: string) => void
}

interface BoardTableProps {
  readonly view: BoardView
  /** Prefix that leads to the site’s root. */
  readonly root: string
  readonly sort?: Sort | undefined
  /** The cell whose details are shown. */
  readonly at?: string
  readonly actions?: BoardActions | undefined
}

/** A row a model, of one line each. */
export const BoardTable = ({ view, root, sort, at = '', actions }: BoardTableProps): JSX.Element => {
  const columns = columnsOf(view)
  return (
    <div
      class="table-scroll board-scroll"
      role="region"
      aria-label={`Leaderboard ${view.suite}`}
      tabIndex={0}
    >
      <table class="board">
        <caption class="unseen">
          Leaderboard of {view.suite}: {sizeText(view)}
        </caption>
        <BoardHead view={view} columns={columns} root={root} sort={sort} actions={actions} />
        <tbody {...(actions === undefined ? {} : { onKeyDown: followKeys(actions) })}>
          {view.rows.map((row) => (
            <Row
              key={row.key}
              row={row}
              columns={columns}
              view={view}
              root={root}
              at={at}
              actions={actions}
            />
          ))}
        </tbody>
      </table>
      {view.rows.length > 0 ? null : <p class="no-match">No model matches the search and the filters.</p>}
    </div>
  )
}

interface RowProps extends BoardTableProps {
  readonly row: RowView
  readonly columns: readonly ShownColumn[]
}

const Row = ({ row, columns, view, root, at, actions }: RowProps): JSX.Element => (
  <tr class={row.isPinned ? 'pinned' : undefined} data-model={row.key}>
    {actions === undefined ? null : (
      <td class="pin">
        <button
          type="button"
          class="cell-text"
          tabIndex={-1}
          data-cell
          aria-pressed={row.isPinned}
          aria-label={`Pin ${row.label}`}
          onClick={() => actions.onPin(row.key)}
        >
          {row.isPinned ? '★' : '☆'}
        </button>
      </td>
    )}
    <td class="place">
      <span class="place-rank">{placeOf(row)}</span> <span class="place-set">{setOf(row)}</span>
    </td>
    <th scope="row" class="model" title={row.label}>
      <span class="model-line">
        <ModelName row={row} root={root} isReachable={actions === undefined} />
        {row.place !== null || row.ranked === view.compared ? null : (
          <span class="coverage-mark" title={`ranked in ${row.ranked} of ${view.compared} benchmarks`}>
            ◧
            <span class="of">
              {' '}
              {row.ranked}/{view.compared}
            </span>
          </span>
        )}
      </span>
    </th>
    {columns.map((column) => (
      <BoardCell
        key={column.key}
        row={row}
        column={column}
        view={view}
        onOpen={actions?.onOpen}
        isOpen={at === `${row.key} ${column.key}`}
      />
    ))}
  </tr>
)

const ModelName = ({
  row,
  root,
  isReachable,
}: {
  readonly row: RowView
  readonly root: string
  readonly isReachable: boolean
}): JSX.Element =>
  row.href === undefined ? (
    <span class="model-name">{row.label}</span>
  ) : (
    <a
      class="model-name"
      href={root + row.href}
      {...(isReachable ? {} : { tabIndex: -1, 'data-cell': true })}
    >
      {row.label}
    </a>
  )

const placeOf = ({ place }: RowView): string =>
  place === null ? '–' : `${place.rank}${place.tied ? '=' : ''}`

/** `1–4`: the ranks by average that tests leave open. */
export const setOf = ({ rank, place }: RowView): string => {
  if (rank?.low == null || rank.high === null || place === null) return ''
  return rangeText({ low: rank.low, high: rank.high })
}
