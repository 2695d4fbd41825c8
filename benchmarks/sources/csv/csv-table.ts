import { safeText, ProblemError, type Place } from '../../../cache/problems/problem.ts'
import type { PyValue } from '../../python/value.ts'
import { pandasNames, inferTypes } from './pandas-types.ts'
import { universalNewlines } from '../read-text.ts'
import { toldColumn } from '../column-name.ts'
import { STRICT_ROWS, type RowGuard, otherSeparator, type Row, type Table } from '../table.ts'

export interface CsvOptions {
  readonly separator?: string
  /** False: `NA`, empty cells and the like stay text (pandas' `keep_default_na`). */
  readonly naTexts?: boolean
  readonly rows?: RowGuard
  /** Names of the columns where the first line is a row; each row must have as many cells. */
  readonly header?: readonly string[]
  /** Lines that did not decode, by number. */
  readonly badLines?: ReadonlyMap<number, ProblemError>
}

/**
 * A benchmark's CSV file as a table, read as its protocol's program reads it: no library splits text as Python and pandas do.
 * What no protocol reads (ratings, leaderboards, costs) is `separatedTable`'s, which tests hold to `strict`.
 * - `python`: csv.DictReader; every cell is text, cells that a short row lacks are None; extra ones, and all but the last
 *   column of a name, are dropped and told;
 * - `pandas`: read_csv; types inferred per column, missing cells NaN, repeated columns named `a.1`;
 * - `strict`: every cell is the text as written; a row must have as many cells as the header.
 * @throws ProblemError `benchmarks/csv`, `benchmarks/ragged-row`, `benchmarks/duplicate-column`, `benchmarks/empty-file`
 */
export const csvTable = (
  text: string,
  dialect: CsvDialect,
  file: string,
  options: CsvOptions = {},
): Table => {
  const { separator = ',', naTexts = true } = options
  if (dialect === 'python') return dictReader(text, file, separator, options)
  const [header, ...all] = [
    ...givenHeader(options),
    ...csvRecords(text.replace(/^\ufeff/, ''), dialect, file, separator),
  ]
  if (header === undefined) throw emptyFile(file)
  const columns = dialect === 'strict' ? uniqueNames(header, file) : pandasNames(header.cells.map(untilNul))
  const records = soundRecords(header, all, file, options, (record) =>
    checkWidth(record, columns, dialect, file),
  )
  if (dialect === 'strict') {
    const rows = records.map(({ cells, line, row }) => rowOf(columns, cells, row, line))
    return { file, columns, rows }
  }
  const typed = inferTypes(
    records.map(({ cells }) => columns.map((_, column) => untilNul(cells[column]))),
    naTexts,
  )
  const rows = records.map(({ line, row }, index) => rowOf(columns, typed[index] ?? [], row, line))
  return { file, columns, rows }
}

/** pandas' parser takes a NUL for the end of a cell. */
const untilNul = <Cell extends string | undefined>(cell: Cell): Cell =>
  (cell?.includes('\0') === true ? cell.slice(0, cell.indexOf('\0')) : cell) as Cell

export const emptyFile = (file: string): ProblemError =>
  new ProblemError({
    code: 'benchmarks/empty-file',
    message: `${file} is empty`,
    where: { file },
    remedy: 'The first line names the columns; each further line is one instance.',
  })

const dictReader = (text: string, file: string, separator: string, options: CsvOptions): Table => {
  const [header, ...records] = [
    ...givenHeader(options),
    ...csvRecords(universalNewlines(text), 'python', file, separator),
  ]
  if (header === undefined) throw emptyFile(file)
  const columns = header.cells
  const full = records.filter(({ cells }) => cells.length > 0)
  const { rows: guard = STRICT_ROWS } = options
  for (const [at, name] of columns.entries())
    if (name !== '' && columns.lastIndexOf(name) > at)
      guard.readInPart({ file, line: header.line }, 'repeated-column')
  const check = (record: NumberedRecord): void => {
    if (options.header !== undefined) checkWidth(record, columns, 'python', file)
    const { cells, line, row } = record
    if (cells.slice(columns.length).some((cell) => cell !== ''))
      guard.readInPart({ file, line, row }, 'extra-cells')
  }
  const sound = soundRecords(header, full, file, options, check)
  const rows = sound.map(({ cells, line, row }) => rowOf(columns, cells, row, line))
  return { file, columns, rows }
}

