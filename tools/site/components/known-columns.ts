import type { ComponentChildren } from 'preact'

/** A cell that tells nothing. */
const isBlank = (cell: unknown): boolean =>
  cell === '–' || cell === '' || cell == null || (Array.isArray(cell) && cell.length === 0)

/**
 * A table without the columns of which no row knows anything: they would only push the others together.
 * The first names the rows and stays; rows of one cell head those below them.
 */
export const knownColumns = <Column, Cell extends ComponentChildren | readonly unknown[]>(
  head: readonly Column[],
  rows: readonly (readonly Cell[])[],
): { readonly head: readonly Column[]; readonly rows: readonly (readonly Cell[])[] } => {
  const full = rows.filter((cells) => cells.length > 1)
  const isKept = (_: unknown, at: number): boolean =>
    at === 0 || full.length === 0 || full.some((cells) => !isBlank(cells[at]))
  return { head: head.filter(isKept), rows: rows.map((cells) => cells.filter(isKept)) }
}
