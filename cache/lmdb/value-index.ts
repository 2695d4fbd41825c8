import { setTimeout } from 'node:timers/promises'
import { getSystemErrorName } from 'node:util'
import { readFileSync, statSync } from 'node:fs'
import type { open as openDatabase, RootDatabase } from 'lmdb'
import type { CommitGate } from '../claims/holding.ts'
import { ProblemError, EXIT, reasonOf } from '../problems/problem.ts'
import { damaged, otherVersion, writeProblem } from '../store-problems.ts'
import {
  SEGMENT_CODE,
  segmentKey,
  stateKey,
  tableOfKey,
  decodeLocation,
  encodeLocation,
  type Location,
} from './index-entry.ts'
import type { Extent } from './index-files.ts'
import { loadLmdb } from './load-lmdb.ts'
import { requireFiles } from '../problems/system-problem.ts'

/** Of the index and the log together. Of format 1 no payload is packed; it is read as it is. */
const FORMAT = '2'
const READABLE: ReadonlySet<string> = new Set(['1', FORMAT])
const FORMAT_KEY = stateKey('format')

/** @throws ProblemError `cache/other-version` */
const requireFormat = (path: string, format: string | undefined): void => {
  if (format !== undefined && !READABLE.has(format)) throw otherVersion(path, format)
}

/**
 * The same of an entry met in an index that LMDB is not asked for: all that this version does not know would be lost.
 * @throws ProblemError `cache/other-version`
 */
export const requireFormatOf = (path: string, key: Buffer, data: Buffer): void => {
  if (key.equals(FORMAT_KEY)) requireFormat(path, data.toString())
}

const MAX_READERS = 1024
const WRITES_A_CHECK = 16
const ATTEMPTS = 3
/** Keys taken at once by a listing, so that none holds a read transaction while its caller works. */
const PAGE = 1000

const FIRST_KEY = Buffer.of(0)
const LAST_KEY = Buffer.of(0xff)

/** One change of the index; no location removes the entry. */
export interface IndexChange {
  readonly key: Buffer
  readonly location?: Location
}

interface IndexEntry {
  readonly key: Buffer
  readonly location: Location
}

/** A segment and the process that appends to it (empty: none). */
interface SegmentEntry {
  readonly segment: number
  readonly owner: string
}

/** Ends of segments, bytes, up to which the index knows what lies in them. */
export type SegmentEnds = ReadonlyMap<number, number>
const NO_ENDS: SegmentEnds = new Map()
const endKey = (segment: number): Buffer => stateKey(`end ${segment}`)

/** LMDB's real error comes by a promise of its own, which would end the process if nobody took it. */
const realCause = async (failure: unknown): Promise<unknown> => {
  if (!(failure instanceof Error) || !('commitError' in failure)) return failure
  const detail = failure.commitError as Promise<never>
  try {
    // It may never settle.
    return await Promise.race([detail, setTimeout(50, failure)])
  } catch (error) {
    return error
  }
}

/** The system's errors come from LMDB by their numbers. */
const named = (cause: unknown): unknown =>
  cause instanceof Error && 'code' in cause && typeof cause.code === 'number'
    ? Object.assign(cause, { code: getSystemErrorName(-cause.code) })
    : cause

/** @throws the system's error, where LMDB met one, by its name */
const opened = (
  open: typeof openDatabase,
  options: Parameters<typeof openDatabase>[0],
): RootDatabase<Buffer, Buffer> => {
  try {
    return open<Buffer, Buffer>(options)
  } catch (error) {
    throw named(error)
  }
}

/**
 * LMDB's own errors have negative codes. Its list of free pages, changed by several processes at once, makes a
 * transaction fail now and then (MDB_BAD_VALSIZE, MDB_BAD_TXN: about one in 10,000 when two processes rewrite all
 * they can). Nothing of it is written then, and the next try starts from what is on disk.
 */
const isPassing = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'number' && error.code < 0

/**
 * Where every record lies in the value log, in one LMDB file. Values stay out of it: a map of keys alone keeps
 * memory small however much is read, and what LMDB could damage can be built anew from the log.
 */
export class ValueIndex {
  readonly path: string
  readonly #db: RootDatabase<Buffer, Buffer>
  readonly #gate: CommitGate
  #writes = 0

  private constructor(path: string, db: RootDatabase<Buffer, Buffer>, gate: CommitGate) {
    this.path = path
    this.#db = db
    this.#gate = gate
  }

  /** Opens the file, which must have been checked: LMDB ends the process on a damaged one. */
  static async open(
    path: string,
    options: { readonly readOnly: boolean; readonly gate: CommitGate },
  ): Promise<ValueIndex> {
    // Loaded before the gate is shut.
    const { open } = loadLmdb()
    return options.gate.opening(() => {
      requireFiles()
      return ValueIndex.#open(open, path, options)
    })
  }

