import { parentPort, workerData } from 'node:worker_threads'
import { openEngine } from './engine.ts'
import type { SqlLimits, SqlOutcome } from './outcome.ts'
import { reasonOf } from '../../cache/problems/problem.ts'

/** What a box hands to its thread at the start. */
export interface ThreadInput {
  readonly database: Uint8Array
  readonly limits: SqlLimits
}

export interface ThreadQuery {
  readonly sql: string
  readonly milliseconds: number
}

export type ThreadReply =
  | { readonly kind: 'ready' }
  /** SQLite can't open the database. */
  | { readonly kind: 'unusable'; readonly message: string }
  | { readonly kind: 'done'; readonly outcome: SqlOutcome }

const reply = (message: ThreadReply): void => parentPort?.postMessage(message, [])

const serve = async ({ database, limits }: ThreadInput): Promise<void> => {
  try {
    const engine = await openEngine(database, limits)
    // Whatever escapes `query` ends the thread: after a trap the WebAssembly memory can't be trusted.
    parentPort?.on('message', ({ sql, milliseconds }: ThreadQuery) =>
      reply({ kind: 'done', outcome: engine.query(sql, milliseconds) }),
    )
    reply({ kind: 'ready' })
  } catch (error) {
    reply({ kind: 'unusable', message: reasonOf(error) })
  }
}

void serve(workerData as ThreadInput)
