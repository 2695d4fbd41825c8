import { CsvError, parse } from 'csv-parse/sync'
import { ProblemError } from '../../../cache/problems/problem.ts'
import type { Row, Table } from '../table.ts'
import { checkWidth, emptyFile, uniqueNames } from './csv-table.ts'

/** Separators of cells, and what each is called. */
export const CELL_SEPARATORS = { ',': 'comma', ';': 'semicolon', '\t': 'tab', '|': 'bar' } as const
export type CellSeparator = keyof typeof CELL_SEPARATORS

/**
 * A table that need not read as Python would: ratings, leaderboards, costs, data of a new benchmark. Every cell is the text as
 * written, empty lines are none, and each row has as many cells as the header. Columns without a name that hold nothing are left out.
 * @throws ProblemError `benchmarks/csv`, `benchmarks/ragged-row`, `benchmarks/duplicate-column`, `benchmarks/empty-file`
 */
export const separatedTable = (text: string, file: string, separator: CellSeparator): Table => {
  const [header, ...records] = separatedRecords(text, file, separator)
  if (header === undefined) throw emptyFile(file)
  const used = [...header.cells.keys()].filter(
    (at) => header.cells[at] !== '' || records.some(({ cells }) => cells[at]?.trim()),
  )
  const names = used.map((at) => header.cells[at] ?? '')
  const columns = uniqueNames({ ...header, cells: names }, file, null)
  const rows = records.map(({ cells, line }, index): Row => {
    const row = index + 1
    checkWidth({ cells, line, row }, header.cells, 'strict', file, CELL_SEPARATORS[separator])
    return { cells: new Map(columns.map((column, at) => [column, cells[used[at] ?? 0] ?? null])), row, line }
  })
  return { file, columns, rows }
}

interface PlainRecord {
  readonly cells: readonly string[]
  /** Where the record starts, from 1. */
  readonly line: number
}

/** Its header first. @throws ProblemError `benchmarks/csv` */
export const separatedRecords = (
  text: string,
  file: string,
  delimiter: CellSeparator,
): readonly PlainRecord[] => {
  const records: PlainRecord[] = []
  /** The line on which the last record ended, as the package counts, and line ends in cells that it counts twice. */
  let ended = 0
  let twice = 0
  try {
    parse(text, {
      bom: true,
      delimiter,
      relaxColumnCount: true,
      recordDelimiter: ['\r\n', '\n', '\r'],
      skipEmptyLines: true,
      onRecord: (cells, { lines }) => {
        ended = lines
        twice += countIn(cells, /\r\n/g)
        if (cells.length > 1 || cells[0]?.trim() !== '')
          records.push({ cells, line: lines - twice - countIn(cells, /\r\n|\n|\r/g) })
        return null
      },
    })
  } catch (error) {
    if (error instanceof CsvError) throw unreadable(error, file, { ended, twice })
    throw error
  }
  return records
}

const countIn = (cells: readonly string[], what: RegExp): number =>
  cells.reduce((count, cell) => count + (cell.match(what)?.length ?? 0), 0)

/**
 * The package's message may quote a cell, and a rating's comment is nobody's business: its code says as much. A quote that
 * never ends is told where its row begins, as the package found that only at the end of the file.
 */
const unreadable = (
  { code, lines }: CsvError,
  file: string,
  { ended, twice }: { readonly ended: number; readonly twice: number },
): ProblemError => {
  const found: unknown = code === 'CSV_QUOTE_NOT_CLOSED' ? ended + 1 : lines
  return new ProblemError({
    code: 'benchmarks/csv',
    message: `quotes do not match (${code})`,
    where: { file, ...(typeof found === 'number' ? { line: found - twice } : {}) },
    remedy:
      'Put a cell with a separator, a quote or a line break into double quotes, and write a quote within twice: "".',
  })
}
