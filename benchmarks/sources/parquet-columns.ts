import { open, type FileHandle } from 'node:fs/promises'
import { parquetMetadataAsync, parquetRead, type AsyncBuffer, type FileMetaData } from 'hyparquet'
import { compressors } from 'hyparquet-compressors'
import { ProblemError } from '../../cache/problem.ts'
import { suggestion } from '../../cache/did-you-mean.ts'

/** Cells of one column of a row group: bigint or number for integers, microseconds for times; null where missing. */
export type ColumnCells = ArrayLike<unknown>

/** A Parquet file that is read a row group at a time, so that files larger than the memory can be. */
export interface ParquetColumns {
  readonly file: string
  /** Rows of each row group. */
  readonly groups: readonly number[]
  /** The wanted columns of a row group, in the given order. */
  read(group: number, columns: readonly string[]): Promise<readonly ColumnCells[]>
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
      read: async (group, wanted) => {
        try {
          return await readGroup({ buffer, metadata }, starts[group] ?? 0, groups[group] ?? 0, wanted)
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

const readGroup = async (
  { buffer, metadata }: { readonly buffer: AsyncBuffer; readonly metadata: FileMetaData },
  start: number,
  rows: number,
  columns: readonly string[],
): Promise<readonly ColumnCells[]> => {
  const found = new Map<string, ColumnCells[]>()
  await parquetRead({
    file: buffer,
    metadata,
    compressors,
    parsers,
    columns: [...columns],
    rowStart: start,
    rowEnd: start + rows,
    onChunk: ({ columnName, columnData, rowStart }) => {
      const chunks = found.get(columnName) ?? []
      // Chunks come in order; a row group's first row tells how many rows lie before them.
      if (rowStart >= start) chunks.push(columnData)
      found.set(columnName, chunks)
    },
  })
  return columns.map((column) => joined(found.get(column) ?? [], rows))
}

const joined = (chunks: readonly ColumnCells[], rows: number): ColumnCells => {
  const [only] = chunks
  if (only !== undefined && chunks.length === 1 && only.length >= rows) return only
  const cells: unknown[] = []
  for (const chunk of chunks) for (let index = 0; index < chunk.length; index++) cells.push(chunk[index])
  if (cells.length < rows) throw new RangeError('a column is shorter than its row group')
  return cells
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
