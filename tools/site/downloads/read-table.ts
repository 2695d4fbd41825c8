import { distinct, shownCell, type ShownCell, type ShownTable } from './shown-table.ts'

/** Parts of a leaderboard's cell that get columns of their own. */
const PARTS = ['range', 'base', 'group', 'warning'] as const

const PART_NAMES: Readonly<Record<(typeof PARTS)[number], string>> = {
  range: '95 % interval',
  base: 'n and coverage',
  group: 'group',
  warning: 'remark',
}

/** Reads a table of the page: exactly what it shows, in the order in which it shows it. */
export const readTable = (table: HTMLTableElement, name: string): ShownTable => {
  const heads = [...(table.tHead?.rows[table.tHead.rows.length - 1]?.cells ?? [])]
  const body = [...table.tBodies].flatMap((each) => [...each.rows].map((row) => [...row.cells]))
  const columns = heads.flatMap((head, column) => {
    const cells = body.map((row) => row[column])
    const parts = PARTS.filter((part) => cells.some((cell) => cell && partOf(cell, part) !== ''))
    // A column of drawings says nothing that its neighbours do not.
    const isDrawn = cells.some((cell) => cell?.querySelector('svg')) && cells.every(isBlank)
    return isDrawn ? [] : [{ name: headText(head), cells, parts: isScored(cells) ? parts : [] }]
  })
  return {
    name,
    head: distinct(
      columns.flatMap((column) => [
        column.name,
        ...column.parts.map((part) => `${column.name}, ${PART_NAMES[part]}`),
      ]),
    ),
    rows: body.map((_, row) =>
      columns.flatMap(({ cells, parts }): readonly ShownCell[] => {
        const cell = cells[row]
        if (cell === undefined) return [null, ...parts.map(() => null)]
        return [shownCell(mainText(cell)), ...parts.map((part) => shownCell(partOf(cell, part)))]
      }),
    ),
  }
}

const isBlank = (cell: HTMLElement | undefined): boolean =>
  cell === undefined || shownCell(mainText(cell)) === null

const isScored = (cells: readonly (HTMLElement | undefined)[]): boolean =>
  cells.some((cell) => cell?.classList.contains('score') === true)

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

const partOf = (cell: HTMLElement, part: (typeof PARTS)[number]): string => {
  if (part === 'warning') return cell.querySelector('.warning')?.textContent ?? ''
  const lines = (cell.querySelector('.detail')?.textContent ?? '').split('\n')
  const found = lines.find((line) => kindOf(line) === part) ?? ''
  return part === 'group' ? found.replace(/^group /, '') : found
}

const kindOf = (line: string): (typeof PARTS)[number] | undefined => {
  if (/^[\d−.]+–[\d−.]+$/.test(line)) return 'range'
  if (line.startsWith('group ')) return 'group'
  return line === '' ? undefined : 'base'
}
