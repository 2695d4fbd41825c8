import { ProblemError } from '../../cache/problem.ts'
import type { PyValue } from '../python/value.ts'
import { csvRecords, type CsvDialect, type CsvRecord } from './csv-records.ts'
import { pandasNames } from './pandas-names.ts'
import { inferTypes } from './pandas-types.ts'
import { universalNewlines } from './read-text.ts'
import type { Row, Table } from './table.ts'

export interface CsvOptions {
  readonly separator?: string
  /** False: `NA`, empty cells and the like stay text (pandas' `keep_default_na`). */
  readonly naTexts?: boolean
}

/**
 * A CSV file as a table.
 * - `python`: csv.DictReader; every cell is text, cells that a short row lacks are None, extra ones are dropped;
 * - `pandas`: read_csv; types inferred per column, missing cells NaN, repeated columns named `a.1`;
 * - `strict`: every cell is the text as written; a row must have as many cells as the header.
 *
 * @throws ProblemError `benchmarks/csv`, `benchmarks/ragged-row`, `benchmarks/duplicate-column`, `benchmarks/empty-file`
 */
export const csvTable = (
  text: string,
  dialect: CsvDialect,
  file: string,
  { separator = ',', naTexts = true }: CsvOptions = {},
): Table => {
  if (dialect === 'python') return dictReader(text, file, separator)
  const [header, ...records] = csvRecords(text.replace(/^\ufeff/, ''), dialect, file, separator)
  if (header === undefined) throw emptyFile(file)
  const columns = dialect === 'strict' ? uniqueNames(header, file) : pandasNames(header.cells)
  for (const [index, record] of records.entries()) checkWidth(record, index, columns.length, dialect, file)
  if (dialect === 'strict') {
    const rows = records.map(({ cells, line }, index) => rowOf(columns, cells, index, line))
    return { file, columns, rows }
  }
  const typed = inferTypes(
    records.map(({ cells }) => columns.map((_, column) => cells[column])),
    naTexts,
  )
  const rows = records.map(({ line }, index) => rowOf(columns, typed[index] ?? [], index, line))
  return { file, columns, rows }
}

export const emptyFile = (file: string): ProblemError =>
  new ProblemError({
    code: 'benchmarks/empty-file',
    message: `${file} is empty`,
    where: { file },
    remedy: 'The first line names the columns; each further line is one instance.',
  })

const dictReader = (text: string, file: string, separator: string): Table => {
  const [header, ...records] = csvRecords(universalNewlines(text), 'python', file, separator)
  const columns = header?.cells ?? []
  const full = records.filter(({ cells }) => cells.length > 0)
  const rows = full.map(({ cells, line }, index) => rowOf(columns, cells, index, line))
  return { file, columns, rows }
}

const rowOf = (columns: readonly string[], cells: readonly PyValue[], index: number, line: number): Row => ({
  cells: new Map(columns.map((column, at) => [column, cells[at] ?? null])),
  row: index + 1,
  line,
})

const checkWidth = (
  record: CsvRecord,
  index: number,
  width: number,
  dialect: CsvDialect,
  file: string,
): void => {
  const found = record.cells.length
  // pandas would take the first cells of too long rows as an index and shift the others under wrong columns.
  if (found === width || (found < width && dialect === 'pandas')) return
  throw new ProblemError({
    code: 'benchmarks/ragged-row',
    message: `row ${index + 1} has ${found} cells, the header has ${width}`,
    where: { file, line: record.line, row: index + 1 },
    remedy:
      found > width
        ? 'Put a cell that holds a comma into double quotes.'
        : 'Write a comma for each empty cell; a cell that holds a line break goes into double quotes.',
  })
}

const uniqueNames = (header: CsvRecord, file: string): readonly string[] => {
  for (const [index, name] of header.cells.entries())
    if (name !== '' && header.cells.indexOf(name) < index)
      throw new ProblemError({
        code: 'benchmarks/duplicate-column',
        message: `the header has two columns ${JSON.stringify(name)}`,
        where: { file, line: header.line, field: name },
        remedy: 'Rename one of them.',
      })
  return header.cells
}
