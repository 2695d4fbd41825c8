import { ProblemError } from '../../cache/problem.ts'
import type { PyValue } from '../python/value.ts'
import { fieldOf, readColumn, type Cursor, type Field } from './arrow/column.ts'
import { decompressBuffer, type Codec } from './arrow/decompress.ts'
import { FlatTable } from './arrow/flatbuffer.ts'
import type { Row, Table } from './table.ts'

const MAGIC = 'ARROW1'

/**
 * An Arrow IPC file (Feather version 2) as a table, LZ4 or Zstandard unpacked (Arrow columnar format 1.4): texts,
 * numbers, truth values and lists of them; nulls are None.
 *
 * @throws ProblemError `benchmarks/arrow`
 */
export const arrowTable = (bytes: Uint8Array, file: string): Table => {
  try {
    return readFile(bytes, file)
  } catch (error) {
    // A damaged file leads the reader astray in many ways; the user can do one thing about all of them.
    throw new ProblemError(
      {
        code: 'benchmarks/arrow',
        message: `${file} can't be read as an Arrow file: ${error instanceof Error ? error.message : String(error)}`,
        where: { file },
        remedy: 'Write the table with DataFrame.to_feather of pandas, or fetch the file again.',
      },
      { cause: error },
    )
  }
}

const readFile = (bytes: Uint8Array, file: string): Table => {
  const latin = new TextDecoder('latin1')
  if (latin.decode(bytes.subarray(0, 6)) !== MAGIC || latin.decode(bytes.subarray(-6)) !== MAGIC)
    throw new RangeError(
      latin.decode(bytes.subarray(0, 4)) === 'FEA1' ? 'it is Feather version 1' : 'it is none',
    )
  const footer = FlatTable.root(footerOf(bytes))
  const fields = footer.table(1)?.tables(1).map(fieldOf) ?? []
  const columns = fields.map(({ name }) => name)
  const rows: Row[] = []
  // A block is an offset, a metadata length with padding, and a body length.
  for (const [offset = 0, metadata = 0, body = 0] of footer.structs(3, 3)) {
    const message = bytes.subarray(offset, offset + (metadata | 0))
    const data = bytes.subarray(offset + (metadata | 0), offset + (metadata | 0) + body)
    for (const cells of batchRows(fields, FlatTable.root(withoutPrefix(message)), data))
      rows.push({
        cells: new Map(columns.map((name, at) => [name, cells[at] ?? null])),
        row: rows.length + 1,
      })
  }
  return { file, columns, rows }
}

const footerOf = (bytes: Uint8Array): Uint8Array => {
  const end = bytes.length - 10
  const length = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength).getInt32(end, true)
  return bytes.slice(end - length, end)
}

/** A message starts with its length, since Arrow 0.15 after a marker of four bytes. */
const withoutPrefix = (message: Uint8Array): Uint8Array =>
  message.slice(message.subarray(0, 4).every((byte) => byte === 255) ? 8 : 4)

const CODECS: readonly Codec[] = ['lz4', 'zstd']

const batchRows = (
  fields: readonly Field[],
  message: FlatTable,
  body: Uint8Array,
): readonly (readonly PyValue[])[] => {
  const batch = message.table(2)
  if (batch === undefined) throw new RangeError('a record batch is missing')
  const compression = batch.table(3)
  const codec = compression === undefined ? undefined : CODECS[compression.byte(0)]
  const cursor = cursorOf(batch, body, codec)
  const columns = fields.map((field) => readColumn(field, cursor))
  return Array.from({ length: batch.long(0) }, (_, row) => columns.map((cells) => cells[row] ?? null))
}

const cursorOf = (batch: FlatTable, body: Uint8Array, codec: Codec | undefined): Cursor => {
  const nodes = batch.structs(1, 2).values()
  const buffers = batch.structs(2, 2).values()
  return {
    node: () => {
      const [length = 0, nulls = 0] = nodes.next().value ?? []
      return { length, nulls }
    },
    buffer: () => {
      const [offset = 0, length = 0] = buffers.next().value ?? []
      const bytes = body.slice(offset, offset + length)
      return codec === undefined ? bytes : decompressBuffer(bytes, codec)
    },
  }
}
