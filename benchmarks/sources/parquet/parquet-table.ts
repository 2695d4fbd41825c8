import { parquetSchema, type SchemaTree, type FileMetaData, type SchemaElement } from 'hyparquet'
import { tableFromIPC, Type, type Field } from '@uwdata/flechette'
import { fieldsWithin, isForeign } from '../arrow/foreign-type.ts'
import { type ProblemError, safeText, type SafeText } from '../../../cache/problems/problem.ts'
import { FormatError } from '../../../cache/problems/format-error.ts'
import { unreadProblem } from '../unread-problem.ts'
import { float } from '../../python/numbers/number.ts'
import type { PyValue } from '../../python/value.ts'
import { openReader } from './open-reader.ts'
import { unreadableFile } from '../read-text.ts'
import type { Row, Table } from '../table.ts'

/**
 * All rows of Parquet files of one shape, one file after the other: integers are ints, doubles floats, lists lists,
 * structs dicts, dates and times without a zone texts as Python prints them, nulls None; decimals, times of day or of a
 * zone, spans of time, JSON, maps, lists of an older form and what only a name in Arrow's schema tells of are refused.
 * `file` of the table is the first one's.
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
      throw unreadableFile(file, 'data file', error) ?? problemOf(file, error)
    }
  return { file: files[0] ?? '', columns: [...columns], rows }
}

/** A column's values would be read as something else than Python reads. */
class UnreadKind extends FormatError {
  readonly column: string

  constructor({ path }: SchemaTree, kind: SafeText) {
    super(safeText`it holds ${kind}, which are not read`)
    this.column = path.join('.')
  }
}

const problemOf = (file: string, error: unknown): ProblemError => {
  const format = { code: 'benchmarks/parquet', format: 'a Parquet file', file } as const
  return error instanceof UnreadKind
    ? unreadProblem(
        { ...format, column: error.column, remedy: 'Write the column as text, or as numbers.' },
        error,
      )
    : unreadProblem(
        { ...format, remedy: 'The file is damaged or was not fetched whole. Delete it and fetch it again.' },
        error,
      )
}

/** @param columns takes the names of all columns */
const rowsOf = async (
  file: string,
  columns: Set<string>,
  wanted: readonly string[] | undefined,
): Promise<readonly ReadonlyMap<string, PyValue>[]> => {
  const { metadata, rows, close } = await openReader(file)
  try {
    const schema = parquetSchema(metadata).children
    for (const { element } of schema) columns.add(element.name)
    const read = schema.filter(({ element }) => wanted?.includes(element.name) ?? true)
    const names = read.map(({ element }) => element.name)
    if (new Set(names).size < names.length)
      throw new FormatError(safeText`two columns share a name`, 'Rename one of them.')
    const fields = arrowFields(metadata)
    for (const column of read) {
      refuseForms(column)
      const field = fields.get(column.element.name)
      if (isForeign(field)) throw new UnreadKind(column, safeText`values of a type of its own`)
      if (holdsSpans(field)) throw new UnreadKind(column, safeText`spans of time`)
      if (isCut(metadata, column.element.name))
        throw new UnreadKind(column, safeText`numbers of too many bits`)
    }
    const all: ReadonlyMap<string, PyValue>[] = []
    try {
      for (const group of metadata.row_groups.keys())
        for (const row of await rows(group, names)) all.push(cellsOf(row, read))
    } catch (error) {
      throw read.flatMap(unreadWithin)[0] ?? error
    }
    return all
  } finally {
    await close()
  }
}

/** Of some kinds the library can't take the values apart: the file is whole all the same. */
const unreadWithin = (column: SchemaTree): readonly UnreadKind[] => {
  const kind = unreadKind(column.element)
  return kind === undefined ? column.children.flatMap(unreadWithin) : [new UnreadKind(column, kind)]
}

const cellsOf = (
  row: Readonly<Record<string, unknown>>,
  columns: readonly SchemaTree[],
): ReadonlyMap<string, PyValue> =>
  new Map(columns.map((column) => [column.element.name, cellOf(row[column.element.name], column)]))

const cellOf = (value: unknown, column: SchemaTree | undefined): PyValue => {
  if (value === null || value === undefined) return null
  const unread = column && unreadKind(column.element)
  if (column !== undefined && unread !== undefined) throw new UnreadKind(column, unread)
  if (typeof value === 'string' || typeof value === 'boolean') return value
  if (typeof value === 'bigint') return Number.isSafeInteger(Number(value)) ? Number(value) : value
  const type = column?.element.type
  const isFloat = type === 'DOUBLE' || type === 'FLOAT' || column?.element.logical_type?.type === 'FLOAT16'
  if (typeof value === 'number') return isFloat && Number.isInteger(value) ? float(value) : value
  // A list's column holds a repeated group, which holds the items' column.
  if (Array.isArray(value)) return value.map((item) => cellOf(item, column?.children[0]?.children[0]))
  if (column !== undefined && column.children.length > 0)
    return cellsOf(value as Readonly<Record<string, unknown>>, column.children)
  throw new TypeError(`column ${column?.path.join('.') ?? ''} has values of a kind that is not supported`)
}

