import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { packageRoot } from '../package-root.ts'
import type { Problem } from '../problems/problem.ts'
import { endProcess } from './process-guard.ts'

/** Seconds that a user's code may compute without a pause. */
let limit = 60

/** Sets the limit of this process. */
export const limitCode = (seconds: number): void => {
  limit = seconds
}

export const codeLimit = (): number => limit

/** What the thread that watches is given. */
export interface WatchInput {
  /** Counts up while the main thread gets to its timers. */
  readonly beats: Int32Array
  /** Seconds without one after which it looks at what the main thread does. */
  readonly limit: number
}

const beats = new Int32Array(new SharedArrayBuffer(4))

/** Says that the main thread is alive. */
export const beat = (): void => void Atomics.add(beats, 0, 1)

let tell = ({ message, remedy }: Problem): void => void process.stderr.write(`${message}\n${remedy}\n`)

/** How the problem that ends the process is shown. */
export const tellEndless = (show: (problem: Problem) => void): void => {
  tell = show
}

let watched = false

/**
 * Watches from a thread of its own whether a user's code holds this one. Code that was called by `boundedCall` ends by
 * itself; what goes on after an `await`, or runs while its file is imported, can only be ended with the process.
 */
export const watchCode = (): void => {
  if (watched) return
  watched = true
  const program = join(packageRoot(), 'dist', 'code-watch.js')
  if (!existsSync(program)) return
  Object.assign(globalThis, { [Symbol.for('medmake.endless')]: endWith })
  setInterval(() => (isOver ? endProcess(1) : beat()), 200).unref()
  // A call has its own end: the thread leaves it the time.
  const input: WatchInput = { beats, limit: limit + 2 }
  new Worker(program, { workerData: input }).unref()
}

let isOver = false

const endWith = (url: string, name: string): void => {
  // Told once, however many calls were in flight.
  if (isOver) return
  isOver = true
  process.exitCode = 1
  const file = fileURLToPath(url.replace(/\?.*$/, ''))
  tell({
    code: 'code/endless',
    message: `${name === '' ? 'it' : name} computed for more than ${limit} s without a pause, which held the whole run`,
    where: { file },
    remedy:
      'Let its loop end, or await something within it; raise code_timeout in medmake.yaml where it takes so long. What was finished is kept.',
  })
}
