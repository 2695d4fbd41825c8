import { Script } from 'node:vm'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
// A user's code may have put others in the place of the global ones, for itself, while it is awaited.
import { clearTimeout, setImmediate, setInterval, setTimeout } from 'node:timers'
import { fileURLToPath } from 'node:url'
import { Worker } from 'node:worker_threads'
import { requireFiles } from '../problems/system-problem.ts'
import { putBuiltinsBack, endProcess } from './guards.ts'
import { packageRoot } from '../package-root.ts'
import { thrown, type Problem } from '../problems/problem.ts'

/** With a longer limit it may end: what was not finished is no result. */
class EndlessError extends Error {
  readonly retriable = true
}

const CALL = Symbol.for('medmake.call')
const script = new Script("globalThis[Symbol.for('medmake.call')]()")

/** Endless calls of a piece of code after which it is called no more: each costs the whole limit. */
const MOST = 3
const endless = new Map<string, number>()

/**
 * Calls a function of a user's, which a loop without end can't hold: Node ends whatever it computes at the limit. What it
 * awaits runs later and is not counted; `watchCode` looks at that.
 * @param name what is called, for all its calls the same
 * @throws Error at the limit; ProblemError `system/too-many-files`; what the function throws
 */
export const boundedCall = <T>(name: string, call: () => T): T => {
  const before = endless.get(name) ?? 0
  if (before === MOST) throw new EndlessError(`${tooLong()}, ${MOST} times`)
  beat()
  requireFiles()
  Object.assign(globalThis, { [CALL]: call })
  try {
    return script.runInThisContext({ timeout: codeLimit() * 1000 }) as T
  } catch (caught) {
    const error = thrown(caught)
    if (!(error instanceof Error && 'code' in error) || error.code !== 'ERR_SCRIPT_EXECUTION_TIMEOUT')
      throw error
    endless.set(name, before + 1)
    throw new EndlessError(tooLong(), { cause: error })
  } finally {
    putBuiltinsBack()
  }
}

let lastTurn: Promise<void> = Promise.resolve()

/**
 * Resolves in a turn of the caller's own: what an earlier call gave without waiting for anything is read by then, though its
 * code may fill one object for all of them.
 */
export const ownTurn = (): Promise<void> => {
  lastTurn = lastTurn.then(() => new Promise((resolve) => setImmediate(resolve)))
  return lastTurn
}

const tooLong = (): string => `it computed for more than ${codeLimit()} s without a pause (code_timeout)`

/** Seconds that a user's code may compute without a pause. */
let limit = 60

/** Sets the limit of this process. */
export const limitCode = (seconds: number): void => {
  limit = seconds
}

const codeLimit = (): number => limit

/** What the thread that watches is given. */
export interface WatchInput {
  /** Counts up while the main thread gets to its timers. */
  readonly beats: Int32Array
  /** Seconds without one after which it looks at what the main thread does. */
  readonly limit: number
}

const beats = new Int32Array(new SharedArrayBuffer(4))

/** Says that the main thread is alive. */
const beat = (): void => void Atomics.add(beats, 0, 1)

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

/** What a user's code gave to wait for is not there after so many seconds: told once a file. */
export interface CodeEvent {
  readonly type: 'code-awaited'
  readonly file: string
  readonly seconds: number
}

let awaiting: { readonly tell: (event: CodeEvent) => void; readonly seconds: number } | undefined
const slow = new Set<string>()

/** How it is told that code is waited for. */
export const tellAwaited = (tell: (event: CodeEvent) => void, seconds = 10): void => {
  awaiting = { tell, seconds }
}

const tellSlow = (file: string, { tell, seconds }: NonNullable<typeof awaiting>): void => {
  if (!slow.has(file)) tell({ type: 'code-awaited', file, seconds })
  slow.add(file)
}

const waiting = new Set<(reason: Error) => void>()
let listens = false

/** The run was stopped while it waited for a user's code: that did not fail. */
export class StoppedError extends Error {
  override readonly name = 'AbortError'
}

/** Waits no longer for what a user's code gave: what holds the process, as a timer of it, would have it wait for ever. */
export const stopWaiting = (): void => {
  for (const end of waiting) end(new StoppedError('the run was stopped'))
}

/**
 * What a user's code gave to wait for. Node ends a process that has nothing left to do, as if all were done: then what
 * is still waited for never comes, and fails.
 * @param file of the code
 * @param putBack what it replaced
 * @throws Error where it never comes; StoppedError; what it is rejected with
 */
export const awaited = async <T>(file: string, given: T, putBack = putBuiltinsBack): Promise<Awaited<T>> => {
  if (!listens) process.on('beforeExit', giveUp)
  listens = true
  let end: (reason: Error) => void = () => undefined
  const never = new Promise<never>((_, reject) => {
    end = reject
  })
  waiting.add(end)
  const timer = awaiting && setTimeout(tellSlow, awaiting.seconds * 1000, file, awaiting).unref()
  try {
    return await Promise.race([given, never])
  } catch (error) {
    throw thrown(error)
  } finally {
    putBack()
    clearTimeout(timer)
    waiting.delete(end)
  }
}

/** A turn of its own keeps the process. */
const giveUp = (): void => {
  for (const end of waiting) setImmediate(end, new Error('it waits for something that never comes'))
}
