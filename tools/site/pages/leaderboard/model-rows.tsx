import type { JSX } from 'preact'
import { byCategory, bySubcategory, type ColumnGroup } from './column-groups.ts'
import { ariaSort, ColumnName, ModelHead, type SortProps } from './column-name.tsx'
import { ScoreCell } from './score-cell.tsx'
import { MODEL } from './state.ts'
import type { LeaderboardView, RowView } from './view.ts'

export interface TableProps extends SortProps {
  readonly view: LeaderboardView
  /** Prefix that leads to the site's root. */
  readonly root: string
  readonly bars: boolean
}

/** The board with a model a row. */
export const ModelRows = ({ view, root, bars, ...sorting }: TableProps): JSX.Element => (
  <>
    <thead>
      <GroupRow groups={byCategory(view.columns)} className="category" />
      <GroupRow groups={bySubcategory(view.columns)} className="subcategory" />
      <tr>
        <th scope="col" class="place-head">
          <abbr title="Place by win rate, below it the middle 95 % of places">#</abbr>
        </th>
        <th scope="col" class="model-head" aria-sort={ariaSort(sorting.sort, MODEL)}>
          <ModelHead {...sorting} />
        </th>
        {view.columns.map((column) => (
          <th key={column.key} scope="col" class="score-head" aria-sort={ariaSort(sorting.sort, column.key)}>
            <ColumnName column={column} root={root} {...sorting} />
          </th>
        ))}
      </tr>
    </thead>
    <tbody>
      {view.rows.map((row) => (
        <tr key={row.key}>
          <PlaceCell row={row} />
          <th scope="row" class="model">
            <ModelName row={row} />
          </th>
          {row.cells.map((cell, index) => (
            <ScoreCell key={view.columns[index]?.key} cell={cell} bar={bars} />
          ))}
        </tr>
      ))}
    </tbody>
  </>
)

/** A row of headers that span groups; none where no column has a group. */
const GroupRow = ({
  groups,
  className,
}: {
  readonly groups: readonly ColumnGroup[]
  readonly className: string
}): JSX.Element | null =>
  groups.every(({ name }) => name === '') ? null : (
    <tr class={className}>
      <td class="place-head" />
      <td class="model-head" />
      {groups.map(({ name, columns }) =>
        name === '' ? (
          <td key={columns[0]?.key} colSpan={columns.length} />
        ) : (
          <th key={columns[0]?.key} scope="colgroup" colSpan={columns.length}>
            <span class="group-name" title={name}>
              {name}
            </span>
          </th>
        ),
      )}
    </tr>
  )

const PlaceCell = ({ row }: { readonly row: RowView }): JSX.Element => (
  <td class="place">
    {row.place}
    {row.places === '' ? null : <span class="detail">{row.places}</span>}
  </td>
)

export const ModelName = ({ row }: { readonly row: RowView }): JSX.Element => (
  <>
    <span class="model-name">{row.label}</span>
    <span class="detail">{[row.creator, row.weights].filter((part) => part !== '').join(', ')}</span>
  </>
)
