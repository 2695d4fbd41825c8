/** A table's columns: heads, each with what stands below it. */
export type TextColumns<Row, Cell = string> = readonly (readonly [head: string, cellOf: (row: Row) => Cell])[]

/** Heads and rows, as every kind of table takes them. */
export const tabulated = <Row, Cell>(
  columns: TextColumns<Row, Cell>,
  rows: readonly Row[],
): readonly [heads: readonly string[], rows: readonly (readonly Cell[])[]] => [
  columns.map(([head]) => head),
  rows.map((row) => columns.map(([, cellOf]) => cellOf(row))),
]

/** Columns padded to their widest cell, two spaces apart. @param side where all but the first are set */
export const alignedTable = (
  heads: readonly string[],
  rows: readonly (readonly string[])[],
  side: 'left' | 'right' = 'right',
): string => {
  const widths = heads.map((head, column) =>
    rows.reduce((widest, row) => Math.max(widest, (row[column] ?? '').length), head.length),
  )
  const line = (cells: readonly string[]): string =>
    cells
      .map((cell, column) =>
        column === 0 || side === 'left'
          ? cell.padEnd(widths[column] ?? 0)
          : cell.padStart(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return [heads, ...rows].map(line).join('\n')
}

/** A GitHub table. A bar in a cell would end it. */
export const markdownTable = (heads: readonly string[], rows: readonly (readonly string[])[]): string => {
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |`
  return [
    line(heads),
    `|${heads.map((_, column) => (column === 0 ? '---|' : '---:|')).join('')}`,
    ...rows.map(line),
  ].join('\n')
}

/** Below a line that names it. */
export const indented = (table: string): string => table.replaceAll(/^/gm, '  ')

/** Parts in lines of at most `width` characters; a longer part has its own. */
export const wrapped = (parts: readonly string[], between: string, width: number): readonly string[] => {
  const lines: string[] = []
  for (const part of parts) {
    const last = lines.at(-1)
    if (last !== undefined && last.length + between.length + part.length <= width)
      lines[lines.length - 1] = last + between + part
    else lines.push(part)
  }
  return lines
}
