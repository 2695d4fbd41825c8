import { parquetMetadata, parquetReadObjects, parquetSchema, type SchemaTree } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { ProblemError } from '../../cache/problem.ts'
import { float } from '../python/float.ts'
import type { PyValue } from '../python/value.ts'
import { readBytes } from './read-text.ts'
import type { Row, Table } from './table.ts'

/**
 * All rows of Parquet files of one shape, one file after the other: integers are ints, doubles floats, lists lists,
 * structs dicts, nulls None. `file` of the table is the first one's.
 *
 * @throws ProblemError `benchmarks/parquet`, `benchmarks/missing-file`
 */
export const parquetTable = async (files: readonly string[]): Promise<Table> => {
  const columns = new Set<string>()
  const rows: Row[] = []
  for (const file of files) {
    const { buffer } = new Uint8Array(await readBytes(file, 'data file'))
    try {
      const metadata = parquetMetadata(buffer)
      const schema = parquetSchema(metadata)
      for (const { element } of schema.children) columns.add(element.name)
      for (const row of await parquetReadObjects({ file: buffer, metadata, compressors, parsers }))
        rows.push({ cells: cellsOf(row, schema), row: rows.length + 1 })
    } catch (error) {
      throw parquetProblem(file, error)
    }
  }
  return { file: files[0] ?? '', columns: [...columns], rows }
}

/** hyparquet's own decoder drops a byte order mark and lets bytes pass that are no UTF-8. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })
const parsers = {
  stringFromBytes: (bytes: Uint8Array | undefined): string | undefined => bytes && utf8.decode(bytes),
}

const cellsOf = (row: Readonly<Record<string, unknown>>, schema: SchemaTree): ReadonlyMap<string, PyValue> =>
  new Map(schema.children.map((column) => [column.element.name, cellOf(row[column.element.name], column)]))

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
    return cellsOf(value as Readonly<Record<string, unknown>>, column)
  throw new TypeError(`column ${column?.path.join('.') ?? ''} has values of a kind that is not supported`)
}

const parquetProblem = (file: string, cause: unknown): ProblemError =>
  new ProblemError(
    {
      code: 'benchmarks/parquet',
      message: `${file} can't be read as Parquet: ${cause instanceof Error ? cause.message : String(cause)}`,
      where: { file },
      remedy: 'The file is damaged or was not fetched whole. Delete it and fetch it again.',
    },
    { cause },
  )
