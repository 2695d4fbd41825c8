import {
  closeSync,
  existsSync,
  fsyncSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  writeSync,
} from 'node:fs'
import { dirname } from 'node:path'
import { syncFolder } from '../../cache/log/segment-writer.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { replaceFile } from '../../cache/vault/write-once.ts'
import {
  chained,
  chainFault,
  RATING_EVENT,
  type NewEvent,
  type RatingEvent,
} from '../../targets/ratings/event.ts'

/** A rater's events as they lie in a file, one a line. */
export interface ReadLog {
  readonly events: readonly RatingEvent[]
  /** Bytes of whole lines. */
  readonly size: number
  /** The last line is half: its writer was killed before anybody was told that it was kept. */
  readonly isTorn: boolean
}

/** @throws ProblemError `ratings/damaged-log` with the line that is not as it was written */
export const readLog = (file: string): ReadLog => {
  if (!existsSync(file)) return { events: [], size: 0, isTorn: false }
  const bytes = readFileSync(file)
  const size = bytes.lastIndexOf(0x0a) + 1
  const lines = bytes.subarray(0, size).toString('utf8').split('\n').slice(0, -1)
  const events: RatingEvent[] = []
  for (const [index, line] of lines.entries()) {
    const event = eventOf(line)
    const fault =
      event === undefined ? 'it is no event of a rating' : chainFault(event, events.at(-1)?.id ?? null)
    if (event === undefined || fault !== undefined) throw damaged(file, index + 1, fault ?? '')
    events.push(event)
  }
  return { events, size, isTorn: size < bytes.length }
}

const eventOf = (line: string): RatingEvent | undefined => {
  try {
    return RATING_EVENT.safeParse(JSON.parse(line)).data
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const damaged = (file: string, line: number, fault: string): ProblemError =>
  new ProblemError({
    code: 'ratings/damaged-log',
    message: `line ${line} of the ratings is not as it was written: ${fault}`,
    where: { file, line },
    remedy:
      'Put the file back from a copy, such as that of git. Ratings are changed in the desk, never by hand.',
  })

/** Adds to a rater's log. One process at a time has it. */
export class RatingLog {
  readonly #file: string
  readonly #events: RatingEvent[]
  #size: number

  /** @throws ProblemError `ratings/damaged-log` */
  constructor(file: string) {
    const { events, size } = readLog(file)
    this.#file = file
    this.#events = [...events]
    this.#size = size
  }

  get events(): readonly RatingEvent[] {
    return this.#events
  }

  /** What an event would be called if it were added now, or behind another one that is to be added. */
  next(event: NewEvent, before = this.#events.at(-1)): RatingEvent {
    return chained(event, before?.id ?? null)
  }

  /** Durable when it returns. After an error nothing of it is kept. */
  append(events: readonly RatingEvent[]): void {
    if (events.length === 0) return
    const isNew = !existsSync(this.#file)
    mkdirSync(dirname(this.#file), { recursive: true })
    const bytes = Buffer.from(events.map((event) => `${JSON.stringify(event)}\n`).join(''))
    const handle = openSync(this.#file, isNew ? 'wx' : 'r+')
    try {
      // Half a line of a killed writer goes.
      ftruncateSync(handle, this.#size)
      try {
        for (let at = 0; at < bytes.length;)
          at += writeSync(handle, bytes, at, bytes.length - at, this.#size + at)
        fsyncSync(handle)
      } catch (error) {
        ftruncateSync(handle, this.#size)
        throw error
      }
    } finally {
      closeSync(handle)
    }
    if (isNew) syncFolder(dirname(this.#file))
    this.#size += bytes.length
    this.#events.push(...events)
  }

  /** Adds withdrawals of events, and deletes their contents. */
  withdraw(events: readonly RatingEvent[], at: string): void {
    for (const { study, rater, id } of events)
      this.append([this.next({ study, rater, kind: 'withdrawn', at, withdraws: id, content: null })])
    const gone = new Set(events.map(({ id }) => id))
    const kept = this.#events.map((event) => (gone.has(event.id) ? { ...event, content: null } : event))
    const text = kept.map((event) => `${JSON.stringify(event)}\n`).join('')
    replaceFile(this.#file, text)
    syncFolder(dirname(this.#file))
    this.#events.splice(0, this.#events.length, ...kept)
    this.#size = Buffer.byteLength(text)
  }
}
