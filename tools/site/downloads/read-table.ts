import { distinct, shownCell, type ShownCell, type ShownTable } from './shown-table.ts'

/** Digits of the numbers: those that the page shows, or all that it knows. */
type Digits = 'shown' | 'all'

/**
 * Reads a table of the page, in the order in which it shows it. With all digits a column of intervals becomes two, its
 * ends, and one of values with intervals three; headings of groups of rows become a column, the first.
 */
export const readTable = (table: HTMLTableElement, name: string, digits: Digits): ShownTable => {
  const heads = [...(table.tHead?.rows[table.tHead.rows.length - 1]?.cells ?? [])]
  const { body, groups } = bodyOf(table)
  const columns = heads.flatMap((head, column) => {
    const cells = body.map((row) => row[column])
    // A column of drawings says nothing that its neighbours do not.
    const isDrawn = cells.some((cell) => cell?.querySelector('svg')) && cells.every(isBlank)
    return isDrawn ? [] : readColumn(headText(head), cells, digits)
  })
  const isGrouped = groups.some((group) => group !== null)
  const all = isGrouped ? [{ name: table.dataset['groups'] ?? 'Group', values: groups }, ...columns] : columns
  return {
    name,
    head: distinct(all.map((column) => column.name)),
    rows: body.map((_, row) => all.map(({ values }) => values[row] ?? null)),
  }
}

/** Rows of cells, and the heading that each stands below, if any. */
const bodyOf = (
  table: HTMLTableElement,
): { readonly body: readonly (readonly HTMLElement[])[]; readonly groups: readonly ShownCell[] } => {
  const body: HTMLElement[][] = []
  const groups: ShownCell[] = []
  for (const part of table.tBodies) {
    let group: ShownCell = null
    for (const { cells } of part.rows) {
      const [first] = cells
      if (first?.scope === 'rowgroup') group = plainText(mainText(first)) || null
      else {
        body.push([...cells])
        groups.push(group)
      }
    }
  }
  return { body, groups }
}

const plainText = (text: string): string => text.replaceAll(/\s+/g, ' ').trim()

interface Column {
  readonly name: string
  readonly values: readonly ShownCell[]
}

const readColumn = (
  name: string,
  cells: readonly (HTMLElement | undefined)[],
  digits: Digits,
): readonly Column[] => {
  const shown = cells.map((cell) => (cell === undefined ? null : shownCell(mainText(cell))))
  const exact = cells.map((cell) => (digits === 'all' && cell !== undefined ? numbersOf(cell) : []))
  const most = Math.max(0, ...exact.map(({ length }) => length))
  if (most < 2) return [{ name, values: shown.map((cell, row) => exact[row]?.[0] ?? cell) }]
  const parts = most === 2 ? ['low', 'high'] : ['', 'low', 'high']
  return parts.map((part, at) => ({
    name: part === '' ? name : `${name}, ${part}`,
    // Words stand where the first number would.
    values: exact.map(
      (numbers, row) => numbers[at] ?? (numbers.length === 0 && at === 0 ? (shown[row] ?? null) : null),
    ),
  }))
}

const numbersOf = (cell: HTMLElement): readonly number[] =>
  [...cell.querySelectorAll('data')].map(({ value }) => Number(value))

const isBlank = (cell: HTMLElement | undefined): boolean =>
  cell === undefined || shownCell(mainText(cell)) === null

const headText = (head: HTMLElement): string => {
  const name = head.querySelector('.column-name, .model-name') ?? head
  const copy = name.cloneNode(true)
  if (copy instanceof HTMLElement) for (const drawn of copy.querySelectorAll('svg')) drawn.remove()
  return plainText(copy.textContent ?? '') || 'column'
}

/** A cell's value or name, without its details. */
const mainText = (cell: HTMLElement): string => {
  const named = cell.querySelector('.value, .model-name, .column-name')
  if (named !== null) return named.textContent
  const items = [...cell.querySelectorAll('li')]
  if (items.length > 0) return items.map(({ textContent }) => textContent).join('; ')
  const copy = cell.cloneNode(true)
  if (!(copy instanceof HTMLElement)) return ''
  for (const detail of copy.querySelectorAll('.detail, .unseen, svg')) detail.remove()
  return copy.textContent
}
