import { rmdirSync } from 'node:fs'
import { join } from 'node:path'
import { readFileSync } from '../../cache/files/read.ts'
import { makeFolder } from '../../cache/files/folders.ts'
import { replaceFile } from '../../cache/files/write.ts'
import { Claims, type Taking } from '../../cache/claims/claims.ts'
import { digestOf } from '../../cache/values/digest.ts'
import { ProblemError, reasonOf } from '../../cache/problems/problem.ts'
import { errorCode, machineProblem } from '../../cache/problems/system-problem.ts'
import { isStopped } from '../../cache/processes/process-identity.ts'
import { fullDisk } from '../../cache/store-problems.ts'
import { movedOn, unshared, type Sharing } from './limiter.ts'

/** A mistake of the code. */
const isOurs = (error: unknown): boolean => errorCode(error) === undefined && !(error instanceof ProblemError)

/** What the system refuses here (too many open files, a disk that went away) is no reason to end what is computed. */
const ifItMay = (work: () => void): void => {
  try {
    work()
  } catch (error) {
    if (isOurs(error)) throw error
  }
}

/** A slot that can't be given back goes with this process. */
const letGo = (held?: readonly [number, Slot]): void => ifItMay(() => held?.[1].release())

type Slot = Extract<Taking, { readonly release: () => void }>

/** Milliseconds: between looks at who else is there; without a call until the slots are given up. */
const LOOK = 200
const IDLE = 500
/** What was learned longer ago says little. */
const FORGET = 3_600_000
/** Milliseconds until a process tries again for slots that others hold. */
const YIELD = 20
const LEARNED = 'learned.json'
const NEXT = 'next'

/**
 * Slots are links in a folder per deployment: whoever made one has it until it goes or ends, and a dead process's is
 * taken over. A process keeps its slots while it is busy, at most its even part of them while others are there.
 * @param identity what tells the deployment from others of this machine; no secret
 * @param onAlone is told where the folder can't be used, and the limits hold for this process alone; else that is an error
 */
export const shareOnMachine = (folder: string, identity: string, slots: number, onAlone?: OnAlone): Sharing =>
  new MachineSharing(join(folder, digestOf<'text'>(identity).slice(0, 32)), slots, onAlone)

export type OnAlone = (problem: ProblemError) => void

class MachineSharing implements Sharing {
  // Times of this process by its own clock, which the machine's can neither set back nor start before 1970.
  readonly #folder: string
  readonly #slots: number
  readonly #onAlone: OnAlone | undefined
  #isAlone = false
  readonly #alone = unshared()
  /** What calls took beyond what was reserved, and is not told yet. */
  #owed = 0
  /** This process's own part of the time of all: when its next call may start there. */
  #grant = { next: 0, until: 0, begun: 0 }
  /** Calls to take time for at once: what is not used others lack. */
  #calls = 1
  #claims: Claims | undefined
  #members = 1
  #lookedAt = -Infinity
  readonly #free: (readonly [number, Slot])[] = []
  readonly #used: (readonly [number, Slot])[] = []
  #triedAt = -Infinity
  #usedAt = -Infinity
  #timer: NodeJS.Timeout | undefined
  #heard = -Infinity
  #news: { wait: number; rate?: number } = { wait: -Infinity }

  constructor(folder: string, slots: number, onAlone: OnAlone | undefined) {
    this.#folder = folder
    this.#slots = slots
    this.#onAlone = onAlone
  }

