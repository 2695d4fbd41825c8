import type { JSX } from 'preact'
import { byCategory, bySubcategory, type ColumnGroup } from './column-groups.ts'
import { ariaSort, ColumnName, ModelHead } from './column-name.tsx'
import { ModelName, type TableProps } from './model-rows.tsx'
import { ScoreCell } from './score-cell.tsx'
import { MODEL } from './state.ts'
import type { ColumnView } from './view.ts'

/** The board with a benchmark a row, under its category and subcategory. Buttons order the models, which are columns. */
export const BenchmarkRows = ({ view, root, bars, ...sorting }: TableProps): JSX.Element => {
  const columnOf = new Map(view.columns.map((column, index) => [column.key, index]))
  const width = view.rows.length + 1
  const rowOf = (column: ColumnView): JSX.Element => (
    <tr key={column.key}>
      <th scope="row" class="model" aria-sort={ariaSort(sorting.sort, column.key)}>
        <ColumnName column={column} root={root} {...sorting} />
      </th>
      {view.rows.map((row) => {
        const cell = row.cells[columnOf.get(column.key) ?? -1]
        return cell === undefined ? null : <ScoreCell key={row.key} cell={cell} bar={bars} />
      })}
    </tr>
  )
  return (
    <>
      <thead>
        <tr>
          <th scope="col" class="model-head" aria-sort={ariaSort(sorting.sort, MODEL)}>
            <ModelHead {...sorting} />
          </th>
          {view.rows.map((row) => (
            <th key={row.key} scope="col" class="score-head">
              {row.place === '' ? null : (
                <span class="place-of">
                  <span class="unseen">Place </span>
                  {row.place}
                  {row.places === '' ? null : <span class="detail"> {row.places}</span>}
                </span>
              )}
              <ModelName row={row} />
            </th>
          ))}
        </tr>
      </thead>
      {byCategory(view.columns).map((category) => (
        <CategoryBody key={category.name} category={category} width={width} rowOf={rowOf} />
      ))}
    </>
  )
}

interface CategoryBodyProps {
  readonly category: ColumnGroup
  readonly width: number
  readonly rowOf: (column: ColumnView) => JSX.Element
}

const CategoryBody = ({ category, width, rowOf }: CategoryBodyProps): JSX.Element => (
  <tbody>
    <GroupHead name={category.name} className="category" width={width} />
    {bySubcategory(category.columns).map((group) => [
      <GroupHead
        key={`${group.name}-${group.columns[0]?.key ?? ''}`}
        name={group.name}
        className="subcategory"
        width={width}
      />,
      group.columns.map(rowOf),
    ])}
  </tbody>
)

const GroupHead = ({
  name,
  className,
  width,
}: {
  readonly name: string
  readonly className: string
  readonly width: number
}): JSX.Element | null =>
  name === '' ? null : (
    <tr class={className}>
      <th scope="rowgroup" colSpan={width}>
        <span class="group-name">{name}</span>
      </th>
    </tr>
  )
