import { extname } from 'node:path'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { dumps } from '../../python/json.ts'
import { plainJson } from '../../python/plain-json.ts'
import type { PyValue } from '../../python/value.ts'
import { jsonLines, jsonTable } from '../json-table.ts'
import { parseJson } from '../parse-json.ts'
import { decodeText } from '../read-text.ts'
import type { Table } from '../table.ts'
import { separatedText } from './separated-text.ts'
import { sheetTable } from './sheet-table.ts'
import { writtenCsv } from './written-csv.ts'

/** A table as somebody has it, of which nothing is known but its file. */
export interface GivenTable {
  readonly columns: readonly string[]
  /** CSV with commas, UTF-8. */
  readonly text: string
  /** What was taken for what, and what an author should look at; no word of a cell. */
  readonly notes: readonly string[]
}

/**
 * Reads CSV of any separator, JSON, JSON lines or a workbook's sheet; UTF-8, or UTF-16 that says so. What could be read in
 * two ways is refused.
 *
 * @throws ProblemError `benchmarks/csv`, `benchmarks/ragged-row`, `benchmarks/duplicate-column`, `benchmarks/empty-file`,
 * `benchmarks/json`, `benchmarks/json-rows`, `benchmarks/xlsx`, `benchmarks/not-utf8`
 */
export const givenTable = (bytes: Uint8Array, file: string, sheet?: string): GivenTable => {
  const { table, how, asIs } = readTable(bytes, file, sheet)
  const cells = table.rows.map((row) => table.columns.map((column) => cellText(row.cells.get(column))))
  const filled = table.rows.flatMap(({ line, row }, at) => {
    const texts = cells[at] ?? []
    return texts.every((text) => text.trim() === '') ? [] : [{ texts, place: line ?? row }]
  })
  if (filled.length === 0) throw noRows(file)
  const blank = cells.length - filled.length
  return {
    columns: table.columns,
    text:
      asIs !== undefined && blank === 0
        ? asIs
        : writtenCsv(
            table.columns,
            filled.map(({ texts }) => texts),
          ),
    notes: [
      `Read ${filled.length} row${filled.length === 1 ? '' : 's'} ${how}.`,
      ...(blank === 0
        ? []
        : [`Left out ${blank} row${blank === 1 ? '' : 's'} in which no cell holds anything.`]),
      ...emptyCells(table.columns, filled),
    ],
  }
}

interface ReadTable {
  readonly table: Table
  /** `of CSV, its cells separated by semicolons` */
  readonly how: string
  /** The text, where it is what is written. */
  readonly asIs?: string
}

const readTable = (bytes: Uint8Array, file: string, sheet: string | undefined): ReadTable => {
  if (isWorkbook(bytes)) return sheetTable(bytes, file, sheet)
  if (sheet !== undefined)
    throw new ProblemError({
      code: 'cli/bad-flag',
      message: `--sheet names a sheet, and ${file} is no workbook of Excel`,
      remedy: 'Leave --sheet out.',
    })
  const text = textOf(bytes, file)
  if (!/^\.(?:json|jsonl|ndjson)$/i.test(extname(file))) return separatedText(text, file)
  return text.trimStart().startsWith('[')
    ? { table: jsonTable(parseJson(text, file), file), how: 'of JSON' }
    : { table: jsonLines(text, file), how: 'of JSON lines' }
}

/** Zip archives and compound files, whose reader says what else they are. */
const isWorkbook = (bytes: Uint8Array): boolean =>
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

/** Texts as they are; a list, an object, a truth value as JSON has them; nothing for what is missing. */
const cellText = (value: PyValue | undefined): string => {
  if (value === undefined || value === null) return ''
  if (typeof value === 'string') return value
  return Array.isArray(value) || value instanceof Map ? JSON.stringify(plainJson(value)) : dumps(value)
}

const noRows = (file: string): ProblemError =>
  new ProblemError({
    code: 'benchmarks/empty-file',
    message: `${file} has no row below the names of its columns`,
    where: { file },
    remedy: 'The first line names the columns; add a row for each instance.',
  })

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
