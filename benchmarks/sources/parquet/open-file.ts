import { plain } from '../../../cache/files/plain-file.ts'
import { safeText } from '../../../cache/problems/safe-text.ts'
import { FormatError } from '../format-error.ts'
import { open, type FileHandle } from 'node:fs/promises'
import { parquetMetadataAsync, type AsyncBuffer, type FileMetaData } from 'hyparquet'
import { rowLimit, UnpackBudget } from '../unpack-limit.ts'
import { checkPages } from './check-pages.ts'

/** An open Parquet file. A column is to be checked before it is unpacked. */
export interface OpenParquet {
  readonly buffer: AsyncBuffer
  readonly metadata: FileMetaData
  /** Checks a column's pages in a row group, once. @throws RangeError where they hold more than they can */
  readonly check: (group: number, column: string) => Promise<void>
  readonly close: () => Promise<void>
}

/** @throws RangeError or the library's error for a damaged file; Node's error when it can't be opened */
export const openFile = async (path: string): Promise<OpenParquet> => {
  const handle = await open(plain(path))
  try {
    const { size } = await handle.stat()
    const buffer = bufferOf(handle, size)
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
    for (const { meta_data: column } of groups[group]?.columns ?? []) {
      if (column?.path_in_schema[0] !== name) continue
      const start = Number(column.dictionary_page_offset || column.data_page_offset)
      const chunk = await buffer.slice(start, start + Number(column.total_compressed_size))
      // Texts that stand for themselves once can be named a million times, so each chunk has a budget of its own.
      checkPages(new Uint8Array(chunk), rowLimit(buffer.byteLength), new UnpackBudget(buffer.byteLength))
    }
    checked.add(key)
  }
}