const givenHeader = ({ header }: CsvOptions): readonly CsvRecord[] =>
  header === undefined ? [] : [{ cells: header, line: 0 }]

interface NumberedRecord extends CsvRecord {
  /** From 1, skipped ones counted. */
  readonly row: number
}

/** Records whose lines decode and that pass the check. */
const soundRecords = (
  header: CsvRecord,
  records: readonly CsvRecord[],
  file: string,
  { rows = STRICT_ROWS, badLines = new Map<number, ProblemError>() }: CsvOptions,
  check: (record: NumberedRecord) => void,
): readonly NumberedRecord[] => {
  // Records come in the order of their lines: each bad one is looked at once.
  const byLine = [...badLines].toSorted(([a], [b]) => a - b)
  let passed = 0
  const badWithin = (from: number, before: number): ProblemError | undefined => {
    while ((byLine[passed]?.[0] ?? Infinity) < from) passed += 1
    const [line, problem] = byLine[passed] ?? []
    return line !== undefined && line < before ? problem : undefined
  }
  const inHeader = badWithin(header.line, records[0]?.line ?? Infinity)
  if (inHeader !== undefined) throw inHeader
  return records
    .map((record, index) => ({ ...record, row: index + 1 }))
    .filter((record) =>
      rows.attempt(() => {
        const bad = badWithin(record.line, records[record.row]?.line ?? Infinity)
        if (bad !== undefined) throw atRow(bad, { file, line: record.line, row: record.row })
        check(record)
        return true
      }),
    )
}

/** A line's own problem knows neither its line in the file nor its row. */
export const atRow = (error: ProblemError, where: Place): ProblemError =>
  new ProblemError(
    error.problems.map((problem) => ({ ...problem, where })),
    { cause: error },
  )

const rowOf = (columns: readonly string[], cells: readonly PyValue[], row: number, line: number): Row => ({
  cells: new Map(columns.map((column, at) => [column, cells[at] ?? null])),
  row,
  line,
})

/** @throws ProblemError `benchmarks/ragged-row` */
export const checkWidth = (
  record: NumberedRecord,
  columns: readonly string[],
  dialect: CsvDialect,
  file: string,
  cut = 'comma',
): void => {
  const found = record.cells.length
  const width = columns.length
  const separator = otherSeparator(columns)
  // pandas would take the first cells of too long rows as an index and shift the others under wrong columns.
  if (found === width || (found < width && dialect === 'pandas')) return
  throw new ProblemError({
    code: 'benchmarks/ragged-row',
    message: `row ${record.row} has ${found} cells, the header has ${width}${separator === undefined ? '' : `: the file seems to be separated by ${separator}`}`,
    where: { file, line: record.line, row: record.row },
    remedy:
      separator !== undefined
        ? `Save it with ${cut}s in their place.`
        : found > width
          ? `Put a cell that holds a ${cut} into double quotes.`
          : `Write a ${cut} for each empty cell; a cell that holds a line break goes into double quotes.`,
  })
}

/** @param spared what several may be called. @throws ProblemError `benchmarks/duplicate-column` */
export const uniqueNames = (
  header: CsvRecord,
  file: string,
  spared: string | null = '',
): readonly string[] => {
  for (const [index, name] of header.cells.entries())
    if (name !== spared && header.cells.indexOf(name) < index)
      throw new ProblemError({
        code: 'benchmarks/duplicate-column',
        safe: safeText`two columns of the header have one name`,
        message: `the header has two columns ${toldColumn(name)}`,
        where: { file, line: header.line },
        remedy: 'Rename one of them.',
      })
  return header.cells
}

/**
 * Who reads the file (HELM.md B12):
 * - `python`: csv.reader over a file in text mode;
 * - `pandas`: read_csv with its C parser;
 * - `strict`: as pandas, but what it merely tolerates is a problem.
 */
type CsvDialect = 'python' | 'pandas' | 'strict'

/** The cells of one row as written; `line` is where it starts, from 1. */
interface CsvRecord {
  readonly cells: readonly string[]
  readonly line: number
}

