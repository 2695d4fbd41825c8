import { safeText } from '../../../cache/problems/problem.ts'
import { FormatError } from '../../../cache/problems/format-error.ts'

/**
 * Checks that the pages of a column chunk hold no more than `values` values and unpack to no more than the budget has
 * left: the library that reads them takes both on trust, and a few bytes can declare billions of equal values.
 * @throws RangeError
 */
export const checkPages = (
  chunk: Uint8Array,
  values: number,
  budget: { readonly take: (bytes: number) => void },
): void => {
  const reader = new CompactReader(chunk)
  let left = values
  while (!reader.atEnd()) {
    const header = reader.struct()
    const [unpacked = 0, packed = 0] = [header.get(2), header.get(3)].map(numberOf)
    const counts = [5, 7, 8].map((page) => numberOf(structOf(header.get(page))?.get(1)))
    left -= Math.max(...counts)
    if (left < 0) throw new FormatError(safeText`a column has more values than its row group`)
    if (packed < 0) throw new FormatError(safeText`a page has an impossible size`)
    budget.take(unpacked)
    reader.skip(packed)
  }
}

type Value = number | Struct | undefined
type Struct = ReadonlyMap<number, Value>

const numberOf = (value: Value): number => (typeof value === 'number' ? value : 0)
const structOf = (value: Value): Struct | undefined => (typeof value === 'object' ? value : undefined)

/** Structs of Thrift's compact protocol: their integers and structs by field number, all else passed over. */
class CompactReader {
  private readonly bytes: Uint8Array
  private at = 0

  constructor(bytes: Uint8Array) {
    this.bytes = bytes
  }

  atEnd(): boolean {
    // The library stops there, too.
    return this.at >= this.bytes.length - 1
  }

  skip(bytes: number): void {
    this.at += bytes
    if (this.at > this.bytes.length) throw new FormatError(safeText`a page leaves its column`)
  }

  struct(): Struct {
    const fields = new Map<number, Value>()
    for (let id = 0; ;) {
      const byte = this.byte()
      if (byte === 0) return fields
      id = byte >> 4 === 0 ? this.integer() : id + (byte >> 4)
      fields.set(id, this.value(byte & 15))
    }
  }

  private value(type: number): Value {
    if (type === 1 || type === 2) return undefined
    if (type === 3) return this.byte()
    if (type >= 4 && type <= 6) return this.integer()
    if (type === 12) return this.struct()
    if (type === 7) this.skip(8)
    else if (type === 8) this.skip(this.varint())
    else if (type === 9) this.list()
    else throw new FormatError(safeText`a page header is damaged`)
    return undefined
  }

  private list(): void {
    const byte = this.byte()
    const length = byte >> 4 === 15 ? this.varint() : byte >> 4
    for (let item = 0; item < length; item++) {
      if (this.at >= this.bytes.length) throw new FormatError(safeText`a page header leaves its column`)
      if ((byte & 15) <= 2) this.byte()
      else this.value(byte & 15)
    }
  }

  private byte(): number {
    const byte = this.bytes[this.at++]
    if (byte === undefined) throw new FormatError(safeText`a page header leaves its column`)
    return byte
  }

  private varint(): number {
    let value = 0
    for (let scale = 1; ; scale *= 128) {
      const byte = this.byte()
      value += (byte & 127) * scale
      if (byte < 128) return value
      if (scale > 2 ** 63) throw new FormatError(safeText`a page header is damaged`)
    }
  }

  private integer(): number {
    const value = this.varint()
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2
  }
}
