import { parquetReadObjects, parquetSchema, type SchemaTree } from 'hyparquet'
import { unreadProblem } from './format-error.ts'
import { float } from '../python/float.ts'
import { dateText, timestampText } from '../python/time-text.ts'
import type { PyValue } from '../python/value.ts'
import { boundedCompressors } from './parquet/compressors.ts'
import { openFile } from './parquet/open-file.ts'
import { unreadableFile } from './read-text.ts'
import type { Row, Table } from './table.ts'

/**
 * All rows of Parquet files of one shape, one file after the other: integers are ints, doubles floats, lists lists,
 * structs dicts, dates and times texts as Python prints them, nulls None. `file` of the table is the first one's.
 *
 * @param wanted columns that are read; all where it is absent
 * @throws ProblemError `benchmarks/parquet`, `benchmarks/missing-file`
 */
export const parquetTable = async (files: readonly string[], wanted?: readonly string[]): Promise<Table> => {
  const columns = new Set<string>()
  const rows: Row[] = []
  for (const file of files)
    try {
      for (const cells of await rowsOf(file, columns, wanted)) rows.push({ cells, row: rows.length + 1 })
    } catch (error) {
      throw (
        unreadableFile(file, 'data file', error) ??
        unreadProblem(
          {
            code: 'benchmarks/parquet',
            format: 'a Parquet file',
            file,
            remedy: 'The file is damaged or was not fetched whole. Delete it and fetch it again.',
          },
          error,
        )
      )
    }
  return { file: files[0] ?? '', columns: [...columns], rows }
}

/** @param columns takes the names of all columns */
const rowsOf = async (
  file: string,
  columns: Set<string>,
  wanted: readonly string[] | undefined,
): Promise<readonly ReadonlyMap<string, PyValue>[]> => {
  const { buffer, metadata, check, close } = await openFile(file)
  try {
    const schema = parquetSchema(metadata).children
    for (const { element } of schema) columns.add(element.name)
    const read = schema.filter(({ element }) => wanted?.includes(element.name) ?? true)
    for (const group of metadata.row_groups.keys())
      for (const { element } of read) await check(group, element.name)
    const rows = await parquetReadObjects({
      file: buffer,
      metadata,
      compressors: boundedCompressors,
      parsers,
      columns: read.map(({ element }) => element.name),
    })
    return rows.map((row) => cellsOf(row, read))
  } finally {
    await close()
  }
}

/** hyparquet's own decoder drops a byte order mark and lets bytes pass that are no UTF-8. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })
const timeParser =
  (unit: 'ms' | 'us' | 'ns') =>
  (time: bigint | undefined): string | undefined =>
    time === undefined || time === null ? undefined : timestampText(time, unit)
const parsers = {
  stringFromBytes: (bytes: Uint8Array | undefined): string | undefined => bytes && utf8.decode(bytes),
  timestampFromMilliseconds: timeParser('ms'),
  timestampFromMicroseconds: timeParser('us'),
  timestampFromNanoseconds: timeParser('ns'),
  dateFromDays: (day: number | undefined): string | undefined =>
    day === undefined || day === null ? undefined : dateText(day),
}

const cellsOf = (
  row: Readonly<Record<string, unknown>>,
  columns: readonly SchemaTree[],
): ReadonlyMap<string, PyValue> =>
  new Map(columns.map((column) => [column.element.name, cellOf(row[column.element.name], column)]))

const cellOf = (value: unknown, column: SchemaTree | undefined): PyValue => {
  if (value === null || value === undefined) return null
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  const type = column?.element.type
  if (typeof value === 'number')
    return (type === 'DOUBLE' || type === 'FLOAT') && Number.isInteger(value) ? float(value) : value
  // A list's column holds a repeated group, which holds the items' column.
  if (Array.isArray(value))
    return value.map((item) => cellOf(item, column?.children[0]?.children[0] ?? column?.children[0]))
  if (column !== undefined && column.children.length > 0)
    return cellsOf(value as Readonly<Record<string, unknown>>, column.children)
  throw new TypeError(`column ${column?.path.join('.') ?? ''} has values of a kind that is not supported`)
}
