import type { JSX } from 'preact'
import type { BoardActions } from './board-table.tsx'
import type { BoardView, CategoryView } from './board-view.ts'
import type { ShownColumn } from './columns.ts'
import type { Sort } from '../state.ts'
import { plural } from '../../../../../cache/words/number-text.ts'
import { WinAxis } from '../win-mark.tsx'

interface HeadProps {
  readonly view: BoardView
  readonly columns: readonly ShownColumn[]
  readonly root: string
  readonly sort?: Sort | undefined
  readonly actions?: BoardActions | undefined
}

/** Names of the columns; each orders the rows, a category’s number unfolds its benchmarks. */
export const BoardHead = ({ view, columns, root, sort, actions }: HeadProps): JSX.Element => (
  <thead>
    <tr>
      {actions === undefined ? null : (
        <td class="pin">
          <span class="unseen">Pin</span>
        </td>
      )}
      <th scope="col" class="place">
        Place
      </th>
      <th scope="col" class="model" aria-sort={ariaSort(sort, 'model')}>
        <SortName name="Model" sortKey="model" sort={sort} actions={actions} />
      </th>
      {columns.map((column) => (
        <th key={column.key} scope="col" class={column.kind} aria-sort={ariaSort(sort, column.key)}>
          <ColumnName view={view} column={column} root={root} sort={sort} actions={actions} />
        </th>
      ))}
    </tr>
  </thead>
)

type NameProps = Omit<HeadProps, 'columns'> & {
  readonly column: ShownColumn
}

const ColumnName = ({ view, column, root, sort, actions }: NameProps): JSX.Element => {
  if (column.kind === 'win') {
    const hasWhiskers = view.all.some(({ whisker }) => whisker !== undefined)
    return (
      <>
        <SortName
          name={hasWhiskers ? 'Win rate, 95 % interval' : 'Win rate'}
          sortKey="win"
          sort={sort}
          actions={actions}
        />
        <span class="win-heads">
          <WinAxis />
          {hasWhiskers ? <span class="win-range">95 %</span> : null}
          {view.hasRanks ? <span class="win-first">First</span> : null}
        </span>
      </>
    )
  }
  if (column.kind === 'average')
    return (
      <>
        <SortName name="Average" sortKey="average" sort={sort} actions={actions} />
        {!view.hasRanks ? null : (
          <span class="under">{view.isAllTied ? <i>all tied</i> : 'ranks, 95 %'}</span>
        )}
      </>
    )
  if (column.kind === 'category')
    return (
      <>
        <SortName name={column.category.name} sortKey={column.key} sort={sort} actions={actions} />
        <Unfold category={column.category} actions={actions} />
      </>
    )
  if (column.kind !== 'benchmark')
    return <SortName name={column.label} sortKey={column.key} sort={sort} actions={actions} />
  const { label, href, metric, lowerIsBetter = false, bestGroups } = column.column
  return (
    <>
      <a class="benchmark-name" href={root + href} title={label}>
        {label.split(BETWEEN_WORDS).flatMap((word, at) => (at === 0 ? word : [<wbr key={at} />, word]))}
      </a>
      <SortName
        name={`${metric}${lowerIsBetter ? ' ↓' : ''}`}
        spoken={`${label}: ${metric}`}
        sortKey={column.key}
        lowerIsBetter={lowerIsBetter}
        sort={sort}
        actions={actions}
      />
      {bestGroups === undefined ? (
        <span class="under">
          <i>all tied</i>
        </span>
      ) : null}
    </>
  )
}

/** `MedicationQA` may break before its second capital. */
const BETWEEN_WORDS = /(?<=\p{Ll})(?=\p{Lu})/u

interface UnfoldProps {
  readonly category: CategoryView
  readonly actions?: BoardActions | undefined
}

/** Shows a category’s benchmarks beside it, or hides them. `+12` above a column of scores would be read as a change. */
const Unfold = ({ category: { name, columns, isOpen, isAllTied }, actions }: UnfoldProps): JSX.Element => (
  <span class="under">
    {isAllTied ? <i>all tied </i> : null}
    {actions === undefined ? null : (
      <button
        type="button"
        class="unfold"
        aria-expanded={isOpen}
        aria-label={`Benchmarks of ${name}: ${columns.length}`}
        title={plural(columns.length, 'benchmark')}
        onClick={() => actions.onUnfold(name)}
      >
        {isOpen ? '▾' : '▸'} {columns.length}
      </button>
    )}
  </span>
)

interface SortNameProps {
  readonly name: string
  readonly spoken?: string
  readonly sortKey: string
  readonly lowerIsBetter?: boolean
  readonly sort?: Sort | undefined
  readonly actions?: BoardActions | undefined
}

const SortName = ({ name, spoken, sortKey, lowerIsBetter, sort, actions }: SortNameProps): JSX.Element =>
  actions === undefined ? (
    <span class="sort">{name}</span>
  ) : (
    <button type="button" class="sort" onClick={() => actions.onSort(sortKey, lowerIsBetter)}>
      <span class="unseen">Sort by {spoken === undefined ? '' : `${spoken} `}</span>
      <span {...(spoken === undefined ? {} : { 'aria-hidden': true })}>{name}</span>
      <span aria-hidden="true">{MARKS[ariaSort(sort, sortKey) ?? 'none']}</span>
    </button>
  )

const MARKS = { ascending: '\u2009↑', descending: '\u2009↓', none: '' } as const

const ariaSort = (sort: Sort | undefined, key: string): Sort['direction'] | undefined =>
  sort?.key === key ? sort.direction : undefined
