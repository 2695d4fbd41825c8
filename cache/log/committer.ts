import type { IndexChange, ValueIndex } from '../lmdb/value-index.ts'
import { indexKey } from '../lmdb/index-key.ts'
import type { Location } from '../lmdb/location.ts'
import { freeSpace, requireSpace } from '../disk-space.ts'
import { writeProblem } from '../store-problems.ts'
import { stampRecord } from './record.ts'
import { type SegmentWriter, SyncError } from './segment-writer.ts'

/** A segment is left for another one when it has grown to this, bytes. */
export const SEGMENT_LIMIT = 256 * 1024 * 1024
const GROUP_BYTES = 4 * 1024 * 1024
const GROUP_RECORDS = 4096
/** What a change of the index may need on disk at most: its leaf page anew, and now and then a branch. */
const INDEX_BYTES = 4096 + 512
const INDEX_BASE = 256 * 1024

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
export interface CommitterOptions {
  readonly folder: string
  readonly index: ValueIndex
  readonly reserveBytes: number
  /** Gives a segment that nobody else appends to. */
  readonly takeSegment: () => Promise<OwnSegment>
}

/**
 * Writes records in groups: what arrives while one group is on its way to the disk makes up the next, so that
 * many puts share one sync. First the log, then the index: an index entry never points at what is not on disk.
 */
export class Committer {
  readonly #options: CommitterOptions
  #queue: Submission[] = []
  #running: Promise<void> | undefined
  readonly #indexing = new Set<Promise<void>>()
  #own: OwnSegment | undefined
  /** After a failed sync nobody knows what is on disk: nothing more is written. */
  #broken: unknown

  constructor(options: CommitterOptions) {
    this.#options = options
  }

  /** Resolves once the record and its index entry are on disk. `from` moves a record, if it is still there. */
  submit(record: Buffer, key: Buffer, options: { removal: boolean; from?: Location }): Promise<void> {
    return new Promise((resolve, reject) => {
      this.#queue.push({ record, key, ...options, resolve, reject })
      this.#running ??= this.#run()
    })
  }

  /** Waits for all that was submitted and lets go of the segment. */
  async leaveSegment(): Promise<void> {
    while (this.#running !== undefined) await this.#running
    await Promise.allSettled(this.#indexing)
    const own = this.#own
    this.#own = undefined
    if (own === undefined) return
    await own.writer.close()
    // On a full disk the entry stays: this process will be seen to have gone.
    if (this.#broken === undefined && freeSpace(this.#options.folder) > INDEX_BASE)
      await this.#options.index.leaveSegment(own.writer.segment)
  }

  async #run(): Promise<void> {
    // One turn of the event loop, for all that is put in it to come along.
    await new Promise((resolve) => setImmediate(resolve))
    while (this.#queue.length > 0) {
      const group = this.#nextGroup()
      try {
        await this.#write(group)
      } catch (error) {
        for (const { reject } of group) reject(error)
      }
    }
    this.#running = undefined
  }

  #nextGroup(): Submission[] {
    let bytes = 0
    let count = 0
    while (count < this.#queue.length && count < GROUP_RECORDS && bytes < GROUP_BYTES)
      bytes += this.#queue[count++]?.record.length ?? 0
    return this.#queue.splice(0, count)
  }

  async #write(group: readonly Submission[]): Promise<void> {
    const { folder, reserveBytes } = this.#options
    if (this.#broken !== undefined) throw this.#broken
    const bytes = group.reduce((sum, { record }) => sum + record.length, 0)
    requireSpace(folder, bytes + group.length * INDEX_BYTES + INDEX_BASE, reserveBytes)
    const own = await this.#segment()
    // A record that moves keeps its order: what came after it, a removal say, must still do so.
    for (const { record, from } of group)
      if (from === undefined) stampRecord(record, { epoch: own.epoch, counter: own.counter++ })
    const offset = await this.#append(own, Buffer.concat(group.map(({ record }) => record)))
    const indexing = this.#index(group, own.writer.segment, offset)
    this.#indexing.add(indexing)
    void indexing.finally(() => this.#indexing.delete(indexing))
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

  async #append({ writer }: OwnSegment, bytes: Buffer): Promise<number> {
    try {
      return await writer.append(bytes)
    } catch (error) {
      const problem = writeProblem(writer.path, error)
      if (error instanceof SyncError) this.#broken = problem
      throw problem
    }
  }

  /** Puts the group into the index and settles its promises; does not wait for it, and never rejects. */
  async #index(group: readonly Submission[], segment: number, start: number): Promise<void> {
    const { index } = this.#options
    let offset = start
    const moves: (IndexChange & { from: Location })[] = []
    const changes: IndexChange[] = []
    for (const { record, key, removal, from } of group) {
      const location = { segment, offset, size: record.length }
      offset += record.length
      const change = removal ? { key: indexKey(key) } : { key: indexKey(key), location }
      if (from === undefined) changes.push(change)
      else if (!removal) moves.push({ ...change, from })
    }
    try {
      await index.apply(changes)
      if (moves.length > 0) moveEntries(index, moves)
      for (const { resolve } of group) resolve()
    } catch (error) {
      this.#broken = error
      for (const { reject } of group) reject(error)
    }
  }
}

const moveEntries = (index: ValueIndex, moves: readonly (IndexChange & { from: Location })[]): void => {
  const origins = new Map(moves.map(({ key, from }) => [key, from]))
  index.applyWhere(moves, ({ key }, present) => {
    const from = origins.get(key)
    return present !== undefined && present.segment === from?.segment && present.offset === from.offset
  })
}
