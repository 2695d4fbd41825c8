import { rmdirSync } from 'node:fs'
import { setTimeout } from 'node:timers/promises'
import { errorCode } from '../problems/system-problem.ts'
import { writeProblem } from '../store-problems.ts'
import { Claims, type Taking, Patience, COMMIT } from './claims.ts'

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

interface OneByOneOptions {
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

const GATE = 'gate'
/** Between two looks at whether the others are done, milliseconds: a commit and an opening take about as long. */
const PAUSE = 1

/**
 * Keeps commits to the index apart from its openings and closings, across processes. Whoever opens an LMDB file, were
 * it only to read, sets the number of its last transaction to what it read from the file a moment before: what another
 * process committed in between is gone. And the last one to close destroys locks that one who opens goes on to use.
 *
 * Commits leave a mark and then look whether the gate is shut; LMDB orders them among themselves. Who opens shuts the
 * gate and then waits until no mark is left. As both write before they look, one of them always sees the other. Of a
 * process that was killed neither gate nor mark counts.
 */
export class CommitGate {
  readonly #claims: Claims | undefined
  readonly #patience: Patience
  /** Commits of this store under way. */
  #commits = 0

  /** Without claims nobody else can have the file open. */
  constructor(claims: Claims | undefined, patience: Patience) {
    this.#claims = claims
    this.#patience = patience
  }

  /** Runs a commit. */
  async committing<T>(commit: () => T | Promise<T>): Promise<T> {
    const claims = this.#claims
    if (claims === undefined) return commit()
    for (let holder = this.#enter(claims); holder !== undefined; holder = this.#enter(claims)) {
      this.#patience.waitsFor(holder)
      await setTimeout(PAUSE)
    }
    try {
      return await commit()
    } finally {
      this.#leave(claims)
    }
  }

  /** Runs an opening: no commit is under way meanwhile, nor another opening or closing. */
  async opening<T>(open: () => Promise<T>): Promise<T> {
    const claims = this.#claims
    if (claims === undefined) return open()
    return this.closing(async () => {
      for (let busy = claims.others(COMMIT); busy.length > 0; busy = claims.others(COMMIT)) {
        this.#patience.waitsFor(busy[0] ?? 0)
        await setTimeout(PAUSE)
      }
      this.#patience.over()
      return open()
    })
  }

  /** Runs a closing: nobody opens meanwhile. */
  closing<T>(close: () => Promise<T>): Promise<T> {
    return holding(this.#claims, GATE, { patience: this.#patience, pause: PAUSE }, close)
  }

  /** Marks a commit; where the gate is shut, takes the mark back and gives the id of who shut it. */
  #enter(claims: Claims): number | undefined {
    try {
      if (this.#commits === 0) claims.mark(COMMIT)
    } catch (error) {
      throw writeProblem(claims.folder, error)
    }
    this.#commits++
    const holder = claims.holderOf(GATE)
    if (holder === undefined) this.#patience.over()
    else this.#leave(claims)
    return holder
  }

  #leave(claims: Claims): void {
    if (--this.#commits === 0) claims.unmark(COMMIT)
  }
}
