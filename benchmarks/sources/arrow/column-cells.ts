import {
  DateUnit,
  Type,
  type Batch,
  type Column,
  type DataType,
  CompressionType,
  setCompressionCodec,
} from '@uwdata/flechette'
import { safeText } from '../../../cache/problems/problem.ts'
import { FormatError } from '../../../cache/problems/format-error.ts'
import { halfFloat } from '../../../cache/values/half-float.ts'
import type { UnpackBudget } from '../unpack-limit.ts'
import { asFloat, decimalText } from '../../python/numbers/number.ts'
import { numpyText } from '../../python/numpy-text.ts'
import { dateText, durationText, timestampText, timeText, type TimeUnit } from '../../python/time-text.ts'
import type { PyValue } from '../../python/value.ts'
import { decompressBuffer, type Codec } from './decompress.ts'

/** The cell of a row; null where there is none. */
type Cells = (row: number) => PyValue

/** Where a value stands decides what pandas makes of it. */
type Within = 'column' | 'list' | 'struct'

const UNITS: readonly TimeUnit[] = ['s', 'ms', 'us', 'ns']

/**
 * The cells of a column as pandas' `to_pandas` and `iterrows` give them: integers with gaps are floats, missing numbers
 * and categories NaN, missing times `NaT`, other missing cells None; dates, times and decimals are texts as Python
 * prints them; a list within a list is one as numpy prints it.
 *
 * @param nullable pandas wrote the column with a type of its own that has `<NA>` for missing cells
 * @throws RangeError for a damaged column, and for types that no text stands for
 */
export const columnCells = (
  column: Column<unknown>,
  budget: UnpackBudget,
  nullable: boolean,
): readonly PyValue[] => {
  const { typeId } = column.type
  const widens = typeId === Type.Int && column.nullCount > 0 && !nullable
  const missing = nullable ? '<NA>' : missingCell(column.type)
  // What lists hold is one array to numpy, over all batches.
  const gaps = column.data.some((batch) => isList(batch.type) && innermost(batch).nullCount > 0)
  return column.data.flatMap((batch) => {
    const cells = cellsOf(batch, budget, 'column', gaps)
    return Array.from({ length: batch.length }, (_, row) => {
      const cell = cells(row) ?? missing
      return widens ? asFloat(cell) : cell
    })
  })
}

const innermost = (batch: Batch<unknown>): Batch<unknown> => {
  const child = isList(batch.type) ? batch.children[0] : undefined
  return child === undefined ? batch : innermost(child)
}

const missingCell = (type: DataType): PyValue => {
  const { typeId } = type.typeId === Type.Dictionary ? type.dictionary : type
  if (typeId === Type.Timestamp || typeId === Type.Duration) return 'NaT'
  if (type.typeId === Type.Dictionary) return Number.NaN
  return typeId === Type.Int || typeId === Type.Float ? Number.NaN : null
}

/** @param gaps lists of the column have missing items */
const cellsOf = (batch: Batch<unknown>, budget: UnpackBudget, within: Within, gaps = false): Cells => {
  if (batch.type.typeId === Type.Null) return () => null
  const present = presence(batch, budget)
  const value = isList(batch.type) ? lists(batch, budget, gaps) : valuesOf(batch, budget, within)
  return (row) => (present(row) ? value(row) : null)
}

const presence = (batch: Batch<unknown>, budget: UnpackBudget): ((row: number) => boolean) => {
  const { typeId } = batch.type
  if (batch.nullCount === 0 || typeId === Type.RunEndEncoded) return () => true
  const bytes = bufferBytes(batch.validity, budget)
  return (row) => bit(bytes, row)
}

const bit = (bytes: Uint8Array, index: number): boolean => {
  const byte = bytes[index >> 3]
  if (byte === undefined) throw new FormatError(safeText`a column is shorter than it says`)
  return ((byte >> (index & 7)) & 1) === 1
}

