import { rmdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { errorCode } from '../problems/system-problem.ts'
import { writeProblem } from '../store-problems.ts'
import { Claims, type Taking } from './claims.ts'
import { Patience } from './patience.ts'

interface Waiting {
  readonly patience: Patience
  /** Milliseconds between two looks. */
  readonly pause: number
  /** Ends the waiting. */
  readonly signal?: AbortSignal
}

/**
 * Runs `work` while no other process holds `name`; without claims none can.
 * @throws ProblemError where the claim can't be written; the signal's AbortError
 */
export const holding = async <T>(
  claims: Claims | undefined,
  name: string,
  { patience, pause, signal }: Waiting,
  work: () => Promise<T>,
): Promise<T> => {
  if (claims === undefined) return work()
  const take = (): Taking => {
    try {
      return claims.take(name)
    } catch (error) {
      throw writeProblem(claims.folder, error)
    }
  }
  let taking = take()
  while ('heldBy' in taking) {
    patience.waitsFor(taking.heldBy)
    await setTimeout(pause, undefined, { signal })
    taking = take()
  }
  patience.over()
  try {
    return await work()
  } finally {
    taking.release()
  }
}

/** Between two looks at whether a download is done, milliseconds. */
const LONG_PAUSE = 100
/** What a disk says that knows no links. */
const NO_LINKS: ReadonlySet<string> = new Set(['EPERM', 'ENOSYS', 'ENOTSUP', 'EOPNOTSUPP'])

export interface OneByOneOptions {
  readonly signal: AbortSignal
  /** Called with the id of each process that is waited for, once. */
  readonly onWait?: (holder: number) => void
}

/**
 * Runs `work` while no other process does so for the same folder and name. It saves double work only: what it guards
 * must stay right without it, as on a disk that knows no links, where nobody is kept away.
 *
 * @param folder is there for as long as somebody works or waits
 * @param name letters, digits, dashes
 * @throws ProblemError where the claim can't be written; the signal's AbortError
 */
export const oneByOne = async <T>(
  folder: string,
  name: string,
  { signal, onWait }: OneByOneOptions,
  work: () => Promise<T>,
): Promise<T> => {
  const claims = enter(folder)
  const patience = new Patience((event) => {
    if (event.type === 'store-waiting') onWait?.(event.holder)
  }, 0)
  try {
    return await holding(claims, name, { patience, pause: LONG_PAUSE, signal }, work)
  } finally {
    if (claims !== undefined) leave(claims)
  }
}

const enter = (folder: string): Claims | undefined => {
  try {
    return new Claims(folder)
  } catch (error) {
    if (NO_LINKS.has(errorCode(error) ?? '')) return undefined
    throw writeProblem(folder, error)
  }
}

/** What can't be removed is in nobody's way. */
const leave = (claims: Claims): void => {
  try {
    claims.sweep()
    claims.close()
    rmdirSync(claims.folder)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
  }
}