  static async #open(
    open: typeof openDatabase,
    path: string,
    options: { readonly readOnly: boolean; readonly gate: CommitGate },
  ): Promise<ValueIndex> {
    const db = opened(open, {
      path,
      noSubdir: true,
      encoding: 'binary',
      keyEncoding: 'binary',
      // With overlapping syncs a put is told as done before it is on disk.
      overlappingSync: false,
      // Batches of its own making reject a promise that nobody gets, which ends the process.
      eventTurnBatching: false,
      mapSize: mapSize(path),
      maxReaders: MAX_READERS,
      readOnly: options.readOnly,
    })
    const index = new ValueIndex(path, db, options.gate)
    const format = index.#state('format')
    try {
      requireFormat(path, format)
    } catch (error) {
      await db.close()
      throw error
    }
    // Earlier versions must not read what this one packs.
    if (format !== FORMAT && !options.readOnly) await index.#put(FORMAT_KEY, Buffer.from(FORMAT))
    return index
  }

  get(key: Buffer): Location | undefined {
    const bytes = this.#db.get(key)
    return bytes === undefined ? undefined : decodeLocation(bytes)
  }

  /** Forgets the snapshot that reads of this turn share. */
  refresh(): void {
    this.#db.resetReadTxn()
  }

  /**
   * Up to where the index knows what lies in a segment, bytes; undefined for one that only earlier versions wrote to, 0 for
   * one that it does not know.
   */
  end(segment: number): number | undefined {
    const end = this.#db.get(endKey(segment))?.toString()
    if (end !== undefined) return Number(end)
    return this.#db.get(segmentKey(segment)) === undefined ? 0 : undefined
  }

  /** How far the index knows the store to be written. */
  extent(): Extent {
    const bytes = this.segments().reduce((sum, { segment }) => sum + (this.end(segment) ?? 0), 0)
    return { epoch: this.#epoch(), bytes }
  }

  /** Applies all changes or none, on disk when it resolves. @throws ProblemError `cache/write-failed` */
  async apply(changes: readonly IndexChange[], ends: SegmentEnds = NO_ENDS): Promise<void> {
    for (let attempt = 1; ; attempt++)
      try {
        await this.#gate.committing(() => this.#applyOnce(changes, ends))
        return
      } catch (cause) {
        if (attempt === ATTEMPTS || !isPassing(cause)) throw this.#problem(cause)
      }
  }

  /**
   * Applies the changes whose `when` still says true inside the transaction; how many did.
   * @throws ProblemError `cache/write-failed`
   */
  applyWhere<Change extends IndexChange>(
    changes: readonly Change[],
    when: (change: Change, present: Location | undefined) => boolean,
    ends: SegmentEnds = NO_ENDS,
  ): Promise<number> {
    return this.#transaction(() => {
      let applied = 0
      for (const [segment, end] of ends) this.#db.putSync(endKey(segment), Buffer.from(String(end)))
      for (const change of changes) {
        if (!when(change, this.get(change.key))) continue
        if (change.location === undefined) this.#db.removeSync(change.key)
        else this.#db.putSync(change.key, encodeLocation(change.location))
        applied++
      }
      return applied
    })
  }

  /** Entries of records from key `start` up to `end`, all unless given, in order. */
  *entries(start: Buffer = FIRST_KEY, end: Buffer = LAST_KEY): Generator<IndexEntry, void, undefined> {
    let from: Buffer | undefined = start
    while (from !== undefined) {
      const page: { key: Buffer; value: Buffer }[] = [
        ...this.#db.getRange({ start: from, end, exclusiveStart: from !== start, limit: PAGE }),
      ]
      for (const { key, value } of page) {
        const location = decodeLocation(value)
        if (location !== undefined && tableOfKey(key) !== undefined) yield { key, location }
      }
      from = page.length < PAGE ? undefined : page.at(-1)?.key
    }
  }

  segments(): SegmentEntry[] {
    const range = this.#db.getRange({ start: Buffer.of(SEGMENT_CODE), end: Buffer.of(SEGMENT_CODE + 1) })
    return [...range].map(({ key, value }) => ({ segment: key.readUInt32BE(1), owner: value.toString() }))
  }

  /**
   * Makes `owner` the owner of a segment that `choose` picks among all, on disk at once, and gives it with the
   * number of this ownership: later ones have higher numbers. Undefined where `choose` picks none.
   */
  takeSegment(
    owner: string,
    choose: (segments: readonly SegmentEntry[]) => number | undefined,
  ): Promise<{ segment: number; epoch: number } | undefined> {
    return this.#transaction(() => {
      const segment = choose(this.segments())
      if (segment === undefined) return undefined
      const epoch = this.#epoch() + 1
      if (this.end(segment) === 0) this.#db.putSync(endKey(segment), Buffer.from('0'))
      this.#db.putSync(segmentKey(segment), Buffer.from(owner))
      this.#db.putSync(stateKey('epoch'), Buffer.from(String(epoch)))
      return { segment, epoch }
    })
  }

  async leaveSegment(segment: number): Promise<void> {
    await this.#gate.committing(() => this.#put(segmentKey(segment), Buffer.alloc(0)))
  }

  async #put(key: Buffer, value: Buffer): Promise<void> {
    try {
      await this.#db.put(key, value)
    } catch (failure) {
      throw this.#problem(await realCause(failure))
    }
  }

  async forgetSegment(segment: number): Promise<void> {
    await this.#transaction(() => {
      this.#db.removeSync(endKey(segment))
      this.#db.removeSync(segmentKey(segment))
    })
  }

  /** Makes segments that it does not know its own, with nobody as their owner; later ownerships come after `epoch`. */
  async adopt(segments: Iterable<number>, epoch: number): Promise<void> {
    await this.#transaction(() => {
      for (const segment of segments)
        if (this.#db.get(segmentKey(segment)) === undefined)
          this.#db.putSync(segmentKey(segment), Buffer.alloc(0))
      if (epoch > this.#epoch()) this.#db.putSync(stateKey('epoch'), Buffer.from(String(epoch)))
    })
  }

  async close(): Promise<void> {
    await this.#gate.closing(() => this.#db.close())
  }

  /** A reader that was killed keeps all pages from being used again until somebody looks for it. */
  #dismissDeadReaders(): void {
    if (this.#writes++ % WRITES_A_CHECK === 0) this.#db.readerCheck()
  }

  async #applyOnce(changes: readonly IndexChange[], ends: SegmentEnds): Promise<void> {
    this.#dismissDeadReaders()
    const batch = this.#db.batch(() => {
      for (const [segment, end] of ends) void this.#db.put(endKey(segment), Buffer.from(String(end)))
      for (const { key, location } of changes)
        void (location === undefined ? this.#db.remove(key) : this.#db.put(key, encodeLocation(location)))
    })
    // Taken at once: whoever leaves the gate meanwhile may fail as well, and then nobody would.
    await batch.catch(async (failure: unknown) => {
      throw await realCause(failure)
    })
  }

  async #transaction<T>(work: () => T): Promise<T> {
    this.#dismissDeadReaders()
    for (let attempt = 1; ; attempt++)
      try {
        return await this.#gate.committing(() => this.#db.transactionSync(work))
      } catch (failure) {
        if (attempt === ATTEMPTS || !isPassing(failure)) throw this.#problem(failure)
      }
  }

  /** What LMDB says time and again of its own pages is damage. */
  #problem(cause: unknown): ProblemError {
    if (!isPassing(cause)) return writeProblem(this.path, named(cause))
    return damaged(this.path, reasonOf(cause), cause)
  }

  /** Number of the last ownership of a segment. */
  #epoch(): number {
    return Number(this.#state('epoch') ?? '0')
  }

  #state(name: string): string | undefined {
    return this.#db.get(stateKey(name))?.toString()
  }
}

