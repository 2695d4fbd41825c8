import type { ComponentChildren, JSX } from 'preact'
import { knownColumns } from './known-columns.ts'

export interface DataTableProps {
  readonly label: string
  readonly head: readonly { readonly text: string; readonly number?: boolean }[]
  /** The first cell of a row names it. */
  readonly rows: readonly (readonly ComponentChildren[])[]
}

/** A plain table of what is known, which scrolls within the page where it is too wide for it. */
export const DataTable = ({ label, ...all }: DataTableProps): JSX.Element => {
  const { head, rows } = knownColumns(all.head, all.rows)
  return (
    <div class="table-scroll" role="region" aria-label={label} tabIndex={0}>
      <table class="data">
        <thead>
          <tr>
            {head.map(({ text, number }) => (
              <th key={text} scope="col" class={number === true ? 'number' : undefined}>
                {text}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(([name, ...values], row) => (
            <tr key={row}>
              <th scope="row" dir="auto">
                {name}
              </th>
              {values.map((value, column) => (
                <td key={column} class={head[column + 1]?.number === true ? 'number' : undefined}>
                  {value}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  )
}
