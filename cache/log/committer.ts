import type { IndexChange, SegmentEnds, ValueIndex } from '../lmdb/value-index.ts'
import { indexKey, tableOfKey, type Location } from '../lmdb/index-entry.ts'
import { freeSpace, requireSpace } from '../disk-space.ts'
import { PAID } from '../store.ts'
import { setBack, writeProblem } from '../store-problems.ts'
import { stampRecord } from './record.ts'
import { type SegmentWriter, SyncError } from './segment-files.ts'

/** A segment is left for another one when it has grown to this, bytes. */
export const SEGMENT_LIMIT = 256 * 1024 * 1024
const GROUP_BYTES = 4 * 1024 * 1024
const GROUP_RECORDS = 4096
/** What a change of the index may need on disk at most: its leaf page anew, and now and then a branch. */
const INDEX_BYTES = 4096 + 512
const INDEX_BASE = 256 * 1024

/**
 * Of the reserve, what is left alone by what was paid for and by what makes room, too: LMDB must never meet a full disk,
 * whatever other processes write.
 */
const URGENT_RESERVE = 4 * 1024 * 1024

/** A record on its way to the disk. */
interface Submission {
  readonly record: Buffer
  readonly key: Buffer
  readonly removal: boolean
  /** Only if the index still has it here: for records that move. */
  readonly from?: Location
  readonly resolve: () => void
  readonly reject: (error: unknown) => void
}

/** A segment to append to, with the number of this ownership. */
export interface OwnSegment {
  readonly writer: SegmentWriter
  readonly epoch: number
  counter: number
}

/** What a committer needs of its store. */
interface CommitterOptions {
  readonly folder: string
  readonly index: ValueIndex
  readonly reserveBytes: number
  /** @throws ProblemError where what this process owns may be another's by now */
  readonly requireOwn: () => void
  /** Gives a segment that nobody else appends to. */
  readonly takeSegment: () => Promise<OwnSegment>
}

/**
 * Writes records in groups: what arrives while one group is on its way to the disk makes up the next, so that
 * many puts share one sync. First the log, then the index, each by a loop of its own: an index entry never
 * points at what is not on disk, and what was put later never gives way to what was put before.
 */
export class Committer {
  readonly #options: CommitterOptions
  #queue: Submission[] = []
  #appended: Placed[] = []
  #appending: Promise<void> | undefined
  #indexing: Promise<void> | undefined
  #own: OwnSegment | undefined
  /** What the index knew of the segments that were last written to. */
  #ends: SegmentEnds = new Map()
  /** After a failure nobody knows what is on disk: nothing more is told to be stored. */
  #broken: unknown
  /** Where only the index failed, what was paid for still goes to the log: the next opening finds it there. */
  #isLogSound = true
  #isIndexSound = true
  /** Why something that was paid for did not reach the disk: of a quota, say, free space tells nothing. */
  #unkept: unknown

  constructor(options: CommitterOptions) {
    this.#options = options
  }

  /** True after a failure that leaves unclear what is on disk. */
  get isBroken(): boolean {
    return this.#broken !== undefined
  }

