import { open, type FileHandle } from 'node:fs/promises'
import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import {
  parquetRead,
  parquetReadObjects,
  type FileMetaData,
  parquetMetadataAsync,
  type AsyncBuffer,
  type Compressors,
} from 'hyparquet'
import { compressors, decompressZstd } from 'hyparquet-compressors'
import { type SafeText, safeText } from '../../../cache/problems/problem.ts'
import { FormatError } from '../../../cache/problems/format-error.ts'
import { rowLimit, UnpackBudget } from '../unpack-limit.ts'
import { plain } from '../../../cache/files/read.ts'
import { checkPages } from './check-pages.ts'
import { decompressLz4 } from '../arrow/decompress.ts'
import { dateText, timestampText } from '../../python/time-text.ts'

/** Columns of a row group: as objects with times as text, or column by column with times as numbers. */
export interface ReaderTask {
  readonly group: number
  readonly columns: readonly string[]
  readonly as: 'rows' | 'cells'
}

/** Cells of one column; `from` is the row of the first, in the group. */
export interface Cells {
  readonly cells: ArrayLike<unknown>
  readonly from: number
}

export type ReaderReply =
  | { readonly kind: 'opened'; readonly metadata: FileMetaData }
  | { readonly kind: 'rows'; readonly rows: readonly Readonly<Record<string, unknown>>[] }
  | { readonly kind: 'cells'; readonly chunks: readonly Cells[] }
  | {
      readonly kind: 'failed'
      readonly message: string
      readonly safe?: SafeText
      readonly remedy?: string
      /** Of the system's errors. */
      readonly code?: string
      readonly syscall?: string
    }

const failed = (error: unknown): ReaderReply => {
  const { message, code, syscall } = error as NodeJS.ErrnoException
  return {
    kind: 'failed',
    message,
    ...(error instanceof FormatError ? { safe: error.safe } : {}),
    ...(error instanceof FormatError && error.remedy !== undefined ? { remedy: error.remedy } : {}),
    ...(code === undefined || syscall === undefined ? {} : { code, syscall }),
  }
}

const read = async (
  { buffer, metadata, check }: OpenParquet,
  { group, columns, as }: ReaderTask,
): Promise<ReaderReply> => {
  for (const column of columns) await check(group, column)
  const rowsOf = (groups: FileMetaData['row_groups']): number =>
    groups.reduce((sum, { num_rows: rows }) => sum + Number(rows), 0)
  const [rowStart, rowEnd] = [group, group + 1].map((end) => rowsOf(metadata.row_groups.slice(0, end)))
  const options = {
    file: buffer,
    metadata,
    compressors: boundedCompressors,
    columns: [...columns],
    rowStart: rowStart ?? 0,
    rowEnd: rowEnd ?? 0,
  }
  if (as === 'rows')
    return { kind: 'rows', rows: await parquetReadObjects({ ...options, parsers: textParsers }) }
  const chunks: Cells[] = []
  await parquetRead({
    ...options,
    parsers: countParsers,
    // The library calls this where nobody would catch what it throws.
    onChunk: ({ columnData, rowStart: at }) =>
      chunks.push({ cells: columnData, from: at - options.rowStart }),
  })
  return { kind: 'cells', chunks }
}

const reply = (message: ReaderReply): void => void process.send?.(message)

const serve = async (path: string): Promise<void> => {
  const opened = await openFile(path)
  process.on('message', (task: ReaderTask) => {
    void read(opened, task).then(reply, (error: unknown) => reply(failed(error)))
  })
  reply({ kind: 'opened', metadata: opened.metadata })
}

// A process that reads one Parquet file, a row group a message: a damaged byte can make the library that decodes it
// count for hours or fill the memory. Only a process can be ended from outside then; a thread takes the others with it.
process.once('message', (path: string) => void serve(path).catch((error: unknown) => reply(failed(error))))