const MB = 2 ** 20
/** Reserved address space, not memory: the map seldom has to be made anew, which leaves the old one in use. */
const USUAL = 1024 * MB
/** One of fewer bytes would soon have to grow. */
const SMALLEST = 64 * MB
/** What Node may come to ask for besides: threads, and what lies on its heap. */
const REST = 512 * MB

/**
 * Bytes of address space to reserve for an index, of those that this process may still reserve: LMDB ends the process where
 * it gets none.
 * @throws ProblemError `system/no-memory` where they are too few
 */
export const mapSizeFor = (free: number, fileSize: number): number => {
  const least = Math.max(SMALLEST, 2 * fileSize)
  let size = Math.max(USUAL, 2 ** Math.ceil(Math.log2(least)))
  while (size > free - REST && size / 2 >= least) size /= 2
  if (size <= free - REST) return size
  throw new ProblemError(
    {
      code: 'system/no-memory',
      message: `this process may reserve ${Math.max(0, Math.floor(free / MB))} MB more of address space, and ${Math.ceil((size + REST) / MB)} MB are needed`,
      remedy:
        'raise the limit (`ulimit -v`, or what the scheduler sets it by) to 4 GB or lift it: this is address space, not memory; everything stored so far is kept',
    },
    { exitCode: EXIT.incomplete },
  )
}

/** Bytes by Linux' own words for a limit and for what is used of it; Infinity where none is set. */
export const freeAddresses = (limits: string, status: string): number => {
  const [, limit] = /^Max address space +(\d+) /m.exec(limits) ?? []
  const [, used] = /^VmSize:\s+(\d+) kB$/m.exec(status) ?? []
  return limit === undefined || used === undefined ? Infinity : Number(limit) - Number(used) * 1024
}

/** Bytes that this process may still reserve. */
const free = (): number => {
  try {
    return freeAddresses(readFileSync('/proc/self/limits', 'utf8'), readFileSync('/proc/self/status', 'utf8'))
  } catch {
    // Not on Linux.
    return Infinity
  }
}

/** `mapSizeFor` of this process and the index in a file, or that is to be made there. */
const mapSize = (path: string): number =>
  mapSizeFor(free(), statSync(path, { throwIfNoEntry: false })?.size ?? 0)
