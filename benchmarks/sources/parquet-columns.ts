import { open, type FileHandle } from 'node:fs/promises'
import { parquetMetadataAsync, parquetRead, type AsyncBuffer, type FileMetaData } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { ProblemError } from '../../cache/problem.ts'
import { suggestion } from '../../cache/did-you-mean.ts'

/** A Parquet file that is read a row group at a time, so that files larger than the memory can be. */
export interface ParquetColumns {
  readonly file: string
  /** Rows of each row group. */
  readonly groups: readonly number[]
  /**
   * Reads one column of a row group and hands over its cells with their row in the group: integers as bigint or number,
   * times in microseconds, undefined or null where a cell is missing.
   */
  scan(group: number, column: string, onCell: (cell: unknown, row: number) => void): Promise<void>
  close(): Promise<void>
}

/**
 * Opens a Parquet file.
 * @param columns those that must be there
 * @throws ProblemError `benchmarks/parquet`, `benchmarks/missing-column`; Node's error when it can't be opened
 */
export const openParquet = async (file: string, columns: readonly string[]): Promise<ParquetColumns> => {
  const handle = await open(file)
  try {
    const buffer = bufferOf(handle, (await handle.stat()).size)
    const metadata = await parquetMetadataAsync(buffer)
    requireColumns(file, metadata, columns)
    const groups = metadata.row_groups.map(({ num_rows: rows }) => Number(rows))
    const starts = groups.map((_, group) => groups.slice(0, group).reduce((sum, rows) => sum + rows, 0))
    return {
      file,
      groups,
      scan: async (group, column, onCell) => {
        try {
          const rows = { start: starts[group] ?? 0, rows: groups[group] ?? 0 }
          await scanGroup({ buffer, metadata }, rows, column, onCell)
        } catch (error) {
          throw damaged(file, error)
        }
      },
      close: () => handle.close(),
    }
  } catch (error) {
    await handle.close()
    throw error instanceof ProblemError ? error : damaged(file, error)
  }
}

const bufferOf = (handle: FileHandle, byteLength: number): AsyncBuffer => ({
  byteLength,
  slice: async (start, end = byteLength) => {
    const bytes = new Uint8Array(end - start)
    for (let filled = 0; filled < bytes.length;) {
      const { bytesRead } = await handle.read(bytes, filled, bytes.length - filled, start + filled)
      if (bytesRead === 0) throw new RangeError('the file ends early')
      filled += bytesRead
    }
    return bytes.buffer
  },
})

const scanGroup = async (
  { buffer, metadata }: { readonly buffer: AsyncBuffer; readonly metadata: FileMetaData },
  { start, rows }: { readonly start: number; readonly rows: number },
  column: string,
  onCell: (cell: unknown, row: number) => void,
): Promise<void> => {
  let seen = 0
  await parquetRead({
    file: buffer,
    metadata,
    compressors,
    parsers,
    columns: [column],
    rowStart: start,
    rowEnd: start + rows,
    onChunk: ({ columnData, rowStart }) => {
      for (let index = 0; index < columnData.length; index++)
        onCell(columnData[index], rowStart - start + index)
      seen += columnData.length
    },
  })
  if (seen < rows) throw new RangeError('a column is shorter than its row group')
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true })
const parsers = {
  stringFromBytes: (bytes: Uint8Array | undefined): string | undefined => bytes && utf8.decode(bytes),
  timestampFromMilliseconds: (time: bigint | undefined): number | undefined =>
    time === undefined || time === null ? undefined : Number(time) * 1000,
  timestampFromMicroseconds: (time: bigint | undefined): number | undefined =>
    time === undefined || time === null ? undefined : Number(time),
  timestampFromNanoseconds: (time: bigint | undefined): number | undefined =>
    time === undefined || time === null ? undefined : microseconds(time),
}

const microseconds = (time: bigint): number => {
  if (time % 1000n !== 0n) throw new RangeError(`the time ${time} ns is finer than a microsecond`)
  return Number(time / 1000n)
}

const requireColumns = (file: string, { schema }: FileMetaData, columns: readonly string[]): void => {
  const names = schema.slice(1).map(({ name }) => name)
  const column = columns.find((name) => !names.includes(name))
  if (column === undefined) return
  throw new ProblemError({
    code: 'benchmarks/missing-column',
    message: `${file} has no column ${JSON.stringify(column)}`,
    where: { file, field: column },
    remedy: `${suggestion(column, names)}The file has the columns ${names.join(', ')}.`,
  })
}

const damaged = (file: string, cause: unknown): ProblemError =>
  new ProblemError(
    {
      code: 'benchmarks/parquet',
      message: `${file} can't be read as Parquet: ${cause instanceof Error ? cause.message : String(cause)}`,
      where: { file },
      remedy: 'Copy the file from the data set again.',
    },
    { cause },
  )
