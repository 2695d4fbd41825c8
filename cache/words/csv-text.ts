type CsvCell = string | number | null

/** What a spreadsheet takes for a formula: its first sign, in the forms of every script, but for that of a number. */
const FORMULA = /^(?![+-]?(?:\d+\.?\d*|\.\d+)(?:e[+-]?\d+)?$)[=+\-@\t\r\n＝＋－＠]/i

/**
 * Comma-separated rows under their heads (RFC 4180), each with its line's end but the last, quoted where needed. Null is an
 * empty cell, never 0. A text that a spreadsheet would take for a formula gets an apostrophe in front. UTF-8 without a mark at
 * its start: pandas, R and Python would read that as part of the first head; Excel's “From Text/CSV” needs none.
 */
export const csvText = (
  heads: readonly string[],
  rows: readonly (readonly CsvCell[])[],
  lineEnd: '\n' | '\r\n' = '\n',
): string => [heads, ...rows].map((row) => row.map(csvCell).join(',')).join(lineEnd)

const csvCell = (value: CsvCell): string => {
  if (value === null) return ''
  if (typeof value === 'number') return String(value)
  return quoted(FORMULA.test(value) ? `'${value}` : value, /[",\r\n]/)
}

/** For readers of data: cells as they are. Blanks at an end stay, and a lone empty cell is no empty line. */
export const writtenCsv = (columns: readonly string[], rows: readonly (readonly string[])[]): string =>
  [columns, ...rows]
    .map((cells) => `${cells.map((cell) => quoted(cell, /[",\r\n]|^\s|\s$/)).join(',')}\n`)
    .join('')

const quoted = (cell: string, where: RegExp): string =>
  where.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell
