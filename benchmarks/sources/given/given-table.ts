import { extname } from 'node:path'
import { ProblemError, type Place } from '../../../cache/problems/problem.ts'
import { writtenCsv } from '../../../cache/words/csv-text.ts'
import { plural } from '../../../cache/words/number-text.ts'
import { dumps } from '../../python/dumps.ts'
import { loads } from '../../python/json.ts'
import { isDict, isList } from '../../python/kinds.ts'
import { WrittenNumber } from '../../python/numbers/number.ts'
import type { PyValue } from '../../python/value.ts'
import { jsonLines, jsonTable } from '../json-table.ts'
import { parseJson } from '../parse-json.ts'
import { decodeText } from '../read-text.ts'
import { rowPlace, type Table } from '../table.ts'
import { noHeader } from './no-header.ts'
import { notRead, sheetTable } from './sheet-table.ts'
import {
  CELL_SEPARATORS,
  separatedRecords,
  separatedTable,
  type CellSeparator,
} from '../csv/separated-table.ts'

/** A table as somebody has it, of which nothing is known but its file: its cells as texts, without rows of nothing. */
interface GivenRows {
  readonly table: Table
  /** What was taken for what, e.g. `of CSV by semicolons`. */
  readonly how: string
  /** Sheets of a workbook that were not read. */
  readonly others: readonly string[]
  /** The text, where it is CSV with commas. */
  readonly asIs?: string
  /** Rows in which no cell holds anything. */
  readonly blank: number
  /** Each cell stands beside its column's name, as in JSON. */
  readonly isNamed?: true
}

/**
 * Reads CSV of any separator, JSON, JSON lines or a workbook's sheet; UTF-8, or UTF-16 that says so. What could be read in
 * two ways is refused.
 *
 * @throws ProblemError `benchmarks/csv`, `benchmarks/ragged-row`, `benchmarks/duplicate-column`, `benchmarks/empty-file`,
 * `benchmarks/json`, `benchmarks/json-rows`, `benchmarks/xlsx`, `benchmarks/not-utf8`, `benchmarks/not-text`
 */
export const givenRows = (bytes: Uint8Array, file: string, sheet?: string): GivenRows => {
  const { table, ...read } = readTable(bytes, file, sheet)
  const { columns } = table
  const rows = table.rows.flatMap((row) => {
    const cells = new Map(columns.map((column) => [column, cellText(row.cells.get(column))]))
    // UTF-8 would hold another sign in its place.
    for (const [column, text] of cells) if (!text.isWellFormed()) throw halfPair(rowPlace(file, row, column))
    return [...cells.values()].every((text) => text.trim() === '') ? [] : [{ ...row, cells }]
  })
  return { others: [], ...read, table: { ...table, rows }, blank: table.rows.length - rows.length }
}

/** What whoever gave a table should look at; undefined for CSV with commas, which can be taken for nothing else. */
export const takenFor = ({ table, how, others, asIs }: GivenRows): string | undefined =>
  asIs === undefined
    ? [`${table.file}: read ${plural(table.rows.length, 'row')} ${how}.`, ...notRead(others)].join(' ')
    : undefined

/** The same as CSV with commas, UTF-8. */
export interface GivenTable extends Pick<GivenRows, 'others'> {
  readonly columns: readonly string[]
  readonly text: string
  /** What was taken for what, and what an author should look at; no word of a cell. */
  readonly notes: readonly string[]
}

/**
 * @throws ProblemError as `givenRows`; `benchmarks/empty-file` for a table without rows, `benchmarks/no-header` for one
 * without names of columns
 */
export const givenTable = (bytes: Uint8Array, file: string, sheet?: string): GivenTable => {
  const { table, how, others, asIs, blank, isNamed } = givenRows(bytes, file, sheet)
  const { columns } = table
  const rows = table.rows.map(({ cells, line, row }) => ({
    texts: columns.map((column) => cellText(cells.get(column))),
    place: line ?? row,
  }))
  if (rows.length === 0) throw noRows(file, others)
  if (isNamed !== true) requireHeader(file, columns, rows)
  return {
    columns,
    others,
    text:
      asIs !== undefined && blank === 0
        ? asIs
        : writtenCsv(
            columns,
            rows.map(({ texts }) => texts),
          ),
    notes: [
      `Read ${plural(rows.length, 'row')} ${how}.`,
      ...notRead(others),
      ...(blank === 0 ? [] : [`Left out ${plural(blank, 'row')} in which no cell holds anything.`]),
      ...emptyCells(columns, rows),
      ...sharedValues(columns, rows),
    ],
  }
}

const readTable = (
  bytes: Uint8Array,
  file: string,
  sheet: string | undefined,
): Pick<GivenRows, 'table' | 'how'> & Partial<GivenRows> => {
  if (isWorkbook(bytes)) return sheetTable(bytes, file, sheet)
  const text = textOf(bytes, file)
  if (!/^\.(?:json|jsonl|ndjson)$/i.test(extname(file))) return separatedText(text, file)
  const isList = text.trimStart().startsWith('[')
  if (!isList && isOneValue(text, file)) throw oneValue(file)
  return isList
    ? { table: jsonTable(parseJson(text, file, true), file), how: 'of JSON', isNamed: true }
    : { table: jsonLines(text, file, { asWritten: true }), how: 'of JSON lines', isNamed: true }
}

