import { safeText } from '../../../cache/problems/problem.ts'
import { FormatError } from '../../../cache/problems/format-error.ts'

/**
 * Checks that no list of an Arrow file's metadata is longer than the file and no column longer than `rows`: the library
 * that reads them takes every length on trust, and a damaged one would fill the memory.
 * @throws RangeError
 */
export const checkLengths = (bytes: Uint8Array, rows: number): void => {
  const file = new Metadata(bytes)
  const footer = file.table(bytes.length - 10 - file.int(bytes.length - 10))
  const schema = file.target(file.field(footer, 1))
  checkFields(file, file.field(schema, 1))
  for (const pairs of [file.field(schema, 2), file.field(footer, 4)]) file.vector(pairs, 4)
  for (const blocks of [2, 3]) {
    let all = 0
    for (const block of file.vector(file.field(footer, blocks), 24)) {
      all += checkMessage(file, file.long(block), rows)
      // Batches may all lie in one place.
      if (all > rows) throw new FormatError(safeText`its batches say that they have ${all} rows`)
    }
  }
}

const UNION = 14

/** Fields, of which each may have children, pairs of metadata and, as a union, numbers of its types. */
const checkFields = (file: Metadata, fields: number): void => {
  for (const position of file.vector(fields, 4)) {
    const field = file.target(position)
    checkFields(file, file.field(field, 5))
    file.vector(file.field(field, 6), 4)
    if (file.byte(file.field(field, 2)) === UNION)
      file.vector(file.field(file.target(file.field(field, 3)), 1), 4)
  }
}

const DICTIONARY_BATCH = 2
const RECORD_BATCH = 3

/** The rows of a batch. A message starts with its length, since Arrow 0.15 after a marker of four bytes. */
const checkMessage = (file: Metadata, block: number, rows: number): number => {
  const message = file.table(file.int(block) === -1 ? block + 8 : block + 4)
  const kind = file.byte(file.field(message, 1))
  const header = file.target(file.field(message, 2))
  if (kind !== DICTIONARY_BATCH && kind !== RECORD_BATCH) throw new FormatError(safeText`a batch is none`)
  const batch = kind === DICTIONARY_BATCH ? file.target(file.field(header, 1)) : header
  const nodes = file.vector(file.field(batch, 1), 16)
  for (const node of nodes)
    if (file.long(node) < 0 || file.long(node) > rows)
      throw new FormatError(safeText`a column says that it has ${file.long(node)} cells`)
  file.vector(file.field(batch, 2), 16)
  file.vector(file.field(batch, 4), 8)
  return nodes[0] === undefined ? 0 : file.long(nodes[0])
}

/** FlatBuffers within a file; a position of 0 is an absent field, and has nothing. */
class Metadata {
  private readonly view: DataView
  private seen = 0

  constructor(bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  }

  byte(at: number): number {
    return at === 0 ? 0 : this.view.getUint8(at)
  }

  int(at: number): number {
    return this.view.getInt32(at, true)
  }

  long(at: number): number {
    return Number(this.view.getBigInt64(at, true))
  }

  /** The table that a buffer starts with. */
  table(at: number): number {
    return this.target(at)
  }

  /** Where an offset points to. */
  target(at: number): number {
    return at === 0 ? 0 : at + this.view.getUint32(at, true)
  }

  /** Where a field's value lies. */
  field(table: number, number: number): number {
    if (table === 0) return 0
    const vtable = table - this.int(table)
    const slot = 4 + number * 2
    if (slot >= this.view.getUint16(vtable, true)) return 0
    const offset = this.view.getUint16(vtable + slot, true)
    return offset === 0 ? 0 : table + offset
  }

  /** Positions of a vector's elements. */
  vector(at: number, stride: number): readonly number[] {
    if (at === 0) return []
    const start = this.target(at)
    const length = this.view.getUint32(start, true)
    // Each element lies in the file once; a list that leads back to itself would be walked for ever.
    this.seen += length * stride
    if (start + 4 + length * stride > this.view.byteLength || this.seen > this.view.byteLength)
      throw new FormatError(safeText`a list leaves the file`)
    return Array.from({ length }, (_, index) => start + 4 + index * stride)
  }
}