const valuesOf = (batch: Batch<unknown>, budget: UnpackBudget, within: Within): Cells => {
  const { type } = batch
  const values = (): Uint8Array => bufferBytes(batch.values, budget)
  if (type.typeId === Type.Bool) {
    const bytes = values()
    return (row) => bit(bytes, row)
  }
  if (type.typeId === Type.Int) {
    const whole = integers(values(), type.bitWidth / 8, type.signed)
    return (row) => plain(whole(row))
  }
  if (type.typeId === Type.Float) return floats(values(), type.precision)
  if (isText(type)) return texts(batch, budget)
  if (type.typeId === Type.Dictionary) return categories(batch, budget)
  if (type.typeId === Type.RunEndEncoded) return runs(batch, budget, within)
  if (type.typeId === Type.Struct) return structs(batch, budget)
  // Within a dict Python shows these by their constructors.
  if (within === 'struct') throw unsupported(type)
  return dated(type, values(), within)
}

const TYPE_NAMES = Object.keys(Type) as readonly (keyof typeof Type)[]

const unsupported = ({ typeId }: DataType): RangeError =>
  new FormatError(
    safeText`a column of the type ${TYPE_NAMES.find((name) => Type[name] === typeId) ?? typeId} is not supported here`,
    'Write the column as text, or as numbers.',
  )

const plain = (value: bigint): number | bigint =>
  Number.isSafeInteger(Number(value)) ? Number(value) : value

const viewOf = (bytes: Uint8Array): DataView => new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)

const integers = (bytes: Uint8Array, width: number, signed = true): ((row: number) => bigint) => {
  const view = viewOf(bytes)
  if (width === 1) return (row) => BigInt(signed ? view.getInt8(row) : view.getUint8(row))
  if (width === 2)
    return (row) => BigInt(signed ? view.getInt16(row * 2, true) : view.getUint16(row * 2, true))
  if (width === 4)
    return (row) => BigInt(signed ? view.getInt32(row * 4, true) : view.getUint32(row * 4, true))
  return (row) => (signed ? view.getBigInt64(row * 8, true) : view.getBigUint64(row * 8, true))
}

/** @param precision 0 is half, 1 single, 2 double */
const floats = (bytes: Uint8Array, precision: number): Cells => {
  const view = viewOf(bytes)
  const value = (row: number): number => {
    if (precision === 0) return halfFloat(view.getUint16(row * 2, true))
    return precision === 1 ? view.getFloat32(row * 4, true) : view.getFloat64(row * 8, true)
  }
  return (row) => asFloat(value(row))
}

const isText = ({ typeId }: DataType): boolean =>
  typeId === Type.Utf8 || typeId === Type.LargeUtf8 || typeId === Type.Utf8View

/** The library's own decoder drops a byte order mark and lets bytes pass that are no UTF-8. */
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

const texts = (batch: Batch<unknown>, budget: UnpackBudget): Cells => {
  const bytes = bufferBytes(batch.values, budget)
  if (batch.type.typeId === Type.Utf8View) return views(batch, bytes, budget)
  const offsets = offsetsOf(batch, budget)
  return (row) => utf8.decode(part(bytes, offsets(row), offsets(row + 1)))
}

const part = (bytes: Uint8Array, start: number, end: number): Uint8Array => {
  checkPart(bytes.length, start, end)
  return bytes.subarray(start, end)
}

const checkPart = (length: number, start: number, end: number): void => {
  if (start < 0 || start > end || end > length) throw new FormatError(safeText`a cell leaves its column`)
}

const LARGE: ReadonlySet<number> = new Set([Type.LargeUtf8, Type.LargeList, Type.LargeListView])

const offsetsOf = (batch: Batch<unknown>, budget: UnpackBudget): ((index: number) => number) => {
  // A column without rows may have no offsets at all.
  if (batch.length === 0) return () => 0
  const at = integers(bufferBytes(batch.offsets, budget), LARGE.has(batch.type.typeId) ? 8 : 4)
  return (index) => Number(at(index))
}