/** As a bundle of FHIR is, or a table by columns: a list within holds its rows, and all of them would be one. */
const isOneValue = (text: string, file: string): boolean => {
  if (extname(file).toLowerCase() !== '.json') return false
  try {
    loads(text)
    return true
  } catch {
    return false
  }
}

const oneValue = (file: string): ProblemError =>
  new ProblemError({
    code: 'benchmarks/json-rows',
    message: 'the file is one object, and no list of rows',
    where: { file },
    remedy: 'Save the list of rows in it by itself: [{"note": …}, …]. A lone row of JSON lines is a .jsonl.',
  })

/** Zip archives and compound files, whose reader says what else they are. */
export const isWorkbook = (bytes: Uint8Array): boolean =>
  ['504b0304', 'd0cf11e0'].includes(Buffer.from(bytes.subarray(0, 4)).toString('hex'))

const textOf = (bytes: Uint8Array, file: string): string => {
  const mark = Buffer.from(bytes.subarray(0, 2)).toString('hex')
  const text = mark === 'fffe' || mark === 'feff' ? utf16(bytes, mark, file) : decodeText(bytes, file)
  if (!text.includes('\0')) return text.replace(/^\ufeff/, '')
  throw notText(file, 'the file holds NUL characters: it is UTF-16 without its mark, or no text')
}

const utf16 = (bytes: Uint8Array, mark: 'fffe' | 'feff', file: string): string => {
  try {
    return new TextDecoder(mark === 'fffe' ? 'utf-16le' : 'utf-16be', { fatal: true }).decode(bytes)
  } catch {
    throw notText(file, 'the file begins as UTF-16 and holds what is none')
  }
}

const notText = (file: string, message: string): ProblemError =>
  new ProblemError({
    code: 'benchmarks/not-utf8',
    message,
    where: { file },
    remedy: 'Save it as UTF-8 (in Excel: "CSV UTF-8").',
  })

const halfPair = (where: Place): ProblemError =>
  new ProblemError({
    code: 'benchmarks/not-text',
    message: 'a text holds half of a surrogate pair, which is no text',
    where,
    remedy: 'Export the file again: an emoji was cut in two.',
  })

/** Texts as they are, all else as JSON has it; nothing for what is missing. */
const cellText = (value: PyValue | undefined): string => {
  if (value === undefined || value === null) return ''
  return typeof value === 'string' ? value : jsonText(value)
}

/** Keys in their order and numbers with the digits that the file has, which JavaScript's own JSON keeps of neither. */
const jsonText = (value: PyValue): string => {
  if (typeof value === 'string') return JSON.stringify(value)
  if (value instanceof WrittenNumber) return value.text
  if (isList(value)) return `[${value.map(jsonText).join(',')}]`
  if (!isDict(value)) return dumps(value)
  const members = [...value]
  return `{${members.map(([key, item]) => `${JSON.stringify(key)}:${jsonText(item)}`).join(',')}}`
}

const noRows = (file: string, others: readonly string[]): ProblemError =>
  new ProblemError({
    code: 'benchmarks/empty-file',
    message: `${file} has no row below the names of its columns`,
    where: { file },
    remedy: ['The first line names the columns; add a row for each instance.', ...notRead(others)].join(' '),
  })

const firstRow = (file: string, reason: string): ProblemError =>
  new ProblemError({
    code: 'benchmarks/no-header',
    message: `its first line seems to be a row: ${reason}`,
    where: { file },
    remedy:
      'Write a line above it that names the columns, such as note,correct_answer. If it does name them, rename that one, or call the one of the right answers correct_answer.',
  })

const firstAgain = (file: string, line: number): ProblemError =>
  new ProblemError({
    code: 'benchmarks/no-header',
    message: `line ${line} is the first line again`,
    where: { file, line },
    remedy: 'If the first names the columns, take this one out; else write a line above that names them.',
  })

const requireHeader = (
  file: string,
  columns: readonly string[],
  rows: Parameters<typeof noHeader>[1],
): void => {
  // As two exports in one file have it.
  const again =
    columns.length > 1 ? rows.find(({ texts }) => texts.every((text, at) => text === columns[at])) : undefined
  if (again !== undefined) throw firstAgain(file, again.place)
  const reason = noHeader(columns, rows)
  if (reason !== undefined) throw firstRow(file, reason)
}

const MOST_COLUMNS = 5