  take(): boolean {
    const claims = this.#enter()
    if (claims === undefined) return true
    this.#look()
    if (this.#used.length >= this.#quota()) return false
    const slot = this.#free.pop() ?? this.#claimSlot(claims)
    if (slot === undefined) return false
    this.#used.push(slot)
    this.#usedAt = performance.now()
    return true
  }

  give(): void {
    const slot = this.#used.pop()
    if (slot === undefined) return
    this.#usedAt = performance.now()
    const held = this.#used.length + this.#free.length + 1
    if (held <= this.#quota() && this.#members <= this.#slots) return void this.#free.push(slot)
    letGo(slot)
    // There are fewer slots than processes: another one's turn.
    if (this.#members > this.#slots) this.#triedAt = performance.now() + YIELD * Math.random()
  }

  reserve(cost: number): number {
    const now = uptime()
    if (now < this.#grant.until) {
      if (now < this.#grant.next) {
        this.#calls = this.#grant.begun + 1
        return this.#grant.next - now
      }
      // Who comes late doesn't make up for it: the next part begins when this one ends.
      const next = movedOn(this.#grant.next, now, cost)
      if (next <= this.#grant.until) {
        this.#grant.next = next
        this.#grant.begun += 1
        return 0
      }
    }
    try {
      const claims = this.#enter()
      // What is little is taken for many calls at once: the folder may lie on a server.
      if (claims !== undefined)
        return this.#takeTime(claims, cost, cost * Math.min(this.#calls, Math.ceil(LOOK / cost)))
    } catch (error) {
      if (isOurs(error)) throw error
    }
    return this.#alone.reserve(cost)
  }

  owe(cost: number): void {
    // What comes back of its own part is used before that ends.
    if (cost < 0 && uptime() < this.#grant.until) this.#grant.next += cost
    else this.#owed += cost
    if (this.#isAlone) this.#alone.owe(cost)
  }

  #takeTime(claims: Claims, cost: number, block: number): number {
    const taking = claims.take(NEXT)
    const held = 'heldBy' in taking
    // One that is stopped may be so for days.
    if (held && !isStopped(taking.heldBy)) return YIELD
    try {
      const file = join(this.#folder, `${NEXT}.json`)
      const boot = claims.self.split('_')[0]
      const now = uptime()
      const next = movedOn(readNext(file, boot, now, block), now, this.#owed)
      const wait = Math.max(0, next - now)
      const moved = wait > 0 ? next : movedOn(next, now, block)
      if (wait === 0 || this.#owed !== 0) replaceFile(file, JSON.stringify([boot, moved]), { lasting: false })
      this.#owed = 0
      if (wait === 0) {
        this.#grant = { next: moved - block + cost, until: moved, begun: 1 }
        this.#calls = 1
      }
      return wait
    } finally {
      if (!held) taking.release()
    }
  }

  members(): number {
    return this.#members
  }

  news(): { wait: number; rate?: number } {
    const { wait, rate } = this.#news
    this.#news = { wait: -Infinity }
    return { wait: Math.max(0, wait - Date.now()), ...(rate === undefined ? {} : { rate }) }
  }

  tell({ wait, rate }: { readonly wait: number; readonly rate: number }): void {
    if (this.#enter() === undefined) return
    const at = Date.now()
    this.#heard = at
    const learned = JSON.stringify({ at, until: at + wait, rate })
    // Who can't be told learns it from the server.
    ifItMay(() => replaceFile(join(this.#folder, LEARNED), learned, { lasting: false }))
  }

  close(): void {
    clearInterval(this.#timer)
    this.#timer = undefined
    for (const slot of [...this.#free.splice(0), ...this.#used.splice(0)]) letGo(slot)
    const claims = this.#claims
    this.#claims = undefined
    ifItMay(() => {
      if (claims !== undefined && this.#owed !== 0) this.#takeTime(claims, 0, 0)
      claims?.close()
      // Where nothing was learned and nobody else is, nothing stays.
      rmdirSync(this.#folder)
    })
  }

  /** Makes this process one of those that share; undefined where none can. */
  #enter(): Claims | undefined {
    // Who logs out may take the folder along.
    if (this.#claims?.isOusted()) this.close()
    if (this.#claims !== undefined || this.#isAlone) return this.#claims
    try {
      makeFolder(this.#folder, 0o700)
      this.#claims = new Claims(this.#folder)
      this.#claims.mark()
    } catch (error) {
      const problem = new ProblemError({
        code: 'models/limits-folder',
        message: `${this.#folder} can't be used to share limits between processes: ${reasonOf(error)}`,
        remedy: 'Set MEDMAKE_LIMITS to a folder on this machine that you may write to.',
      })
      const passing = machineProblem(error)
      if (passing !== undefined || this.#onAlone === undefined) throw passing ?? fullDisk(error) ?? problem
      this.#isAlone = true
      this.#onAlone(problem)
      return undefined
    }
    this.#lookedAt = -Infinity
    this.#usedAt = performance.now()
    this.#timer = setInterval(() => this.#tidy(), LOOK)
    this.#timer.unref()
    return this.#claims
  }

  /** Gives up what is not used, for others to take. */
  #tidy(): void {
    if (this.#used.length === 0 && performance.now() - this.#usedAt > IDLE) return this.close()
    this.#look()
    while (this.#free.length > 0 && this.#used.length + this.#free.length > this.#quota())
      letGo(this.#free.pop())
  }

  #look(): void {
    if (performance.now() - this.#lookedAt < LOOK) return
    this.#lookedAt = performance.now()
    ifItMay(() => this.#lookAround())
  }

  #lookAround(): void {
    this.#members = 1 + (this.#claims?.others().length ?? 0)
    const learned = readLearned(join(this.#folder, LEARNED))
    if (learned === undefined || learned.at <= this.#heard || Math.abs(Date.now() - learned.at) > FORGET)
      return
    this.#heard = learned.at
    this.#news = { wait: learned.until, rate: learned.rate }
  }

  #quota(): number {
    return Math.max(1, Math.floor(this.#slots / this.#members))
  }

  #claimSlot(claims: Claims): readonly [number, Slot] | undefined {
    if (performance.now() < this.#triedAt) return undefined
    const own = new Set([...this.#used, ...this.#free].map(([slot]) => slot))
    for (let slot = 0; slot < this.#slots; slot += 1) {
      if (own.has(slot)) continue
      const taking = claims.take(`slot-${slot}`)
      if ('release' in taking) return [slot, taking]
    }
    this.#triedAt = performance.now() + YIELD
    return undefined
  }
}

/** Milliseconds by the clock that all processes of a machine have alike since its start, and nobody sets. */
const uptime = (): number => Number(process.hrtime.bigint()) / 1e6

const readNext = (file: string, boot: string | undefined, now: number, block: number): number => {
  try {
    const [of, next] = JSON.parse(readFileSync(file, 'utf8')) as unknown[]
    return of === boot && typeof next === 'number' && next < now + FORGET + block ? next : now
  } catch {
    // Nobody has called yet.
    return now
  }
}

const readLearned = (
  file: string,
): { readonly at: number; readonly until: number; readonly rate: number } | undefined => {
  try {
    const value = JSON.parse(readFileSync(file, 'utf8')) as Record<string, unknown>
    const { at, until, rate } = value
    return typeof at === 'number' && typeof until === 'number' && typeof rate === 'number' && rate > 0
      ? { at, until, rate }
      : undefined
  } catch {
    // None was learned, or it is being written anew.
    return undefined
  }
}