/**
 * Splits CSV text (comma or another separator, double quotes doubled inside quotes) into records. A quote opens a field only as its first
 * character; what follows a closing quote is appended to the field. Empty lines give an empty record in the python
 * dialect and none in the others, where lines of blanks count as empty too.
 *
 * @throws ProblemError `benchmarks/csv` with line and column, except in the python dialect, which takes everything
 */
const csvRecords = (
  text: string,
  dialect: CsvDialect,
  file: string,
  separator = ',',
): readonly CsvRecord[] => {
  const reader = new CsvReader(text, dialect, file, separator)
  const records: CsvRecord[] = []
  while (!reader.atEnd()) {
    const record = reader.record()
    if (record !== undefined) records.push(record)
  }
  return records
}

class CsvReader {
  private readonly text: string
  private readonly dialect: CsvDialect
  private readonly file: string
  private readonly separator: string
  private at = 0
  private line = 1

  constructor(text: string, dialect: CsvDialect, file: string, separator: string) {
    this.text = text
    this.dialect = dialect
    this.file = file
    this.separator = separator
  }

  atEnd(): boolean {
    return this.at >= this.text.length
  }

  record(): CsvRecord | undefined {
    const { line } = this
    // Blanks alone are an empty line to pandas, tabs only where they separate nothing.
    const blanks = this.separator === '\t' ? / *(?=\n|\r|$)/y : /[ \t]*(?=\n|\r|$)/y
    const blank = this.dialect === 'python' ? /(?=\n|\r)/y : blanks
    blank.lastIndex = this.at
    const found = blank.exec(this.text)
    if (found !== null) {
      this.at += found[0].length
      this.endRow()
      return this.dialect === 'python' ? { cells: [], line } : undefined
    }
    if (this.dialect === 'pandas') this.refuseMisread()
    const cells = [this.cell()]
    while (this.text[this.at] === this.separator) {
      this.at++
      cells.push(this.cell())
    }
    this.endRow()
    return { cells, line }
  }

  /** Behind a lone carriage return pandas loses an empty first cell, and gives a row twice before one that begins with a blank. */
  private refuseMisread(): void {
    const first = this.text[this.at] ?? ''
    if (this.text[this.at - 1] === '\r' && [this.separator, ' ', '\t'].includes(first))
      throw this.problem(
        'the line before ends with a carriage return alone, behind which pandas misreads an empty cell or a blank',
        this.at,
        'Save the file with line feeds at the ends of its lines.',
      )
  }

  private cell(): string {
    if (this.text[this.at] !== '"') return this.bare()
    const value = this.quoted()
    const rest = this.bare()
    if (rest !== '' && this.dialect === 'strict')
      throw this.problem(
        'text follows a closing quote',
        this.at - rest.length,
        'A quote inside a quoted cell is written twice: "".',
      )
    return value + rest
  }

  private bare(): string {
    const end = this.separator === '\t' ? /[\t\n\r]/g : /[,\n\r]/g
    end.lastIndex = this.at
    const start = this.at
    this.at = end.exec(this.text)?.index ?? this.text.length
    return this.text.slice(start, this.at)
  }

  private quoted(): string {
    const opening = this.at
    let value = ''
    for (let start = opening + 1; ; start = this.at) {
      const quote = this.text.indexOf('"', start)
      const end = quote === -1 ? this.text.length : quote
      value += this.text.slice(start, end)
      this.at = end + 1
      if (quote === -1) {
        if (this.dialect !== 'python')
          throw this.problem(
            'a quoted cell starts here and never ends',
            opening,
            'Close the quote, or double it if it belongs to the text.',
          )
        break
      }
      if (this.text[this.at] !== '"') break
      value += '"'
      this.at++
    }
    this.line += value.split(/\r\n|[\n\r]/).length - 1
    return value
  }

  private endRow(): void {
    if (this.text.startsWith('\r\n', this.at)) this.at++
    this.at++
    this.line++
  }

  private problem(message: string, offset: number, remedy: string): ProblemError {
    const before = this.text.slice(0, offset).split(/\r\n|[\n\r]/)
    return new ProblemError({
      code: 'benchmarks/csv',
      message,
      where: { file: this.file, line: before.length, column: (before.at(-1)?.length ?? 0) + 1 },
      remedy,
    })
  }
}