const emptyCells = (
  columns: readonly string[],
  rows: readonly { readonly texts: readonly string[]; readonly place: number }[],
): readonly string[] => {
  const found = columns.flatMap((column, at) => {
    const empty = rows.filter(({ texts }) => texts[at]?.trim() === '')
    const [first] = empty
    return first === undefined
      ? []
      : [`${JSON.stringify(column)} in ${empty.length} of ${rows.length} rows, first in line ${first.place}`]
  })
  if (found.length === 0) return []
  const more = found.length > MOST_COLUMNS ? `; and ${found.length - MOST_COLUMNS} more columns` : ''
  return [`Empty cells: ${found.slice(0, MOST_COLUMNS).join('; ')}${more}.`]
}

/**
 * Many programs export tables for Excel as a web page that is called .xls: each of its lines would be a row. A tag that is all
 * of a cell is none.
 */
const MARKUP =
  /^\s*(?:<!--|<(?:!doctype|html|head|meta|style|body|div|table|tr|\?xml)\b(?!>[,;\t|])|\{\\rtf)/i

const isMarkup = (file: string): ProblemError =>
  new ProblemError({
    code: 'benchmarks/csv',
    message: 'it is a web page, XML or RTF, and no table',
    where: { file, line: 1 },
    remedy: 'Open it in Excel or the like, and save it as .xlsx or CSV.',
  })

const ALL = Object.keys(CELL_SEPARATORS) as readonly CellSeparator[]

/**
 * CSV by the one separator that gives every row as many cells as the header; `sep=;`, which Excel writes, is believed.
 * @throws ProblemError `benchmarks/csv` where two do, and what is wrong with the rows where none does
 */
const separatedText = (
  text: string,
  file: string,
): { readonly table: Table; readonly how: string; readonly asIs?: string } => {
  if (MARKUP.test(text)) throw isMarkup(file)
  const said = ALL.find((separator) => text.startsWith(`sep=${separator}`))
  const rest = said === undefined ? text : text.replace(/^.*(?:\r\n|\n|\r)?/, '')
  const separator = said ?? separatorOf(rest, file)
  return {
    table: separatedTable(rest, file, separator),
    how: `of CSV by ${CELL_SEPARATORS[separator]}s`,
    ...(separator === ',' && said === undefined ? { asIs: text } : {}),
  }
}

const separatorOf = (text: string, file: string): CellSeparator => {
  const fitting = ALL.filter((separator) => fits(text, file, separator))
  const [only, other] = fitting
  if (only === undefined) return inHeader(text)
  if (other === undefined) return only
  throw new ProblemError({
    code: 'benchmarks/csv',
    message: `its cells may be separated by ${CELL_SEPARATORS[only]}s or by ${CELL_SEPARATORS[other]}s: either way each row has as many as the header`,
    where: { file, line: 1 },
    remedy: `Put cells that hold the other sign into double quotes, or write sep=${other === '\t' ? ';' : other} as the first line where that is what separates them.`,
  })
}

/** Whether it makes more than one column, and all rows as long as the header. */
const fits = (text: string, file: string, separator: CellSeparator): boolean => {
  try {
    const [header, ...records] = separatedRecords(text, file, separator)
    const width = header?.cells.length ?? 0
    return width > 1 && records.every(({ cells }) => cells.length === width)
  } catch (error) {
    if (error instanceof ProblemError) return false
    throw error
  }
}

/** The only one in the header, so that what is said of the rows is said by it. */
const inHeader = (text: string): CellSeparator => {
  const [header = ''] = text.split(/\r\n|\n|\r/, 1)
  const found = ALL.filter((separator) => header.includes(separator))
  return found.length === 1 ? (found[0] ?? ',') : ','
}

/** A number that a person or a letter has is one of many, and most of them have few rows. */
const FEWEST_VALUES = 5
const MOST_ROWS_A_VALUE = 20
/** Of values that are a row each but for this share nothing is said. */
const LEAST_REPEATED = 0.05
const MOST_SHARED = 3

/** Columns that give references. */
const ANSWERS = new Set(['correct_answer', 'incorrect_answers'])

/**
 * What an author is told of columns whose values stand in several rows, as a patient's number does: that rows may share
 * their source is nowhere else to be seen, and intervals are too narrow where it is not declared.
 */
const sharedValues = (
  columns: readonly string[],
  rows: readonly { readonly texts: readonly string[] }[],
): readonly string[] => {
  const found = columns.flatMap((column, at) => {
    if (ANSWERS.has(column)) return []
    const count = new Set(rows.map(({ texts }) => texts[at]?.trim() ?? '')).size
    const isShared =
      count >= FEWEST_VALUES &&
      count * MOST_ROWS_A_VALUE >= rows.length &&
      count <= rows.length * (1 - LEAST_REPEATED)
    return isShared ? [{ column, count }] : []
  })
  const [first] = found
  if (first === undefined) return []
  const named = found
    .slice(0, MOST_SHARED)
    .map(({ column, count }) => `${JSON.stringify(column)} (${count} values in ${rows.length} rows)`)
  return [
    `Values repeat: ${named.join(', ')}. If one of these says whose row it is, such as a patient's, name it in benchmark.yaml, for instance \`cluster: ${JSON.stringify(first.column)}\`: else each row counts as evidence of its own, and intervals are too narrow.`,
  ]
}
