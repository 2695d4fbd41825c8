import { join } from 'node:path'
import { Worker } from 'node:worker_threads'
import { packageRoot } from '../../cache/package-root.ts'
import { DEFAULT_LIMITS, type SqlLimits, type SqlOutcome } from './outcome.ts'
import type { ThreadInput, ThreadQuery, ThreadReply } from './thread.ts'

/**
 * A locked box for statements that nobody read: SQLite as WebAssembly, in a thread of its own, over a read-only copy
 * in memory. An authoriser lets only reads pass, SQLite's own limits bound memory and steps, and the thread is ended
 * from outside where one step takes too long. Statements run one after another.
 */
export interface SqlBox {
  /** @throws Error when the database can't be opened; a statement never makes it throw */
  query(sql: string, milliseconds: number): Promise<SqlOutcome>
  close(): Promise<void>
}

/** How long the thread may overrun before it is ended: one step between two looks at the clock, on a busy machine. */
const GRACE = 500

/** Opens a box over the bytes of a SQLite file. Its thread begins with the first query. */
export const createSqlBox = (
  database: () => Promise<Uint8Array>,
  limits: SqlLimits = DEFAULT_LIMITS,
): SqlBox => {
  let thread: Promise<Worker> | undefined
  let last: Promise<unknown> = Promise.resolve()
  const start = async (): Promise<Worker> => {
    const input: ThreadInput = { database: await database(), limits }
    const worker = new Worker(join(packageRoot(), 'dist/sql-thread.js'), {
      workerData: input,
      resourceLimits: { maxOldGenerationSizeMb: 512 },
      stderr: true,
    })
    // Without a listener of its own, a thread that dies takes the process with it.
    worker.on('error', () => {})
    const first = await nextReply(worker)
    // An idle box keeps nobody waiting.
    worker.unref()
    if (first.kind === 'ready') return worker
    throw new Error(first.kind === 'unusable' ? first.message : 'the thread of the SQL box ended')
  }
  const runOne = async (query: ThreadQuery): Promise<SqlOutcome> => {
    const worker = await (thread ??= start())
    const answer = await askThread(worker, query)
    if (answer.kind === 'done') return answer.outcome
    // The next query gets a new thread.
    thread = undefined
    await worker.terminate()
    return { kind: 'stopped', limit: answer.kind === 'late' ? 'time' : 'memory' }
  }
  return {
    query: (sql, milliseconds) => {
      const run = last.then(() => runOne({ sql, milliseconds }))
      last = run.catch(() => {})
      return run
    },
    close: async () => {
      await last
      await (await thread?.catch(() => undefined))?.terminate()
      thread = undefined
    },
  }
}

type Answer = ThreadReply | { readonly kind: 'late' } | { readonly kind: 'ended' }

const askThread = async (worker: Worker, query: ThreadQuery): Promise<Answer> => {
  const reply = nextReply(worker)
  worker.postMessage(query, [])
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<Answer>((resolve) => {
    timer = setTimeout(() => resolve({ kind: 'late' }), query.milliseconds + GRACE)
  })
  try {
    return await Promise.race([reply, late])
  } finally {
    clearTimeout(timer)
  }
}

/** The thread's next message; `ended` when it dies instead: a trap, or no memory left. */
const nextReply = (worker: Worker): Promise<Answer> =>
  new Promise((resolve) => {
    const settle = (answer: Answer): void => {
      worker.off('message', settle)
      worker.off('exit', end)
      resolve(answer)
    }
    const end = (): void => settle({ kind: 'ended' })
    worker.on('message', settle)
    worker.on('exit', end)
  })