/** Kinds of which Python has values of its own that are no numbers and no texts. */
const LOGICAL: Readonly<Record<string, SafeText>> = {
  BSON: safeText`bytes`,
  DECIMAL: safeText`decimal numbers`,
  ENUM: safeText`bytes`,
  GEOGRAPHY: safeText`places`,
  GEOMETRY: safeText`places`,
  INTERVAL: safeText`intervals`,
  JSON: safeText`texts of JSON`,
  MAP: safeText`maps`,
  TIME: safeText`times of day`,
  VARIANT: safeText`variants`,
}

const ZONED = safeText`times of a zone`

const CONVERTED: Readonly<Record<string, SafeText | undefined>> = {
  BSON: LOGICAL['BSON'],
  DECIMAL: LOGICAL['DECIMAL'],
  ENUM: LOGICAL['ENUM'],
  INTERVAL: LOGICAL['INTERVAL'],
  JSON: LOGICAL['JSON'],
  MAP: LOGICAL['MAP'],
  MAP_KEY_VALUE: LOGICAL['MAP'],
  TIME_MILLIS: LOGICAL['TIME'],
  TIME_MICROS: LOGICAL['TIME'],
  // Without a logical type beside it, such a time is of UTC.
  TIMESTAMP_MILLIS: ZONED,
  TIMESTAMP_MICROS: ZONED,
}

/** What a column's values are, where they would be read as something else than Python reads; undefined where they are not. */
const unreadKind = ({
  type,
  logical_type: logical,
  converted_type: converted,
}: SchemaElement): SafeText | undefined => {
  if (logical?.type === 'TIMESTAMP') return logical.isAdjustedToUTC ? ZONED : undefined
  if (logical !== undefined) return LOGICAL[logical.type]
  if (converted !== undefined) return CONVERTED[converted]
  return type === 'BYTE_ARRAY' || type === 'FIXED_LEN_BYTE_ARRAY' ? LOGICAL['BSON'] : undefined
}

/**
 * Columns that the library puts together otherwise than others do: lists in the forms before that of three levels, and
 * fields of which one's name may be another's path.
 */
const refuseForms = (column: SchemaTree, tree = column, within?: SchemaElement): void => {
  const { element, children } = tree
  if (within !== undefined && element.name.includes('.'))
    throw new UnreadKind(column, safeText`fields with a dot in their name`)
  if (element.repetition_type === 'REPEATED' && within?.converted_type?.startsWith('MAP') !== true) {
    const isOld = ['array', `${within?.name}_tuple`].includes(element.name)
    if (within?.converted_type !== 'LIST' || children.length !== 1 || isOld)
      throw new UnreadKind(column, safeText`lists of an older form`)
  }
  for (const child of children) refuseForms(column, child, element)
}

/** The columns in the schema that Arrow leaves in the file, which alone tells what stands behind some whole numbers. */
const arrowFields = ({ key_value_metadata: notes = [] }: FileMetaData): ReadonlyMap<string, Field> => {
  const schema = notes.find(({ key }) => key === 'ARROW:schema')?.value
  if (schema === undefined) return new Map()
  return new Map(
    tableFromIPC(Buffer.from(schema, 'base64')).schema.fields.map((field) => [field.name, field]),
  )
}

/** DuckDB's numbers from 2^31 on may begin with more bits than their type has, which the library cuts without a word. */
const isCut = ({ created_by: by, schema, row_groups: groups }: FileMetaData, name: string): boolean => {
  const leaves = schema.filter(({ num_children: children = 0 }) => children === 0)
  const chunks = groups.flatMap(({ columns }) => columns.map(({ meta_data: chunk }, at) => ({ chunk, at })))
  return chunks.some(
    ({ chunk, at }) =>
      by?.startsWith('DuckDB') === true &&
      chunk?.path_in_schema[0] === name &&
      chunk.encodings.includes('DELTA_BINARY_PACKED') &&
      leaves[at]?.converted_type === 'UINT_32',
  )
}

const holdsSpans = (field: Field | undefined): boolean =>
  field !== undefined && (field.type.typeId === Type.Duration || fieldsWithin(field).some(holdsSpans))
