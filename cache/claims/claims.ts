import { linkSync, lstatSync, lutimesSync, readdirSync, readlinkSync, symlinkSync, unlinkSync } from 'node:fs'
import { defined } from '../values/defined.ts'
import { join } from 'node:path'
import { makeFolder } from '../files/folders.ts'
import {
  formatIdentity,
  identifyProcess,
  parseIdentity,
  standingOf,
  type ProcessIdentity,
  isStopped,
} from '../processes/process-identity.ts'
import { errorCode } from '../problems/system-problem.ts'
import { contradictingClaims } from '../store-problems.ts'
import type { StoreEvent } from '../store.ts'

const PRESENCE = 'here.'
/** What a process says of itself beside its claims; each as long as the one above. */
const USE = 'open.'
export const COMMIT = 'puts.'
type Mark = typeof USE | typeof COMMIT
const SUCCESSOR = '~'
/** How often a process shows that it lives to those that can't see it (other containers), milliseconds. */
const HEARTBEAT = 2000
/** After this long without a sign of life such a process counts as gone, milliseconds. */
export const SILENCE = 60_000
/** The same where the last one seems to be long past, or to come, which may be a clock that was set: several heartbeats. */
export const SHORT_LOOK = 3 * HEARTBEAT

/** More tries than any crowd of live processes needs: links that contradict each other must not keep one busy for ever. */
const TRIES = 1000

/** A process in another container, on another machine, or of an earlier boot of this one. */
interface Stranger {
  readonly text: string
  readonly pid: number
  readonly isOfThisBoot: boolean
  /** In another container, and of this process's own number. */
  readonly isNamesake: boolean
  /** When it last gave a sign of life, by its own clock. */
  readonly beat: number
}

/** Of processes out of sight: the last sign of life, and since when there was no other by a clock that nobody sets. */
const silent = new Map<string, { readonly beat: number; readonly since: number }>()

/** What a try to take a name gave: a way to give it back, or the id of the process that has it. */
export type Taking = { readonly release: () => void } | { readonly heldBy: number }

/**
 * Exclusive rights to names, across processes, as symbolic links in a folder: a link comes into being in one
 * step, its text (who holds it) included, costs 5 µs and needs no lock file that a crash could leave locked.
 *
 * A link is never replaced. Who finds that a holder D is gone adds the link `name~D`, which only one can do,
 * and then holds the name. The holder is the end of that chain. Whoever lets go removes `name` first: since no
 * process is ever D again, whatever is left of the chain then means nothing.
 */
export class Claims {
  readonly folder: string
  readonly #self: ProcessIdentity
  readonly #text: string
  /** What gives each name back that this party holds. */
  readonly #held = new Map<string, () => void>()
  readonly #heartbeat: NodeJS.Timeout
  /** Where this process announced itself. */
  readonly #presence: string
  #sharesLink = true

  /** Makes the folder and announces this process in it. @throws the system's error where it can't. */
  constructor(folder: string) {
    this.folder = folder
    this.#self = identifyProcess()
    this.#text = formatIdentity(this.#self)
    const presence = join(folder, PRESENCE + this.#text)
    this.#presence = presence
    this.#announce()
    this.#heartbeat = setInterval(() => {
      const now = Date.now() / 1000
      // Without the heartbeat the claims still hold for all who can see this process: no reason to stop.
      try {
        lutimesSync(presence, now, now)
      } catch {
        clearInterval(this.#heartbeat)
      }
    }, HEARTBEAT)
    this.#heartbeat.unref()
  }

  /** Who leaves last may remove the folder. */
  #announce(): void {
    for (let tries = 1; ; tries++) {
      makeFolder(this.folder)
      try {
        return symlinkSync(this.#text, this.#presence)
      } catch (error) {
        if (errorCode(error) !== 'ENOENT' || tries === TRIES) throw error
      }
    }
  }

  /** How other parties name this process. */
  get self(): string {
    return this.#text
  }

