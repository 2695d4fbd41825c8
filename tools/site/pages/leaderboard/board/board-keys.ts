import type { BoardActions } from './board-table.tsx'
import type { RowWindow } from './row-window.ts'

const STEPS: Readonly<Record<string, readonly [rows: number, cells: number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
  PageDown: [10, 0],
  PageUp: [-10, 0],
  Home: [0, -Infinity],
  End: [0, Infinity],
}

/** The table is one stop of the tab key; within it arrows move, `p` pins. */
export const followKeys =
  ({ onPin }: BoardActions, count: number, { first, reach }: RowWindow) =>
  (event: KeyboardEvent): void => {
    const cell = event.target instanceof HTMLElement ? event.target.closest<HTMLElement>('[data-cell]') : null
    const row = cell?.closest('tr')
    if (cell === null || row == null || event.ctrlKey || event.metaKey || event.altKey) return
    if (event.key === 'p') {
      onPin(row.dataset['model'] ?? '')
      return
    }
    const step = STEPS[event.key]
    if (step === undefined) return
    event.preventDefault()
    const body = row.parentElement
    const rows = (): readonly Element[] => [...(body?.querySelectorAll('[data-model]') ?? [])]
    const own = cellsOf(row).indexOf(cell)
    const next = clamped(first + rows().indexOf(row) + step[0], count)
    const firstNow = reach(next)
    const target = rows()[next - firstNow]
    const cells = target === undefined ? [] : cellsOf(target)
    focusCell(cells[clamped(own + step[1], cells.length)])
  }

const clamped = (index: number, length: number): number => Math.max(0, Math.min(length - 1, index))

const cellsOf = (row: Element): readonly HTMLElement[] => [
  ...row.querySelectorAll<HTMLElement>('[data-cell]'),
]

/** Makes a cell the one that the tab key reaches. */
const focusCell = (cell: HTMLElement | undefined): void => {
  if (cell === undefined) return
  makeStop(cell)
  reveal(cell)
  cell.focus({ preventScroll: true })
}

/** Shows a cell beside what stays in place, the head and the columns of names; a scroll that takes time would lag behind keys. */
const reveal = (cell: HTMLElement): void => {
  const scroller = cell.closest<HTMLElement>('.board-scroll')
  const head = scroller?.querySelector('thead')
  const name = cell.closest('tr')?.querySelector('.model')
  if (scroller == null || head == null || name == null) return
  const stays = cell.closest('.pin, .model') !== null
  const left = stays ? 0 : name.getBoundingClientRect().right - scroller.getBoundingClientRect().left
  scroller.style.scrollPadding = `${head.getBoundingClientRect().height}px 0 0 ${left}px`
  cell.scrollIntoView({ block: 'nearest', inline: 'nearest', behavior: 'instant' })
}

const makeStop = (cell: HTMLElement): void => {
  for (const other of cell.closest('tbody')?.querySelectorAll('[data-cell][tabindex="0"]') ?? [])
    other.setAttribute('tabindex', '-1')
  cell.setAttribute('tabindex', '0')
}

/** After each drawing: one cell, the one that was left or the first, is reached by the tab key. */
export const keepOneStop = (root: HTMLElement): void => {
  const body = root.querySelector('.board tbody')
  if (body === null || body.querySelector('[data-cell][tabindex="0"]') !== null) return
  const first = body.querySelector<HTMLElement>('[data-cell]')
  if (first !== null) makeStop(first)
}
