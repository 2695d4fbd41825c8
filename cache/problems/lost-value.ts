import { ProblemError } from './problem.ts'
import type { StoreTable } from '../store.ts'

/** A value that another one names and the store no longer has: removed, or damaged. */
export interface LostValue {
  readonly table: StoreTable
  readonly id: string
  /** Names it without quoting a text. */
  readonly what: string
  /** Id in `traces` of the finished build that stands on it; absent where none does. */
  readonly trace?: string
}

/**
 * A lost value. Whoever can make it again does: for a stage it is one that is missing, a build that stands on it is
 * dropped and made again. Only where neither is possible does a user see it.
 */
export class LostValueError extends ProblemError {
  readonly lost: LostValue

  constructor(lost: LostValue) {
    super({
      code: 'cache/lost-value',
      message: `the store no longer has ${lost.what}`,
      remedy:
        'Run `medmake run`: what is missing is made again, all else stays. `medmake cache verify` lists what else is damaged.',
    })
    this.name = 'LostValueError'
    this.lost = lost
  }
}