  /** @throws what broke it */
  requireSound(): void {
    if (this.#broken !== undefined) throw this.#broken
  }

  /** @throws what broke it, or kept it from keeping what was paid for: so it would what is paid for next */
  requireKeeping(): void {
    this.requireSound()
    if (this.#unkept !== undefined) throw this.#unkept
  }

  /** Resolves once the record and its index entry are on disk. `from` moves a record, if it is still there. */
  submit(record: Buffer, key: Buffer, options: { removal: boolean; from?: Location }): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ record, key, ...options, resolve, reject })
      this.#appending ??= this.#appendAll()
    })
  }

  /** Waits for all that was submitted and lets go of the segment. */
  async leaveSegment(): Promise<void> {
    while (this.#appending !== undefined || this.#indexing !== undefined) {
      await this.#appending
      await this.#indexing
    }
    const own = this.#own
    this.#own = undefined
    if (own === undefined) return
    await own.writer.close()
    // On a full disk the entry stays: this process will be seen to have gone.
    if (this.#broken === undefined && freeSpace(this.#options.folder) > INDEX_BASE)
      await this.#options.index.leaveSegment(own.writer.segment)
  }

  async #appendAll(): Promise<void> {
    // One turn of the event loop, for all that is put in it to come along.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#queue.length > 0) {
      const group = this.#nextGroup()
      try {
        await this.#append(group)
      } catch (error) {
        if (group.some(isPaid)) this.#unkept ??= error
        for (const { reject } of group) reject(error)
      }
    }
    this.#appending = undefined
  }

  #nextGroup(): Submission[] {
    let bytes = 0
    let count = 0
    while (count < this.#queue.length && count < GROUP_RECORDS && bytes < GROUP_BYTES)
      bytes += this.#queue[count++]?.record.length ?? 0
    const group = this.#queue.splice(0, count)
    const paid = group.filter(isPaid)
    if (paid.length === 0 || paid.length === group.length) return group
    const isRoomy = (): boolean =>
      freeSpace(this.#options.folder) - roomFor(group) >= this.#options.reserveBytes
    if (!this.isBroken && isRoomy()) return group
    // What was paid for must not fail with what was not, and goes before it.
    this.#queue.unshift(...group.filter((submission) => !isPaid(submission)))
    return paid
  }

  #reserveFor(group: readonly Submission[]): number {
    const { reserveBytes } = this.#options
    return group.every((submission) => isPaid(submission) || makesRoom(submission))
      ? Math.min(reserveBytes, URGENT_RESERVE)
      : reserveBytes
  }

  async #append(group: readonly Submission[]): Promise<void> {
    const { folder } = this.#options
    if (!this.#isLogSound || !group.every(isPaid)) this.requireSound()
    this.#options.requireOwn()
    requireSpace(folder, roomFor(group), this.#reserveFor(group))
    const own = await this.#segment()
    // A record that moves keeps its order: what came after it, a removal say, must still do so.
    for (const { record, from } of group)
      if (from === undefined) stampRecord(record, { epoch: own.epoch, counter: own.counter++ })
    let offset = await this.#write(own, Buffer.concat(group.map(({ record }) => record)))
    if (!this.#isIndexSound) this.requireSound()
    for (const submission of group) {
      const size = submission.record.length
      this.#appended.push({ submission, location: { segment: own.writer.segment, offset, size } })
      offset += size
    }
    this.#indexing ??= this.#indexAll()
  }

  async #segment(): Promise<OwnSegment> {
    if (this.#own !== undefined && this.#own.writer.size >= SEGMENT_LIMIT) {
      await this.#own.writer.close()
      await this.#options.index.leaveSegment(this.#own.writer.segment)
      this.#own = undefined
    }
    this.#own ??= await this.#options.takeSegment()
    return this.#own
  }

  async #write({ writer }: OwnSegment, bytes: Buffer): Promise<number> {
    try {
      return await writer.append(bytes)
    } catch (error) {
      const problem = writeProblem(writer.path, error)
      if (error instanceof SyncError) {
        this.#broken = problem
        this.#isLogSound = false
      }
      throw problem
    }
  }

  async #indexAll(): Promise<void> {
    while (this.#appended.length > 0) {
      const placed = this.#appended
      this.#appended = []
      try {
        // What comes after the failed group must not be listed: it would hide what the next opening has to list.
        if (!this.#isIndexSound) this.requireSound()
        await this.#index(placed)
        for (const { submission } of placed) submission.resolve()
      } catch (error) {
        this.#broken ??= error
        this.#isIndexSound = false
        for (const { submission } of placed) submission.reject(error)
      }
    }
    this.#indexing = undefined
  }

  async #index(placed: readonly Placed[]): Promise<void> {
    const moves: Move[] = []
    const changes: IndexChange[] = []
    const ends = new Map<number, number>()
    for (const { submission, location } of placed) {
      const { removal, from } = submission
      ends.set(location.segment, location.offset + location.size)
      const key = indexKey(submission.key)
      if (from === undefined) changes.push(removal ? { key } : { key, location })
      else if (!removal) moves.push({ key, location, from })
    }
    const { index, folder } = this.#options
    for (const segment of ends.keys()) {
      index.refresh()
      if ((index.end(segment) ?? 0) < (this.#ends.get(segment) ?? 0)) throw setBack(folder)
    }
    if (changes.length > 0) await index.apply(changes, moves.length > 0 ? undefined : ends)
    if (moves.length > 0 || changes.length === 0) await index.applyWhere(moves, isStillThere, ends)
    this.#ends = ends
  }
}

const roomFor = (group: readonly Submission[]): number =>
  group.reduce((sum, { record }) => sum + record.length + INDEX_BYTES, INDEX_BASE)

const isPaid = ({ key }: Submission): boolean => {
  const table = tableOfKey(key)
  return table !== undefined && PAID.has(table)
}

const makesRoom = ({ removal, from }: Submission): boolean => removal || from !== undefined

/** A record that is in the log and not yet in the index. */
interface Placed {
  readonly submission: Submission
  readonly location: Location
}

interface Move extends IndexChange {
  readonly from: Location
}

const isStillThere = ({ from }: Move, present: Location | undefined): boolean =>
  present?.segment === from.segment && present.offset === from.offset
