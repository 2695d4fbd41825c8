import type { ComponentChildren, JSX } from 'preact'
import { useMemo, useRef } from 'preact/hooks'
import { BoardCell } from './board-cells.tsx'
import { followKeys } from './board-keys.ts'
import { BoardHead } from './board-head.tsx'
import type { BoardView, RowView } from './board-view.ts'
import { fittedNames } from '../../../components/plot/fitted-names.ts'
import { textWidth } from '../../../components/plot/text-width.ts'
import { columnsOf, type ShownColumn } from './columns.ts'
import { sizeText } from '../controls.tsx'
import type { Sort } from '../state.ts'
import { useRowWindow } from './row-window.ts'

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

/**
 * Pixels of the column of names; of a cut one, as it breaks on a phone; of one that may not fit two lines there without
 * breaking within words; and of the mark of what is not measured in full.
 */
const WHOLE = 208
const NAMES = 164
const LONG = 130
const MARK = 52

const useNames = ({ all, compared }: BoardView): ((row: RowView) => string) => {
  const names = all.map(({ label }) => label)
  const [alone, marked] = useMemo(
    () => [NAMES, NAMES - MARK].map((room) => fittedNames(names, room)),
    [names.toSorted().join('\n')],
  )
  return (row) => {
    const isMarked = isPartial(row, compared)
    if (textWidth(row.label) <= WHOLE - (isMarked ? MARK : 0)) return row.label
    const name = (isMarked ? marked : alone)?.get(row.label) ?? row.label
    // The style sheet cuts ends, and better.
    return row.label.startsWith(name.replace(/…$/, '')) ? row.label : name
  }
}

const isPartial = ({ place, ranked }: RowView, compared: number): boolean =>
  place === null && ranked !== compared

/** A row a model, of one line each. Of very many only those in sight are drawn, once there is a script to draw the others. */
export const BoardTable = ({ view, root, sort, at = '', actions }: BoardTableProps): JSX.Element => {
  const columns = columnsOf(view)
  const scroller = useRef<HTMLDivElement>(null)
  const count = view.rows.length
  const shown = useRowWindow(count, () => scroller.current)
  const { first, end, height } = shown
  const drawn = actions === undefined ? view.rows : view.rows.slice(first, end)
  const isPart = drawn.length < count
  const names = useNames(view)
  return (
    <div
      ref={scroller}
      class="table-scroll board-scroll"
      role="region"
      aria-label={`Leaderboard ${view.suite}`}
      tabIndex={0}
    >
      <table class="board" {...(isPart ? { 'aria-rowcount': count + 1 } : {})}>
        <caption class="unseen">
          Leaderboard of {view.suite}: {sizeText(view)}
        </caption>
        <BoardHead view={view} columns={columns} root={root} sort={sort} actions={actions} />
        <tbody {...(actions === undefined ? {} : { onKeyDown: followKeys(actions, count, shown) })}>
          {isPart ? <Gap rows={first} height={height} view={view} /> : null}
          {drawn.map((row, index) => (
            <Row
              key={row.key}
              {...(isPart ? { rowIndex: first + index + 2 } : {})}
              row={row}
              name={names(row)}
              columns={columns}
              view={view}
              root={root}
              at={at}
              actions={actions}
            />
          ))}
          {isPart ? <Gap rows={count - first - drawn.length} height={height} view={view} /> : null}
        </tbody>
      </table>
      {view.rows.length > 0 ? null : <p class="no-match">No model matches the search and the limits.</p>}
    </div>
  )
}

/** The room of rows that are not drawn, as wide as the widest of all. */
const Gap = ({
  rows,
  height,
  view,
}: {
  readonly rows: number
  readonly height: number
  readonly view: BoardView
}): JSX.Element => {
  const width = ({ label, place }: RowView): number => label.length + (place === null ? 8 : 0)
  const [widest] = view.all.toSorted((a, b) => width(b) - width(a))
  return (
    <tr class="gap" aria-hidden="true">
      <td class="pin" />
      <td class="place" />
      <td class="model" style={{ height: `${rows * height}px` }}>
        {widest === undefined ? null : <ModelLine row={widest} view={view} name={widest.label} />}
      </td>
    </tr>
  )
}

interface RowProps extends BoardTableProps {
  readonly row: RowView
  /** As long as there is room. */
  readonly name: string
  readonly columns: readonly ShownColumn[]
  /** Among all rows, where not all are drawn. */
  readonly rowIndex?: number
}

const Row = ({ row, name, rowIndex, columns, view, root, at, actions }: RowProps): JSX.Element => (
  <tr class={row.isPinned ? 'pinned' : undefined} data-model={row.key} aria-rowindex={rowIndex}>
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
      <span class="place-rank">{placeOf(row)}</span>
    </td>
    <th scope="row" class="model" title={row.label}>
      <ModelLine
        row={row}
        view={view}
        name={<ModelName row={row} name={name} root={root} isReachable={actions === undefined} />}
      />
    </th>
    {columns.map((column) => (
      <BoardCell
        key={column.key}
        row={row}
        column={column}
        onOpen={actions?.onOpen}
        isOpen={at === `${row.key} ${column.key}`}
      />
    ))}
  </tr>
)

const ModelLine = ({
  row,
  view,
  name,
}: {
  readonly row: RowView
  readonly view: BoardView
  readonly name: ComponentChildren
}): JSX.Element => (
  <span class="model-line">
    {name}
    {!isPartial(row, view.compared) ? null : (
      <span class="coverage-mark" title={`ranked in ${row.ranked} of ${view.compared} benchmarks`}>
        ◧
        <span class="of">
          {' '}
          {row.ranked}/{view.compared}
        </span>
      </span>
    )}
  </span>
)

const ModelName = ({
  row,
  name,
  root,
  isReachable,
}: {
  readonly row: RowView
  readonly name: string
  readonly root: string
  readonly isReachable: boolean
}): JSX.Element => (
  <a
    class={textWidth(row.label) > LONG ? 'model-name long' : 'model-name'}
    dir="auto"
    href={root + row.href}
    {...(isReachable ? {} : { tabIndex: -1, 'data-cell': true })}
  >
    {name === row.label ? (
      name
    ) : (
      <>
        <span aria-hidden="true">{name}</span>
        <span class="unseen">{row.label}</span>
      </>
    )}
  </a>
)

const placeOf = ({ place }: RowView): string =>
  place === null ? '–' : `${place.rank}${place.tied ? '=' : ''}`
