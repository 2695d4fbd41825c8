import type { JSX } from 'preact'
import type { ColumnView, LeaderboardView, RowView } from './view.ts'
import { ScoreCell } from './score-cell.tsx'

/** Which column rows are ordered by: `model`, or the column's number. */
export interface Sort {
  readonly column: number | 'model'
  readonly direction: 'ascending' | 'descending'
}

interface LeaderboardProps {
  readonly view: LeaderboardView
  /** Without it headers are plain text: nothing on the page promises what needs a script. */
  readonly onSort?: ((column: Sort['column']) => void) | undefined
  readonly sort?: Sort | undefined
}

/** Models × benchmarks. */
export const Leaderboard = ({ view, onSort, sort }: LeaderboardProps): JSX.Element => (
  <div class="table-scroll" role="region" aria-label={`Leaderboard ${view.suite}`} tabIndex={0}>
    <table class="leaderboard">
      <caption class="unseen">
        Leaderboard of {view.suite}: {view.caption}, with 95 % intervals
      </caption>
      <thead>
        <tr>
          <th scope="col" class="place-head">
            <abbr title="Place by win rate">#</abbr>
          </th>
          <th scope="col" class="model-head" aria-sort={sortOf('model', sort)}>
            <span class="column-name">Model</span>
            <SortButton column="model" name="Model" text="name" onSort={onSort} sort={sort} />
          </th>
          {view.columns.map((column, index) => (
            <ColumnHead key={index} column={column} index={index} onSort={onSort} sort={sort} />
          ))}
        </tr>
      </thead>
      <tbody>
        {view.rows.map((row) => (
          <Row key={row.label} row={row} />
        ))}
      </tbody>
    </table>
  </div>
)

const sortOf = (column: Sort['column'], sort: Sort | undefined): Sort['direction'] | undefined =>
  sort?.column === column ? sort.direction : undefined

type HeadProps = Pick<LeaderboardProps, 'onSort' | 'sort'>

const ColumnHead = ({
  column,
  index,
  onSort,
  sort,
}: HeadProps & { readonly column: ColumnView; readonly index: number }): JSX.Element => (
  <th scope="col" class="score-head" aria-sort={sortOf(index, sort)}>
    {column.href === undefined ? (
      <span class="column-name">{column.label}</span>
    ) : (
      <a class="column-name" href={column.href}>
        {column.label}
      </a>
    )}
    <SortButton
      column={index}
      name={column.label}
      text={`${column.metric}${NOTES[column.better ?? 'unknown']}`}
      onSort={onSort}
      sort={sort}
    />
  </th>
)

const NOTES = { higher: '', lower: ', lower is better', unknown: ', not ranked' } as const

const SortButton = ({
  column,
  name,
  text,
  onSort,
  sort,
}: HeadProps & {
  readonly column: Sort['column']
  readonly name: string
  readonly text: string
}): JSX.Element =>
  onSort === undefined ? (
    <span class="column-metric">{text}</span>
  ) : (
    <button type="button" class="column-metric" onClick={() => onSort(column)}>
      <span class="unseen">Sort by {name}: </span>
      {text}
      <span class="sort-mark" aria-hidden="true">
        {SORT_MARKS[sortOf(column, sort) ?? 'none']}
      </span>
    </button>
  )

const SORT_MARKS = { ascending: '↑', descending: '↓', none: '↕' } as const

const Row = ({ row }: { readonly row: RowView }): JSX.Element => (
  <tr>
    <td class="place">{row.place}</td>
    <th scope="row" class="model">
      <span class="model-name">{row.label}</span>
      <span class="detail">{row.origin}</span>
    </th>
    {row.cells.map((cell, index) => (
      <ScoreCell key={index} cell={cell} />
    ))}
  </tr>
)
