import { appendFileSync, readdirSync, realpathSync, rmdirSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { Claims } from '../claims/claims.ts'
import { makeFolder } from '../files/folders.ts'
import { errorCode } from '../problems/system-problem.ts'
import type { Claim } from '../store.ts'
import { digestOf } from '../values/digest.ts'
import { tierIdentity, type Tier } from './tier.ts'

/** What the system refuses here is no reason to end what is computed: those who can't tell are as on two machines. */
const ifItMay = <T>(work: () => T): T | undefined => {
  try {
    return work()
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    return undefined
  }
}

/**
 * Processes of one machine and user that work with one tier. Each may have a store of its own, whose claims the others
 * don't see: here they claim what they pay for, and say to those who read the tier that there is more in it.
 */
export class Neighbours {
  readonly #folder: string
  readonly #claims: Claims | undefined

  /** @param folder of this machine's */
  constructor(folder: string, tier: Tier) {
    const name = ifItMay(() => realpathSync(tier.place)) ?? tierIdentity(tier)
    this.#folder = join(folder, digestOf<'text'>(name).slice(0, 32))
    this.#claims = ifItMay(() => {
      makeFolder(this.#folder, 0o700)
      return new Claims(join(this.#folder, 'claims'))
    })
  }

  /**
   * The claim, or the id of the process that has it.
   * @param group of which what is paid for is of no use to others of it
   */
  take(name: string, group: string): Claim | { readonly heldBy: number } {
    const taking = ifItMay(() => this.#claims?.take(name))
    if (taking !== undefined && 'heldBy' in taking) return taking
    return {
      release: async () => {
        // Said before others may have it. One that is killed in between was in flight.
        ifItMay(() => appendFileSync(this.#paid(group), '.'))
        ifItMay(() => taking?.release())
      },
    }
  }

  /** Another text than before where another group paid for something since. */
  news(group: string): string {
    const files = ifItMay(() => readdirSync(this.#folder)) ?? []
    const told = files.flatMap((file) => {
      const path = join(this.#folder, file)
      if (!file.startsWith('paid-') || path === this.#paid(group)) return []
      const { ino, size } = statSync(path, { throwIfNoEntry: false }) ?? {}
      return [`${file} ${ino} ${size}`]
    })
    return told.join('\n')
  }

  /** Who leaves last leaves nothing. */
  close(): void {
    ifItMay(() => {
      this.#claims?.sweep()
      this.#claims?.close()
      rmdirSync(join(this.#folder, 'claims'))
      for (const file of readdirSync(this.#folder)) unlinkSync(join(this.#folder, file))
      rmdirSync(this.#folder)
    })
  }

  #paid(group: string): string {
    return join(this.#folder, `paid-${group}`)
  }
}
