import type { ComponentChildren, JSX } from 'preact'
import type { Axis } from './plot/axis.ts'
import { AxisNumbers, Mark, type MarkValue } from './plot/mark.tsx'

/** A column of texts, of numbers, or of marks on one axis. */
export type DataColumn =
  | string
  /** `short` is shown where the column's neighbour says the rest. */
  | { readonly text: string; readonly short?: string; readonly number?: boolean }
  | {
      readonly text: string
      readonly axis: Axis
      readonly format?: (tick: number) => string
      readonly line?: number
    }

export const numeric = (...heads: readonly string[]): readonly DataColumn[] =>
  heads.map((text) => ({ text, number: true }))

export type DataCell = ComponentChildren | readonly MarkValue[]

interface DataTableProps {
  readonly label: string
  /** What rows of one cell name, for files of the table, where they are a column. */
  readonly groups?: string
  readonly head: readonly DataColumn[]
  /** The first cell names the row; a row of one cell heads those below it. */
  readonly rows: readonly (readonly DataCell[])[]
}

/**
 * A plain table of what is known, which scrolls within the page where it is too wide for it. What is drawn stands beside
 * its numbers.
 */
export const DataTable = ({ label, groups, ...all }: DataTableProps): JSX.Element => {
  const { head, rows } = knownColumns(all.head, all.rows)
  const isDrawn = (column: DataColumn): boolean => classOf(column) === 'drawn'
  const marks = groups !== undefined || all.head.some(isDrawn) ? ' marks' : ''
  const several = head.filter(isDrawn).length > 1 ? ' several' : ''
  return (
    <div class="table-scroll" role="region" aria-label={label} tabIndex={0}>
      <table class={`data${marks}${several}`} data-groups={groups}>
        <thead>
          <tr>
            {head.map((column) => (
              <Head key={typeof column === 'string' ? column : column.text} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((cells, row) => (
            <Row key={row} head={head} cells={cells} />
          ))}
        </tbody>
      </table>
    </div>
  )
}

const classOf = (column: DataColumn): string | undefined => {
  if (typeof column === 'string') return undefined
  return 'axis' in column ? 'drawn' : column.number === true ? 'number' : undefined
}

const Head = ({ column }: { readonly column: DataColumn }): JSX.Element => {
  const { text, ...more } = typeof column === 'string' ? { text: column } : column
  return (
    <th scope="col" class={classOf(column)}>
      {'short' in more && more.short !== undefined ? (
        <span title={text}>
          <span aria-hidden="true">{more.short}</span>
          <span class="unseen column-name">{text}</span>
        </span>
      ) : (
        text
      )}
      {'axis' in more ? <AxisNumbers axis={more.axis} {...(more.format && { format: more.format })} /> : null}
    </th>
  )
}

const Row = ({
  head,
  cells: [name, ...cells],
}: Pick<DataTableProps, 'head'> & { readonly cells: readonly DataCell[] }): JSX.Element => {
  const isGroup = cells.length === 0 && head.length > 1
  return (
    <tr class={isGroup ? 'group' : undefined}>
      <th scope={isGroup ? 'rowgroup' : 'row'} colSpan={isGroup ? head.length : undefined} dir="auto">
        {name as ComponentChildren}
      </th>
      {cells.map((cell, at) => {
        const column = head[at + 1]
        return column !== undefined && typeof column !== 'string' && 'axis' in column ? (
          <td key={at} class="drawn">
            <Mark
              axis={column.axis}
              values={cell as readonly MarkValue[]}
              {...(column.line === undefined ? {} : { line: column.line })}
            />
          </td>
        ) : (
          <td key={at} class={column === undefined ? undefined : classOf(column)}>
            {cell as ComponentChildren}
          </td>
        )
      })}
    </tr>
  )
}

/** A cell that tells nothing. */
const isBlank = (cell: unknown): boolean =>
  cell === '–' || cell === '' || cell == null || (Array.isArray(cell) && cell.length === 0)

/**
 * A table without the columns of which no row knows anything: they would only push the others together.
 * The first names the rows and stays; rows of one cell head those below them.
 */
const knownColumns = (
  head: readonly DataColumn[],
  rows: readonly (readonly DataCell[])[],
): { readonly head: readonly DataColumn[]; readonly rows: readonly (readonly DataCell[])[] } => {
  const full = rows.filter((cells) => cells.length > 1)
  const isKept = (_: unknown, at: number): boolean =>
    at === 0 || full.length === 0 || full.some((cells) => !isBlank(cells[at]))
  return { head: head.filter(isKept), rows: rows.map((cells) => cells.filter(isKept)) }
}
