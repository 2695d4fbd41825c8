import { float } from '../../python/float.ts'
import type { PyValue } from '../../python/value.ts'
import type { FlatTable } from './flatbuffer.ts'

/** A column of the schema: its type's number in Arrow's Schema.fbs, and the columns within it. */
export interface Field {
  readonly name: string
  readonly kind: number
  readonly type: FlatTable | undefined
  readonly children: readonly Field[]
  readonly dictionary: boolean
}

/** What a record batch holds of its columns, in depth-first order. */
export interface Cursor {
  node: () => { readonly length: number; readonly nulls: number }
  buffer: () => Uint8Array
}

/** Numbers of the union `Type` in Arrow's Schema.fbs. */
const KIND = { null: 1, int: 2, float: 3, text: 5, bool: 6, list: 12, largeText: 20, largeList: 21 } as const

export const fieldOf = (table: FlatTable): Field => ({
  name: table.text(0),
  kind: table.byte(2),
  type: table.table(3),
  dictionary: table.table(4) !== undefined,
  children: table.tables(5).map(fieldOf),
})

/** The next column's cells; nulls are None. @throws RangeError for a type that is not supported */
export const readColumn = (field: Field, cursor: Cursor): readonly PyValue[] => {
  const { length, nulls } = cursor.node()
  if (field.kind === KIND.null) return Array.from({ length }, () => null)
  const validity = cursor.buffer()
  const present = (row: number): boolean => nulls === 0 || bit(validity, row)
  const cell = readerOf(field, cursor, length)
  return Array.from({ length }, (_, row) => (present(row) ? cell(row) : null))
}

const bit = (bytes: Uint8Array, index: number): boolean =>
  (((bytes[index >> 3] ?? 0) >> (index & 7)) & 1) === 1

const readerOf = (field: Field, cursor: Cursor, length: number): ((row: number) => PyValue) => {
  const { kind, name } = field
  if (field.dictionary) throw unsupported(name, 'is dictionary-encoded')
  if (kind === KIND.text || kind === KIND.largeText) return texts(cursor, length, kind === KIND.largeText)
  if (kind === KIND.list || kind === KIND.largeList) return lists(field, cursor, length)
  if (kind === KIND.int) return integers(field, cursor)
  if (kind === KIND.float) return floats(field, cursor)
  if (kind !== KIND.bool) throw unsupported(name, `has the Arrow type number ${kind}`)
  const bytes = cursor.buffer()
  return (row) => bit(bytes, row)
}

const unsupported = (name: string, what: string): RangeError =>
  new RangeError(`the column ${JSON.stringify(name)} ${what}, which is not supported`)

/** Start and end of each cell; a column without rows may have no offsets at all. */
const offsetsOf = (buffer: Uint8Array, length: number, large: boolean): ((index: number) => number) => {
  if (length === 0) return () => 0
  const view = new DataView(buffer.buffer, buffer.byteOffset, buffer.byteLength)
  return (index) => (large ? Number(view.getBigInt64(index * 8, true)) : view.getInt32(index * 4, true))
}

const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const texts = (cursor: Cursor, length: number, large: boolean): ((row: number) => PyValue) => {
  const offset = offsetsOf(cursor.buffer(), length, large)
  const bytes = cursor.buffer()
  return (row) => utf8.decode(bytes.subarray(offset(row), offset(row + 1)))
}

const lists = (field: Field, cursor: Cursor, length: number): ((row: number) => PyValue) => {
  const offset = offsetsOf(cursor.buffer(), length, field.kind === KIND.largeList)
  const [child] = field.children
  if (child === undefined) throw unsupported(field.name, 'is a list of nothing')
  const items = readColumn(child, cursor)
  return (row) => items.slice(offset(row), offset(row + 1))
}

const integers = (field: Field, cursor: Cursor): ((row: number) => PyValue) => {
  const bits = field.type?.int(0) ?? 0
  const signed = field.type?.byte(1) === 1
  const bytes = cursor.buffer()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bits === 8) return (row) => (signed ? view.getInt8(row) : view.getUint8(row))
  if (bits === 16) return (row) => (signed ? view.getInt16(row * 2, true) : view.getUint16(row * 2, true))
  if (bits === 32) return (row) => (signed ? view.getInt32(row * 4, true) : view.getUint32(row * 4, true))
  return (row) => {
    const value = signed ? view.getBigInt64(row * 8, true) : view.getBigUint64(row * 8, true)
    return Number.isSafeInteger(Number(value)) ? Number(value) : value
  }
}

/** Precision 0 is half, 1 single, 2 double. */
const floats = (field: Field, cursor: Cursor): ((row: number) => PyValue) => {
  const precision = field.type?.short(0) ?? 0
  if (precision === 0) throw unsupported(field.name, 'holds 16-bit floats')
  const bytes = cursor.buffer()
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return (row) => {
    const value = precision === 1 ? view.getFloat32(row * 4, true) : view.getFloat64(row * 8, true)
    return Number.isInteger(value) ? float(value) : value
  }
}
