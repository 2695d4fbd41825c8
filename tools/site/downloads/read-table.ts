import { distinct, shownCell, type ShownCell, type ShownTable } from './shown-table.ts'

/** Reads a table of the page: exactly what it shows, in the order in which it shows it. */
export const readTable = (table: HTMLTableElement, name: string): ShownTable => {
  const heads = [...(table.tHead?.rows[table.tHead.rows.length - 1]?.cells ?? [])]
  const body = [...table.tBodies].flatMap((each) => [...each.rows].map((row) => [...row.cells]))
  const columns = heads.flatMap((head, column) => {
    const cells = body.map((row) => row[column])
    // A column of drawings says nothing that its neighbours do not.
    const isDrawn = cells.some((cell) => cell?.querySelector('svg')) && cells.every(isBlank)
    return isDrawn ? [] : [{ name: headText(head), cells }]
  })
  return {
    name,
    head: distinct(columns.map((column) => column.name)),
    rows: body.map((_, row) =>
      columns.map(({ cells }): ShownCell => {
        const cell = cells[row]
        return cell === undefined ? null : shownCell(mainText(cell))
      }),
    ),
  }
}

const isBlank = (cell: HTMLElement | undefined): boolean =>
  cell === undefined || shownCell(mainText(cell)) === null

const headText = (head: HTMLElement): string => {
  const name = head.querySelector('.column-name, .model-name') ?? head
  return name.textContent.replaceAll(/\s+/g, ' ').trim() || 'column'
}

/** A cell's value or name, without its details. */
const mainText = (cell: HTMLElement): string => {
  const named = cell.querySelector('.value, .model-name, .column-name')
  if (named !== null) return named.textContent
  const items = [...cell.querySelectorAll('li')]
  if (items.length > 0) return items.map(({ textContent }) => textContent).join('; ')
  const copy = cell.cloneNode(true)
  if (!(copy instanceof HTMLElement)) return ''
  for (const detail of copy.querySelectorAll('.detail, .unseen')) detail.remove()
  return copy.textContent
}
