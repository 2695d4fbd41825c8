import type { ComponentChildren, JSX } from 'preact'
import { knownColumns } from '../known-columns.ts'
import type { Axis } from './axis.ts'
import { AxisNumbers, Mark, type MarkValue } from './mark.tsx'

/** A column of marks on one axis, or of texts. */
export type MarkColumn =
  /** `short` is shown where the column's neighbour says the rest. */
  | { readonly text: string; readonly short?: string; readonly number?: boolean }
  | {
      readonly text: string
      readonly axis: Axis
      readonly format?: (tick: number) => string
      readonly line?: number
    }

export type MarkCell = ComponentChildren | readonly MarkValue[]

interface MarkTableProps {
  readonly label: string
  /** What rows of one cell name, for files of the table, where they are a column. */
  readonly groups?: string
  readonly head: readonly MarkColumn[]
  /** The first cell names the row; a row of one cell heads those below it. */
  readonly rows: readonly (readonly MarkCell[])[]
}

/** A figure whose rows are those of a table: what is drawn stands beside its numbers, and names are links. */
export const MarkTable = ({ label, groups, ...all }: MarkTableProps): JSX.Element => {
  const { head, rows } = knownColumns<MarkColumn, MarkCell>(all.head, all.rows)
  return (
    <div class="table-scroll" role="region" aria-label={label} tabIndex={0}>
      <table
        class={`data marks${head.filter((column) => 'axis' in column).length > 1 ? ' several' : ''}`}
        data-groups={groups}
      >
        <thead>
          <tr>
            {head.map((column) => (
              <th
                key={column.text}
                scope="col"
                class={'axis' in column ? 'drawn' : column.number === true ? 'number' : undefined}
              >
                {'short' in column && column.short !== undefined ? (
                  <span title={column.text}>
                    <span aria-hidden="true">{column.short}</span>
                    <span class="unseen column-name">{column.text}</span>
                  </span>
                ) : (
                  column.text
                )}
                {'axis' in column ? (
                  <AxisNumbers axis={column.axis} {...(column.format && { format: column.format })} />
                ) : null}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <MarkRow key={row} head={head} cells={cells} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

const MarkRow = ({
  head,
  cells: [name, ...cells],
}: Pick<MarkTableProps, 'head'> & { readonly cells: readonly MarkCell[] }): JSX.Element => {
  const isGroup = cells.length === 0
  return (
    <tr class={isGroup ? 'group' : undefined}>
      <th scope={isGroup ? 'rowgroup' : 'row'} colSpan={isGroup ? head.length : 1} dir="auto">
        {name as ComponentChildren}
      </th>
      {cells.map((cell, at) => {
        const column = head[at + 1]
        if (column === undefined) return null
        return 'axis' in column ? (
          <td key={at} class="drawn">
            <Mark
              axis={column.axis}
              values={cell as readonly MarkValue[]}
              {...(column.line === undefined ? {} : { line: column.line })}
            />
          </td>
        ) : (
          <td key={at} class={column.number === true ? 'number' : undefined}>
            {cell as ComponentChildren}
          </td>
        )
      })}
    </tr>
  )
}
