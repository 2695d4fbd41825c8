import type { Claims, Taking } from './claims.ts'

/** The name that stands for all names. */
const ALL = 'all'
/** Milliseconds between two looks at who else is there. */
const LOOK = 20

interface Hold {
  /** Gives back the link, where there is one. */
  link: (() => void) | undefined
}

/**
 * Claims of names, without the file system where one process has the folder in use: it holds the right to all names,
 * and keeps those that it takes in memory. As soon as another one marks its use, the names are put down as links, and
 * the right to all is given up. Until then every name counts as held by the one that has it.
 *
 * Both sides write before they read: the one takes the right and then looks who is there, the other marks its use and
 * then looks who has the right. So never do both go on. To be used by those that marked their use only.
 */
export class SoleClaims {
  readonly #claims: Claims
  readonly #held = new Map<string, Hold>()
  #all: (() => void) | undefined
  /** True once nobody else had the right to all since this one marked its use: nobody can get it any more. */
  #mayLink = false
  #lookedAt = -Infinity
  #timer: NodeJS.Timeout | undefined

  constructor(claims: Claims) {
    this.#claims = claims
  }

  /** Takes a name, or says who holds it. */
  take(name: string): Taking {
    if (this.#all === undefined) {
      const holder = this.#tryAll()
      if (holder !== undefined) return { heldBy: holder }
    }
    if (this.#held.has(name)) return { heldBy: process.pid }
    const link = this.#all === undefined ? this.#claims.take(name) : undefined
    if (link !== undefined && 'heldBy' in link) return link
    const hold: Hold = { link: link?.release }
    this.#held.set(name, hold)
    return { release: () => this.#release(name, hold) }
  }

  /** Gives everything back. */
  close(): void {
    for (const [name, hold] of this.#held) this.#release(name, hold)
    this.#leave()
  }

  #release(name: string, hold: Hold): void {
    if (this.#held.get(name) !== hold) return
    this.#held.delete(name)
    hold.link?.()
  }

  /** Takes the right to all names where nobody else is there; gives the process that has it. */
  #tryAll(): number | undefined {
    if (this.#mayLink && performance.now() - this.#lookedAt < LOOK) return undefined
    this.#lookedAt = performance.now()
    if (this.#mayLink && this.#claims.others().length > 0) return undefined
    const taking = this.#claims.take(ALL)
    if ('heldBy' in taking) return taking.heldBy
    this.#mayLink = true
    if (this.#claims.others().length > 0) {
      taking.release()
      return undefined
    }
    this.#all = taking.release
    this.#timer = setInterval(() => this.#look(), LOOK)
    this.#timer.unref()
    return undefined
  }

  /** Makes room for others; who holds nothing lets go at once, since it may be busy with something else for long. */
  #look(): void {
    try {
      if (this.#held.size > 0 && this.#claims.others().length === 0) return
      for (const [name, hold] of this.#held) {
        const taking = hold.link === undefined ? this.#claims.take(name) : undefined
        if (taking !== undefined && 'release' in taking) hold.link = taking.release
      }
    } catch {
      // No link can be written, on a full disk say: the others wait until one can.
      return
    }
    this.#leave()
  }

  #leave(): void {
    clearInterval(this.#timer)
    const all = this.#all
    this.#all = undefined
    all?.()
  }
}