/** Texts up to twelve bytes lie in the view of 16 bytes itself, longer ones in one of several buffers. */
const views = (batch: Batch<unknown>, bytes: Uint8Array, budget: UnpackBudget): Cells => {
  const { data = [] } = batch as { readonly data?: readonly Uint8Array[] }
  const buffers = data.map((buffer) => bufferBytes(buffer, budget))
  const view = viewOf(bytes)
  return (row) => {
    const at = row * 16
    const length = view.getInt32(at, true)
    if (length <= 12) return utf8.decode(part(bytes, at + 4, at + 4 + length))
    const start = view.getInt32(at + 12, true)
    return utf8.decode(part(buffers[view.getInt32(at + 8, true)] ?? new Uint8Array(0), start, start + length))
  }
}

const LISTS: ReadonlySet<number> = new Set([
  Type.List,
  Type.LargeList,
  Type.ListView,
  Type.LargeListView,
  Type.FixedSizeList,
])

const isList = ({ typeId }: DataType): boolean => LISTS.has(typeId)

const lists = (batch: Batch<unknown>, budget: UnpackBudget, gaps: boolean): Cells => {
  const [child] = batch.children
  if (child === undefined) throw unsupported(batch.type)
  const items = listItems(child, budget, gaps)
  const [start, end] = boundsOf(batch, budget)
  return (row) => {
    checkPart(items.length, start(row), end(row))
    return items.slice(start(row), end(row))
  }
}

/** Start and end of each list among the items. */
const boundsOf = (
  batch: Batch<unknown>,
  budget: UnpackBudget,
): readonly [(row: number) => number, (row: number) => number] => {
  const { type } = batch
  if (type.typeId === Type.FixedSizeList)
    return [(row) => row * type.stride, (row) => (row + 1) * type.stride]
  const offset = offsetsOf(batch, budget)
  if (type.typeId !== Type.ListView && type.typeId !== Type.LargeListView)
    return [offset, (row) => offset(row + 1)]
  const width = LARGE.has(type.typeId) ? 8 : 4
  const size = integers(bufferBytes(batch.sizes, budget), width)
  return [offset, (row) => offset(row) + Number(size(row))]
}

/** Items of all lists of a batch: numpy gives them one type, so that one gap makes all integers floats. */
const listItems = (child: Batch<unknown>, budget: UnpackBudget, gaps: boolean): readonly PyValue[] => {
  const cells = cellsOf(child, budget, 'list', gaps)
  const { typeId } = child.type
  const numeric = typeId === Type.Int || typeId === Type.Float
  const widens = typeId === Type.Int && gaps
  return Array.from({ length: child.length }, (_, index) => {
    const cell = cells(index) ?? (numeric ? Number.NaN : null)
    if (isList(child.type) && Array.isArray(cell)) return numpyText(cell)
    return widens ? asFloat(cell) : cell
  })
}

const categories = (batch: Batch<unknown>, budget: UnpackBudget): Cells => {
  const { type } = batch
  if (type.typeId !== Type.Dictionary || !('dictionary' in batch)) throw unsupported(type)
  const values = columnCells(batch.dictionary as Column<unknown>, budget, false)
  const key = integers(bufferBytes(batch.values, budget), type.indices.bitWidth / 8, type.indices.signed)
  return (row) => {
    const value = values[Number(key(row))]
    if (value === undefined) throw new FormatError(safeText`a cell names a category that is not there`)
    return value
  }
}

const runs = (batch: Batch<unknown>, budget: UnpackBudget, within: Within): Cells => {
  const [ends, values] = batch.children
  if (ends?.type.typeId !== Type.Int || values === undefined) throw unsupported(batch.type)
  const end = integers(bufferBytes(ends.values, budget), ends.type.bitWidth / 8)
  const cells = cellsOf(values, budget, within)
  return (row) => {
    let low = 0
    for (let high = ends.length; low < high;) {
      const middle = (low + high) >> 1
      if (Number(end(middle)) <= row) low = middle + 1
      else high = middle
    }
    return cells(low)
  }
}

