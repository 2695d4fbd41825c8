import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError, type Place } from '../../cache/problems/problem.ts'
import type { PyValue } from '../python/value.ts'

/** A data row. Cells hold what the reader makes of them: text, numbers, NaN or None for missing ones. */
export interface Row {
  readonly cells: ReadonlyMap<string, PyValue>
  /** From 1, the header left out. */
  readonly row: number
  /** Line of the file on which the row starts, where the format has lines. */
  readonly line?: number
}

/** Rows under named columns. */
export interface Table {
  readonly file: string
  readonly columns: readonly string[]
  readonly rows: readonly Row[]
}

export const rowPlace = (file: string, row: Row, field?: string): Place => ({
  file,
  row: row.row,
  ...(row.line === undefined ? {} : { line: row.line }),
  ...(field === undefined ? {} : { field }),
})

/** NaN, pandas' missing cell. */
export const isMissing = (value: PyValue): boolean => typeof value === 'number' && Number.isNaN(value)

const remedyOf = (separator: string): string =>
  separator === 'tabs'
    ? 'Save it as CSV with commas, or write "separator: \'\\t\'" for this file in a declaration.'
    : 'Save it as CSV with commas; a cell that holds a comma goes into double quotes.'

/**
 * A problem for a column that the table lacks.
 * @param use what needs the column, e.g. `the prompt`
 * @param wanted all columns that are asked for: a header that has none of them may be the first row of a file without one
 */
export const missingColumn = (
  table: Table,
  column: string,
  use: string,
  {
    where,
    wanted = [],
    remedy = '',
  }: { readonly where?: Place; readonly wanted?: readonly string[]; readonly remedy?: string } = {},
): ProblemError => {
  const columns = table.columns.map((name) => JSON.stringify(name)).join(', ')
  const separator = otherSeparator(table.columns)
  return new ProblemError({
    code: 'benchmarks/missing-column',
    message: `${use} needs a column ${JSON.stringify(column)}, which ${table.file} does not have${separator === undefined ? '' : `: its cells are separated by ${separator}`}`,
    where: where ?? { file: table.file, line: 1, field: column },
    remedy:
      separator === undefined
        ? `${suggestion(column, table.columns)}${remedy}The file has the columns ${columns}.`
        : remedyOf(separator),
    ...(separator !== undefined || wanted.some((name) => table.columns.includes(name))
      ? {}
      : { listsData: true }),
  })
}

const SEPARATORS = [
  [';', 'semicolons'],
  ['\t', 'tabs'],
  ['|', 'bars'],
  [',', 'commas'],
] as const

/** What separates the cells of a table that was read as one column because it was taken for something else. */
export const otherSeparator = (columns: readonly string[]): (typeof SEPARATORS)[number][1] | undefined => {
  const [only = ''] = columns.length === 1 ? columns : []
  return SEPARATORS.find(([separator]) => only.includes(separator))?.[1]
}
