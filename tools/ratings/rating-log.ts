import { parsedJson } from '../../cache/values/json.ts'
import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  statSync,
  truncateSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { readFileSync } from '../../cache/files/read.ts'
import { makeSyncedFolder, syncFolder } from '../../cache/files/folders.ts'
import { ProblemError, safeText } from '../../cache/problems/problem.ts'
import type { Claim } from '../../cache/store.ts'
import { digestJson } from '../../cache/values/digest.ts'
import { named, rewriteFile } from '../../cache/files/write.ts'
import {
  chained,
  chainFault,
  RATING_EVENT,
  type NewEvent,
  type RatingEvent,
} from '../../targets/ratings/event.ts'
import type { Session } from '../session/session.ts'

/** A rater's events as they lie in a file, one a line. */
interface ReadLog {
  readonly events: readonly RatingEvent[]
  /** Bytes of whole lines. */
  readonly size: number
  /** The last line is half: its writer was killed before anybody was told that it was kept. */
  readonly isTorn: boolean
}

/** Where a log ended. */
export interface LastEvent {
  readonly id: string
  readonly events: number
}

/** @throws ProblemError `ratings/damaged-log` with the line that is not as it was written */
export const readLog = (file: string): ReadLog => {
  if (!existsSync(file)) return { events: [], size: 0, isTorn: false }
  const bytes = readFileSync(file)
  const size = bytes.lastIndexOf(0x0a) + 1
  const lines = bytes.subarray(0, size).toString('utf8').split('\n').slice(0, -1)
  const events: RatingEvent[] = []
  for (const [index, line] of lines.entries()) {
    const event = RATING_EVENT.safeParse(parsedJson(line)).data
    const fault =
      event === undefined ? 'it is no event of a rating' : chainFault(event, events.at(-1)?.id ?? null)
    if (event === undefined || fault !== undefined) throw damaged(file, index + 1, fault ?? '')
    events.push(event)
  }
  return { events, size, isTorn: size < bytes.length }
}

const damaged = (file: string, line: number, fault: string): ProblemError =>
  new ProblemError({
    code: 'ratings/damaged-log',
    message: `line ${line} of the ratings is not as it was written: ${fault}`,
    where: { file, line },
    remedy:
      'Put the file back from a copy, such as that of git. Ratings are changed in the desk, never by hand.',
  })

const sizeOf = (file: string): number | undefined => statSync(file, { throwIfNoEntry: false })?.size

const moved = (file: string): ProblemError =>
  new ProblemError({
    code: 'ratings/log-moved',
    message: 'the ratings file was changed by something else while the desk was open',
    where: { file },
    remedy: 'Start `medmake rate serve` again: it goes on from what the file holds now.',
    safe: safeText`the ratings file was changed by something else; start the desk again`,
  })

/** One process at a time writes a rater's ratings. @throws ProblemError `ratings/desk-open` */
export const claimRater = async (
  { store }: Pick<Session, 'store'>,
  study: string,
  rater: string,
): Promise<Claim> => {
  const claim = await store.claim(digestJson(['ratings of', study, rater]))
  if (claim !== undefined) return claim
  throw new ProblemError({
    code: 'ratings/desk-open',
    message: `the ratings of ${rater} are open in another process`,
    where: { field: '--rater' },
    remedy: 'End the other `medmake rate serve` first, or serve other raters with --rater.',
  })
}

/** Adds to a rater's log. One process at a time has it. */
export class RatingLog {
  readonly #file: string
  /** Told each time of the last event that is on disk. */
  readonly #onKept: (last: LastEvent) => void
  readonly #events: RatingEvent[]
  /** Bytes of whole lines. */
  #size: number
  /** Bytes that the file has; undefined while there is none. */
  #onDisk: number | undefined

  /** @throws ProblemError `ratings/damaged-log` */
  constructor(file: string, onKept: (last: LastEvent) => void = () => undefined) {
    const { events, size } = readLog(file)
    this.#file = file
    this.#onKept = onKept
    this.#events = [...events]
    this.#size = size
    this.#onDisk = sizeOf(file)
  }

  get events(): readonly RatingEvent[] {
    return this.#events
  }

  /** What an event would be called if it were added now, or behind another one that is to be added. */
  next(event: NewEvent, before = this.#events.at(-1)): RatingEvent {
    return chained(event, before?.id ?? null)
  }

  /**
   * Durable when it returns. After an error nothing of it is kept.
   * @throws ProblemError `ratings/log-moved` where somebody else wrote the file meanwhile, or what the disk says
   */
  append(events: readonly RatingEvent[]): void {
    if (events.length === 0) return
    this.#requireOwn()
    makeSyncedFolder(dirname(this.#file))
    const bytes = Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(''))
    const handle = openSync(this.#file, this.#onDisk === undefined ? 'wx' : 'r+')
    try {
      this.#write(handle, bytes)
      if (this.#size === 0) syncFolder(dirname(this.#file))
    } catch (error) {
      this.#takeBack()
      throw named(error, this.#file)
    }
    this.#size += bytes.length
    this.#onDisk = this.#size
    this.#events.push(...events)
    this.#tell()
  }

  #tell(): void {
    const { length } = this.#events
    this.#onKept({ id: this.#events[length - 1]?.id ?? '', events: length })
  }

  #requireOwn(): void {
    if (sizeOf(this.#file) !== this.#onDisk) throw moved(this.#file)
  }

  #write(handle: number, bytes: Buffer): void {
    try {
      // Half a line of a killed writer goes.
      ftruncateSync(handle, this.#size)
      for (let at = 0; at < bytes.length;)
        at += writeSync(handle, bytes, at, bytes.length - at, this.#size + at)
      fsyncSync(handle)
    } finally {
      closeSync(handle)
    }
  }

  /** Of what was not kept for certain nothing may be found later. */
  #takeBack(): void {
    try {
      truncateSync(this.#file, this.#size)
    } catch {
      // The next rating's writing cuts it off.
    }
    this.#onDisk = sizeOf(this.#file)
  }

  /**
   * Adds withdrawals of events, and deletes their contents: all of it or, after an error or a kill, nothing.
   * @throws as `append` does
   */
  withdraw(events: readonly RatingEvent[], at: string): void {
    this.#requireOwn()
    const gone = new Set(events.map(({ id }) => id))
    const kept = this.#events.map((event) => (gone.has(event.id) ? { ...event, content: null } : event))
    for (const { study, rater, id } of events)
      kept.push(this.next({ study, rater, kind: 'withdrawn', at, withdraws: id, content: null }, kept.at(-1)))
    const text = kept.map((event) => `${JSON.stringify(event)}\n`).join('')
    rewriteFile(this.#file, text)
    this.#events.splice(0, this.#events.length, ...kept)
    this.#size = Buffer.byteLength(text)
    this.#onDisk = this.#size
    this.#tell()
  }
}
