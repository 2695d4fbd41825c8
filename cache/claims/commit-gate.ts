import { setTimeout } from 'node:timers/promises'
import { writeProblem } from '../store-problems.ts'
import { COMMIT, type Claims } from './claims.ts'
import { holding } from './holding.ts'
import type { Patience } from './patience.ts'

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