  /** Takes `name` (letters, digits, dashes), or says who holds it. */
  take(name: string): Taking {
    for (let tries = 0; tries < TRIES; tries++) {
      if (this.#link(name)) return this.#holding(name, [])
      const { chain, closed } = this.#chain(name)
      // Each took the others for gone. Those that are not, hold it; if none is left, nobody does.
      const holder = closed ? chain.findLast((text) => !this.isGone(text)) : chain.at(-1)
      if (holder === undefined) {
        for (const text of chain) this.#unlink(name + SUCCESSOR + text)
        if (closed) this.#unlink(name)
        continue
      }
      // It could not be removed when it was given back.
      if (holder === this.#text && !this.#held.has(name)) return this.#holding(name, chain.slice(0, -1))
      if (!this.isGone(holder)) return { heldBy: parseIdentity(holder)?.pid ?? 0 }
      const link = name + SUCCESSOR + holder
      if (!this.#link(link)) continue
      // The chain read above may have been let go and started anew meanwhile.
      const { chain: now } = this.#chain(name)
      if (now.length === chain.length + 1 && now.at(-1) === this.#text) return this.#holding(name, chain)
      this.#unlink(link)
    }
    throw contradictingClaims(this.folder)
  }

  /**
   * Whether the process named by `text` has ended for certain: not if it may only be paused out of sight, unless it was
   * ousted.
   */
  hasEnded(text: string): boolean {
    const other = parseIdentity(text)
    if (other === undefined || standingOf(other, this.#self) === 'gone') return true
    return this.#beat(text) === undefined
  }

  /**
   * True when others took this process for gone and swept what it had: it gave no sign of life for long, and what it
   * holds may be another's by now.
   */
  isOusted(): boolean {
    return this.#beat(this.#text) === undefined
  }

  /** Those out of sight that work with what the folder's claims are for, as far as can be told. */
  strangers(): Stranger[] {
    return this.#marked(USE).flatMap((text) => {
      const other = parseIdentity(text)
      const beat = this.#beat(text)
      if (other === undefined || beat === undefined || standingOf(other, this.#self) !== 'unknown') return []
      const { boot, namespace, pid } = this.#self
      const isOfThisBoot = other.boot === boot
      const isNamesake = isOfThisBoot && other.pid === pid && other.namespace !== namespace
      return [{ text, pid: other.pid, isOfThisBoot, isNamesake, beat }]
    })
  }

  /** Takes a process for gone. Should it live after all, it finds out before it writes: `isOusted`. */
  oust(text: string): void {
    for (const mark of [COMMIT, USE, PRESENCE]) this.#unlink(mark + text)
  }

  /** Whether the process named by `text` has ended, as far as can be told: of one out of sight not at the first look. */
  isGone(text: string): boolean {
    const other = parseIdentity(text)
    if (other === undefined) return true
    const standing = standingOf(other, this.#self)
    if (standing !== 'unknown') return standing === 'gone'
    const beat = this.#beat(text)
    if (beat === undefined) return true
    const now = performance.now()
    const known = silent.get(text)
    const { since } = known?.beat === beat ? known : { since: now }
    silent.set(text, { beat, since })
    return now - since >= (Math.abs(Date.now() - beat) > SILENCE ? SHORT_LOOK : SILENCE)
  }

  /** Id of the live process that holds `name`; undefined where none does. */
  holderOf(name: string): number | undefined {
    if (lstatSync(join(this.folder, name), { throwIfNoEntry: false }) === undefined) return undefined
    const holder = this.#chain(name).chain.findLast((text) => !this.isGone(text))
    return holder === undefined ? undefined : (parseIdentity(holder)?.pid ?? 0)
  }

  /** Tells others that this process works with what the folder's claims are for, or commits to it. */
  mark(mark: Mark = USE): void {
    this.#link(mark + this.#text)
  }

  unmark(mark: Mark): void {
    this.#unlink(mark + this.#text)
  }

  /** Ids of the other live processes (or other stores of this one) that have it in use, or commit to it. */
  others(mark: Mark = USE): number[] {
    return this.#marked(mark)
      .filter((text) => !this.isGone(text))
      .map((text) => parseIdentity(text)?.pid ?? 0)
  }

  /** Who else left the mark. */
  #marked(mark: Mark): string[] {
    return this.#names()
      .filter((name) => name.startsWith(mark))
      .map((name) => name.slice(mark.length))
      .filter((text) => text !== this.#text)
  }

  /** Epoch milliseconds of a process's last sign of life; undefined where it announced itself no more. */
  #beat(text: string): number | undefined {
    return lstatSync(join(this.folder, PRESENCE + text), { throwIfNoEntry: false })?.mtimeMs
  }

  /** Removes what dead processes left. */
  sweep(): void {
    for (const name of this.#names()) {
      if ([PRESENCE, USE, COMMIT].some((mark) => name.startsWith(mark))) {
        if (this.isGone(name.slice(PRESENCE.length))) this.#unlink(name)
        continue
      }
      const cut = name.indexOf(SUCCESSOR)
      if (cut < 0) {
        const holder = this.#chain(name).chain.at(-1)
        if (holder === undefined || !this.isGone(holder)) continue
        const taking = this.take(name)
        if ('release' in taking) taking.release()
      } else if (!this.#chain(name.slice(0, cut)).chain.includes(name.slice(cut + 1))) this.#unlink(name)
    }
  }

  /** Gives everything back. */
  close(): void {
    clearInterval(this.#heartbeat)
    for (const release of this.#held.values()) release()
    for (const mark of [COMMIT, USE, PRESENCE]) this.#unlink(mark + this.#text)
  }

  #holding(name: string, predecessors: readonly string[]): Taking {
    const release = (): void => {
      if (this.#held.get(name) !== release) return
      this.#held.delete(name)
      // Who was taken for gone has nothing to give back: the name is another's.
      if (this.#chain(name).chain.at(-1) !== this.#text) return
      this.#unlink(name)
      for (const text of predecessors) this.#unlink(name + SUCCESSOR + text)
    }
    this.#held.set(name, release)
    return { release }
  }

  /** Holders of a name, each the successor of the one before; `closed` where the last one's is one of them. */
  #chain(name: string): { readonly chain: readonly string[]; readonly closed: boolean } {
    const chain: string[] = []
    for (let text = this.#read(name); text !== undefined; text = this.#successor(text, name)) {
      if (chain.includes(text)) return { chain, closed: true }
      chain.push(text)
    }
    return { chain, closed: false }
  }

  /** Links alone: what file managers leave is nobody's claim. */
  #names(): string[] {
    return readdirSync(this.folder, { withFileTypes: true })
      .flatMap((entry) => (entry.isSymbolicLink() ? entry.name : []))
      .sort()
  }

  /** Nearly always there is none, and an error costs ten times as much as a look. */
  #successor(text: string, name: string): string | undefined {
    const link = name + SUCCESSOR + text
    const there = lstatSync(join(this.folder, link), { throwIfNoEntry: false })
    return there === undefined ? undefined : this.#read(link)
  }

  #read(name: string): string | undefined {
    try {
      return readlinkSync(join(this.folder, name))
    } catch (error) {
      if (errorCode(error) === 'ENOENT') return undefined
      // It is no link.
      throw errorCode(error) === 'EINVAL' ? contradictingClaims(this.folder) : error
    }
  }

  #link(name: string): boolean {
    try {
      this.#linkSelf(join(this.folder, name))
      return true
    } catch (error) {
      if (errorCode(error) === 'EEXIST') return false
      throw error
    }
  }

  /** One more name of this process's announcement: a link of its own would need a new inode each time. */
  #linkSelf(path: string): void {
    if (this.#sharesLink)
      try {
        return linkSync(this.#presence, path)
      } catch (error) {
        if (errorCode(error) === 'EEXIST') throw error
        // Swept, no hard links here, or a system that follows the link.
        this.#sharesLink = false
      }
    symlinkSync(this.#text, path)
  }

  #unlink(name: string): void {
    try {
      unlinkSync(join(this.folder, name))
    } catch (error) {
      if (errorCode(error) !== 'ENOENT') throw error
    }
  }
}

/** Milliseconds of waiting for another process before it is named. */
const TELL_AFTER = 5000

/** Names those that this process waits for, each once, when it has waited for long. */
export class Patience {
  readonly #tellAfter: number
  readonly #onEvent: (event: StoreEvent) => void
  readonly #since = new Map<string, number>()
  readonly #told = new Set<number>()

  constructor(onEvent: (event: StoreEvent) => void, tellAfter: number = TELL_AFTER) {
    this.#onEvent = onEvent
    this.#tellAfter = tellAfter
  }

  /** `what` is held by the process `holder`; absent: the right to open the store, or to write to it. */
  waitsFor(holder: number, what?: string): void {
    const now = performance.now()
    const since = this.#since.get(what ?? '') ?? now
    this.#since.set(what ?? '', since)
    if (now - since < this.#tellAfter || this.#told.has(holder)) return
    this.#told.add(holder)
    const stopped = isStopped(holder)
    this.#onEvent(defined({ type: 'store-waiting', holder, stopped, digest: what }))
  }

  /** It was given free. */
  over(what = ''): void {
    this.#since.delete(what)
  }
}
