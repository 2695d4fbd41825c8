import { fork, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { FileMetaData } from 'hyparquet'
import { packageRoot } from '../../../cache/package-root.ts'
import { safeText, type SafeText } from '../../../cache/problems/problem.ts'
import { FormatError } from '../../../cache/problems/format-error.ts'
import type { Cells, ReaderReply, ReaderTask } from './reader.ts'

/** A Parquet file that a process of its own reads, within bounds of time and memory. */
export interface ParquetReader {
  readonly metadata: FileMetaData
  /** Rows of a row group as objects, times as Python prints them. @throws as `openReader` */
  readonly rows: (
    group: number,
    columns: readonly string[],
  ) => Promise<readonly Readonly<Record<string, unknown>>[]>
  /** Cells of a column in a row group, times as whole numbers. @throws as `openReader` */
  readonly cells: (group: number, column: string) => Promise<readonly Cells[]>
  readonly close: () => Promise<void>
}

const MEBIBYTE = 2 ** 20

/** Milliseconds that reading a file may take in all: a hundred times what it takes on an idle machine. */
const timeFor = (mebibytes: number): number => 15_000 + 2_000 * mebibytes

/** MiB of JavaScript values that a row group may come to. */
const memoryFor = (mebibytes: number): number => Math.min(4096, Math.ceil(512 + 8 * mebibytes))

/**
 * Opens a Parquet file.
 * @param milliseconds that reading may take in all; by the file's size where absent
 * @throws FormatError, or the library's error for a damaged file; Node's error when it can't be opened
 */
export const openReader = async (path: string, milliseconds?: number): Promise<ParquetReader> => {
  const mebibytes = (await stat(path)).size / MEBIBYTE
  const reader = fork(join(packageRoot(), 'dist/parquet-reader.js'), {
    execArgv: [`--max-old-space-size=${memoryFor(mebibytes)}`],
    serialization: 'advanced',
    // What V8 prints when the memory is full is no message to anybody.
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  })
  let left = milliseconds ?? timeFor(mebibytes)
  const ask = async (message: string | ReaderTask): Promise<ReaderReply> => {
    const start = performance.now()
    const reply = nextReply(reader, left)
    reader.send(message, () => {})
    const answer = await reply
    left -= performance.now() - start
    if (answer.kind !== 'failed') return answer
    await end(reader)
    throw errorOf(answer)
  }
  const opened = await ask(path)
  if (opened.kind !== 'opened') throw new TypeError(`the reader began with ${opened.kind}`)
  return {
    metadata: opened.metadata,
    rows: async (group, columns) => {
      const reply = await ask({ group, columns, as: 'rows' })
      return reply.kind === 'rows' ? reply.rows : []
    },
    cells: async (group, column) => {
      const reply = await ask({ group, columns: [column], as: 'cells' })
      return reply.kind === 'cells' ? reply.chunks : []
    },
    close: () => end(reader),
  }
}

const end = async (reader: ChildProcess): Promise<void> => {
  if (reader.exitCode !== null || reader.signalCode !== null) return
  const gone = once(reader, 'exit')
  reader.kill('SIGKILL')
  await gone
}

type Failure = Extract<ReaderReply, { kind: 'failed' }>

const errorOf = ({ message, safe, remedy, code, syscall }: Failure): Error =>
  safe === undefined
    ? Object.assign(new Error(message), code === undefined ? {} : { code, syscall })
    : new FormatError(safe, remedy)

const stopped = (safe: SafeText): Failure => ({ kind: 'failed', message: safe, safe })

/** The process's next message; a failure where it is late, or dies for want of memory. */
const nextReply = (reader: ChildProcess, milliseconds: number): Promise<ReaderReply> =>
  new Promise((resolve, reject) => {
    const settle = (): void => {
      clearTimeout(timer)
      reader.off('message', onMessage).off('exit', onExit).off('error', onError)
    }
    const onMessage = (reply: unknown): void => {
      settle()
      resolve(reply as ReaderReply)
    }
    const onExit = (): void => {
      settle()
      resolve(stopped(safeText`it unpacks to more than the memory that it may take`))
    }
    // The process can't be started.
    const onError = (error: Error): void => {
      settle()
      reject(error)
    }
    const timer = setTimeout(() => {
      settle()
      resolve(stopped(safeText`it takes longer than a sound file of its size`))
    }, milliseconds)
    reader.on('message', onMessage).on('exit', onExit).on('error', onError)
  })