/** An open Parquet file. A column is to be checked before it is unpacked. */
interface OpenParquet {
  readonly buffer: AsyncBuffer
  readonly metadata: FileMetaData
  /** Checks a column's pages in a row group, once. @throws RangeError where they hold more than they can */
  readonly check: (group: number, column: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** @throws RangeError or the library's error for a damaged file; Node's error when it can't be opened */
const openFile = async (path: string): Promise<OpenParquet> => {
  const handle = await open(plain(path))
  try {
    const { size } = await handle.stat()
    const buffer = bufferOf(handle, size)
    if (Buffer.from(await buffer.slice(Math.max(0, size - 4))).equals(ENCRYPTED)) throw encrypted()
    const metadata = await parquetMetadataAsync(buffer)
    const rows = metadata.row_groups.reduce((sum, group) => sum + Number(group.num_rows), 0)
    if (!(rows >= 0 && rows <= rowLimit(size)) || metadata.row_groups.some((group) => group.num_rows < 0n))
      throw new FormatError(safeText`it says that it has ${rows} rows, in ${size} bytes`)
    return {
      buffer,
      metadata,
      check: checkOf(buffer, metadata),
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** How a file ends of which even the list of columns is encrypted. */
const ENCRYPTED = Buffer.from('PARE')

const encrypted = (): FormatError =>
  new FormatError(safeText`it is encrypted`, 'Write it again without encryption.')

const bufferOf = (handle: FileHandle, byteLength: number): AsyncBuffer => ({
  byteLength,
  slice: async (start, end = byteLength) => {
    if (!(start >= 0 && start <= end && end <= byteLength))
      throw new FormatError(safeText`it names bytes beyond its end`)
    const bytes = new Uint8Array(end - start)
    for (let filled = 0; filled < bytes.length;) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, start + filled)
      if (bytesRead === 0) throw new FormatError(safeText`the file ends early`)
      filled += bytesRead
    }
    return bytes.buffer
  },
})

const checkOf = (buffer: AsyncBuffer, { row_groups: groups }: FileMetaData): OpenParquet['check'] => {
  const checked = new Set<string>()
  return async (group, name) => {
    const key = `${group} ${name}`
    if (checked.has(key)) return
    for (const { meta_data: column, crypto_metadata: crypto } of groups[group]?.columns ?? []) {
      if (column?.path_in_schema[0] !== name) continue
      if (crypto !== undefined) throw encrypted()
      const start = Number(column.dictionary_page_offset || column.data_page_offset)
      const chunk = await buffer.slice(start, start + Number(column.total_compressed_size))
      // Texts that stand for themselves once can be named a million times, so each chunk has a budget of its own.
      checkPages(new Uint8Array(chunk), rowLimit(buffer.byteLength), new UnpackBudget(buffer.byteLength))
    }
    checked.add(key)
  }
}

/** Unpackers of pages that give no more than the page says it unpacks to; the others are told how much that is. */
export const boundedCompressors: Compressors = {
  ...compressors,
  GZIP: (page, length) => new Uint8Array(gunzipSync(page, { maxOutputLength: Math.max(1, length) })),
  BROTLI: (page, length) =>
    new Uint8Array(brotliDecompressSync(page, { maxOutputLength: Math.max(1, length) })),
  // The library's own takes a page of nothing for a damaged one.
  LZ4_RAW: (page, length) => decompressLz4(page, length),
  ZSTD: (page, length) => decompressZstd(page, new Uint8Array(length)),
}

/** hyparquet's own decoder drops a byte order mark and lets bytes pass that are no UTF-8. */
const utf8 = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })
const stringFromBytes = (bytes: Uint8Array | undefined): string | undefined => bytes && utf8.decode(bytes)

const timeParser =
  (unit: 'ms' | 'us' | 'ns') =>
  (time: bigint | undefined): string | undefined =>
    time === undefined || time === null ? undefined : timestampText(time, unit)

/** Times and dates as Python prints them. */
const textParsers = {
  stringFromBytes,
  timestampFromMilliseconds: timeParser('ms'),
  timestampFromMicroseconds: timeParser('us'),
  timestampFromNanoseconds: timeParser('ns'),
  dateFromDays: (day: number | undefined): string | undefined =>
    day === undefined || day === null ? undefined : dateText(day),
}

const asIs = (time: bigint | number | undefined): bigint | undefined =>
  time === undefined || time === null ? undefined : BigInt(time)

/** Times and dates as the whole numbers that they are kept as. */
const countParsers = {
  stringFromBytes,
  timestampFromMilliseconds: asIs,
  timestampFromMicroseconds: asIs,
  timestampFromNanoseconds: asIs,
  dateFromDays: asIs,
}
