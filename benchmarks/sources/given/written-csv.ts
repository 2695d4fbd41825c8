/** Cells as they are under their columns, separated by commas, quoted where a reader needs it. */
export const writtenCsv = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [columns, ...rows].map((cells) => `${cells.map(quoted).join(',')}\n`).join('')

/** Blanks at an end stay, and a lone empty cell is no empty line. */
const quoted = (cell: string): string =>
  /[",\r\n]|^\s|\s$/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
