import {
  columnFromArray,
  CompressionType,
  setCompressionCodec,
  tableFromColumns,
  tableToIPC,
  type DataType,
} from '@uwdata/flechette'

/** A column's type and its values, null where there is none. */
export type ArrowColumn = readonly [type: DataType, values: readonly unknown[]]

/** An Arrow file. Packing is worth it only for runs of one byte; other buffers are written as they are. */
export const arrowFile = (
  columns: Readonly<Record<string, ArrowColumn>>,
  {
    codec,
    rows = Infinity,
    pandas,
  }: { readonly codec?: 'lz4' | 'zstd'; readonly rows?: number; readonly pandas?: object } = {},
): Uint8Array => {
  const built = Object.entries(columns).map(([name, [type, values]]): [string, ReturnType<typeof column>] => [
    name,
    column(type, values, rows),
  ])
  const table = tableFromColumns(built)
  if (pandas !== undefined) table.schema.metadata = new Map([['pandas', JSON.stringify(pandas)]])
  const decode = (): never => {
    throw new TypeError('written, not read')
  }
  setCompressionCodec(CompressionType.LZ4_FRAME, { encode: lz4, decode })
  setCompressionCodec(CompressionType.ZSTD, { encode: zstd, decode })
  const chosen = codec === 'lz4' ? CompressionType.LZ4_FRAME : codec === 'zstd' ? CompressionType.ZSTD : null
  return tableToIPC(table, { format: 'file', codec: chosen }) ?? new Uint8Array()
}

const column = (type: DataType, values: readonly unknown[], rows: number) =>
  columnFromArray([...values], type, { maxBatchRows: rows, useBigInt: true })

/** An LZ4 frame of one block: each run of a byte is a literal and a match with itself. */
const lz4 = (bytes: Uint8Array): Uint8Array => {
  const block: number[] = []
  const size = (length: number): void => {
    for (let rest = length - 15; rest >= 0; rest -= 255) block.push(Math.min(255, rest))
  }
  for (let at = 0; at < bytes.length;) {
    let end = at + 1
    while (bytes[end] === bytes[at] && end < bytes.length) end++
    // The last five bytes of a block are literals.
    const run = end < bytes.length ? end - at - 1 : end - at - 6
    if (run < 20) {
      const last = bytes.subarray(at)
      block.push(Math.min(15, last.length) << 4)
      size(last.length)
      block.push(...last)
      break
    }
    block.push(0x1f, bytes[at] ?? 0, 1, 0)
    size(run - 4)
    at += run + 1
  }
  const length = Buffer.alloc(4)
  length.writeUInt32LE(block.length)
  return Uint8Array.from([0x04, 0x22, 0x4d, 0x18, 0x40, 0x40, 0xc0, ...length, ...block, 0, 0, 0, 0])
}

/** A Zstandard frame: a block of the byte that it starts with, repeated, and a raw one of the rest. */
const zstd = (bytes: Uint8Array): Uint8Array => {
  const other = bytes.findIndex((byte) => byte !== bytes[0])
  const run = other === -1 ? bytes.length : other
  const size = Buffer.alloc(4)
  size.writeUInt32LE(bytes.length)
  const header = (length: number, kind: number): Buffer => {
    const block = Buffer.alloc(4)
    block.writeUInt32LE((length << 3) | kind)
    return block.subarray(0, 3)
  }
  const rest = bytes.subarray(run)
  const start = [0x28, 0xb5, 0x2f, 0xfd, 0xa0, ...size]
  return Uint8Array.from([...start, ...header(run, 2), bytes[0] ?? 0, ...header(rest.length, 1), ...rest])
}