const structs = (batch: Batch<unknown>, budget: UnpackBudget): Cells => {
  const { type } = batch
  if (type.typeId !== Type.Struct) throw unsupported(type)
  const fields = batch.children.map((child, index) => {
    if (isList(child.type)) throw unsupported(child.type)
    const cells = cellsOf(child, budget, 'struct')
    const widens = child.type.typeId === Type.Int && child.nullCount > 0
    return [type.children[index]?.name ?? '', widens ? (row: number) => asFloat(cells(row)) : cells] as const
  })
  return (row) => new Map(fields.map(([name, cells]) => [name, cells(row)]))
}

/** Decimals, dates and times as the texts that Python prints. */
const dated = (type: DataType, bytes: Uint8Array, within: Within): Cells => {
  if (type.typeId === Type.Decimal) {
    const digits = decimals(bytes, type.bitWidth / 8)
    return (row) => decimalText(digits(row), type.scale)
  }
  if (type.typeId === Type.Date) {
    const day = integers(bytes, type.unit === DateUnit.DAY ? 4 : 8)
    return (row) => dateText(Math.floor(Number(day(row)) / (type.unit === DateUnit.DAY ? 1 : 86_400_000)))
  }
  if (!('unit' in type)) throw unsupported(type)
  const unit = UNITS[type.unit] ?? 's'
  const at = integers(bytes, type.typeId === Type.Time ? type.bitWidth / 8 : 8)
  if (type.typeId === Type.Time) return (row) => timeText(at(row), unit)
  // numpy gives nanoseconds in lists as integers.
  if (within === 'list' && unit === 'ns') return (row) => plain(at(row))
  if (type.typeId === Type.Timestamp) return (row) => timestampText(at(row), unit, type.timezone)
  if (type.typeId === Type.Duration && within === 'column') return (row) => durationText(at(row), unit)
  throw unsupported(type)
}

const decimals = (bytes: Uint8Array, width: number): ((row: number) => bigint) => {
  const words = width / 8
  if (words < 1) return integers(bytes, 4)
  const view = viewOf(bytes)
  return (row) => {
    let value = view.getBigInt64(row * width + (words - 1) * 8, true)
    for (let word = words - 2; word >= 0; word--)
      value = (value << 64n) | view.getBigUint64(row * width + word * 8, true)
    return value
  }
}

interface Packed {
  readonly frame: Uint8Array
  readonly codec: Codec
  readonly length: number
}

/** What stands behind the empty buffers that the library is given in place of packed ones. */
const packed = new WeakMap<ArrayBufferLike, Packed>()

const leavePacked = (codec: Codec) => ({
  decode: (frame: Uint8Array): Uint8Array => {
    const stand = new Uint8Array(0)
    // A buffer starts with the length that it unpacks to.
    const length = Number(new DataView(frame.buffer, frame.byteOffset - 8, 8).getBigInt64(0, true))
    packed.set(stand.buffer, { frame, codec, length })
    return stand
  },
  encode: (): never => {
    throw new TypeError('Arrow files are not written here')
  },
})

/** From here on the library leaves packed buffers as they are, so that columns that nobody reads stay packed. */
export const leaveBuffersPacked = (): void => {
  setCompressionCodec(CompressionType.LZ4_FRAME, leavePacked('lz4'))
  setCompressionCodec(CompressionType.ZSTD, leavePacked('zstd'))
}

/** The bytes of a column's buffer, unpacked where they are packed. @throws RangeError */
const bufferBytes = (
  buffer: Pick<Uint8Array, 'buffer' | 'byteOffset' | 'byteLength'> | undefined,
  budget: UnpackBudget,
): Uint8Array => {
  if (buffer === undefined) return new Uint8Array(0)
  const found = packed.get(buffer.buffer)
  return found === undefined
    ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
    : decompressBuffer(found.frame, found.codec, found.length, budget)
}
