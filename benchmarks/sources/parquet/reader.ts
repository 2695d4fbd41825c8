import { parquetRead, parquetReadObjects, type FileMetaData } from 'hyparquet'
import type { SafeText } from '../../../cache/problems/safe-text.ts'
import { FormatError } from '../format-error.ts'
import { boundedCompressors } from './compressors.ts'
import { openFile, type OpenParquet } from './open-file.ts'
import { countParsers, textParsers } from './parsers.ts'

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
