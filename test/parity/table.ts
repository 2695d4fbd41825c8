import { isEqual, type ParityRow } from './compare.ts'

const HEADER = ['', 'benchmark', 'instances', 'ids equal', 'prompts equal', 'samples equal', 'compared with']

/** The rows as aligned text, one line a row; a row that differs says how on a line of its own. */
export const parityTable = (rows: readonly ParityRow[]): string => {
  const cells = [HEADER, ...rows.map(cellsOf)]
  const widths = HEADER.map((_, column) => Math.max(...cells.map((line) => line[column]?.length ?? 0)))
  const print = (line: readonly string[]): string =>
    line
      .map((text, column) =>
        isCount(column) ? text.padStart(widths[column] ?? 0) : text.padEnd(widths[column] ?? 0),
      )
      .join('  ')
      .trimEnd()
  return rows
    .flatMap((row) => [
      print(cellsOf(row)),
      ...(row.difference === undefined ? [] : [`   ${row.difference}`]),
    ])
    .reduce((text, line) => `${text}${line}\n`, `${print(HEADER)}\n`)
}

const isCount = (column: number): boolean => column >= 2 && column <= 5

const cellsOf = (row: ParityRow): readonly string[] => [
  isEqual(row) ? '=' : '≠',
  row.label,
  String(row.instances),
  String(row.ids),
  String(row.prompts),
  row.samples.compared === 0 ? '' : `${row.samples.equal}/${row.samples.compared}`,
  row.source,
]
