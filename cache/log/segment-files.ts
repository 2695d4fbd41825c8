import { closeSync, fstatSync, openSync, readdirSync, statSync, unlinkSync, constants } from 'node:fs'
import { join, dirname } from 'node:path'
import { open, type FileHandle } from 'node:fs/promises'
import { readAll, plain, writeAll } from '../files/read.ts'
import type { Location } from '../lmdb/index-entry.ts'
import { errorCode, NOT_PLAIN } from '../problems/system-problem.ts'
import { unusableFolder } from '../store-problems.ts'
import { readHeader, type RecordHeader } from './record.ts'
import { makeSyncedFolder, syncFolder } from '../files/folders.ts'
import { reasonOf } from '../problems/problem.ts'

const NAME = /^(\d{8})\.log$/
const OPEN_AT_ONCE = 128
const POOL = 64 * 1024
/** Read at once where records are asked for as they lie: one call in place of a hundred. */
const AHEAD = 16 * 1024
/** As many as there are kinds of results that a run reads side by side, and some. */
const WINDOWS = 8

/** What the system says of a file that is not there, is none, or lies where the disk can't be read. */
const LOST: ReadonlySet<string> = new Set([
  NOT_PLAIN,
  'ENOENT',
  'ENOTDIR',
  'EISDIR',
  'ELOOP',
  'EIO',
  'EUCLEAN',
  'EBADMSG',
])

/** True where bytes are gone: not so where this user may not read them, or has too many files open. */
export const isLost = (error: unknown): boolean => LOST.has(errorCode(error) ?? '')

export const segmentName = (segment: number): string => `${String(segment).padStart(8, '0')}.log`

/** Numbers of the segments in a folder, ascending; none where there is no folder. */
export const listSegments = (folder: string): number[] => {
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch (error) {
    if (errorCode(error) === 'ENOENT') return []
    throw error
  }
  return names
    .flatMap((name) => NAME.exec(name)?.[1] ?? [])
    .map(Number)
    .sort((a, b) => a - b)
}

/** Bytes of a segment as they were read. What is appended never changes, so they stay true but after a failed write. */
interface Window {
  readonly segment: number
  readonly bytes: Buffer
  start: number
  filled: number
  /** End of the last record taken from it. */
  next: number
}

/** Reads records from segments, with a few files held open. */
export class SegmentFiles {
  readonly #folder: string
  /** In order of use: the first is closed when there are too many. */
  readonly #open = new Map<number, number>()
  readonly #pool = Buffer.allocUnsafeSlow(POOL)
  /** In order of use, the oldest first. */
  #windows: Window[] = []

  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * The bytes at a place, valid until the next read; fewer than asked for where the segment ends.
   * Undefined where there is no such segment, or the disk can't be read there.
   * @throws ProblemError `cache/not-accessible` where that says nothing of the bytes
   */
  read({ segment, offset, size }: Location): Buffer | undefined {
    try {
      return this.#read(segment, offset, size)
    } catch (error) {
      if (isLost(error)) return undefined
      throw unusableFolder(this.path(segment), error)
    }
  }

  #read(segment: number, offset: number, size: number): Buffer | undefined {
    const near = this.#windows.find(
      (window) => window.segment === segment && offset >= window.start && offset - window.next < AHEAD,
    )
    if (near !== undefined) this.#windows = [...this.#windows.filter((window) => window !== near), near]
    if (near !== undefined && offset + size <= near.start + near.filled) return taken(near, offset, size)
    const file = this.#file(segment)
    if (size <= AHEAD / 4) {
      // The first of a window is read alone: whoever looks here and there needs no more.
      const window = near !== undefined && offset >= near.next ? near : this.#newWindow(segment)
      const length = window === near ? AHEAD : size
      window.start = offset
      window.filled = readAll(file, window.bytes, offset, length)
      return taken(window, offset, Math.min(size, window.filled))
    }
    // A wrong index may ask for anything.
    const length = size <= POOL ? size : Math.max(0, Math.min(size, fstatSync(file).size - offset))
    const buffer = length <= POOL ? this.#pool : Buffer.allocUnsafe(length)
    return buffer.subarray(0, readAll(file, buffer, offset, length))
  }

  /** The header of the record at a place; undefined where none can be read. */
  header(location: Location | undefined): RecordHeader | undefined {
    const record = location && this.read(location)
    return record && readHeader(record)
  }

  /** Forgets what was read: the next read asks the disk. */
  refresh(): void {
    this.#windows = []
  }

  /** Bytes of a segment; undefined where there is none. */
  size(segment: number): number | undefined {
    try {
      const stat = statSync(this.path(segment))
      return stat.isFile() ? stat.size : undefined
    } catch (error) {
      if (isLost(error)) return undefined
      throw error
    }
  }

  path(segment: number): string {
    return join(this.#folder, segmentName(segment))
  }

  delete(segment: number): void {
    this.#forget(segment)
    unlinkSync(this.path(segment))
  }

  close(): void {
    for (const segment of this.#open.keys()) this.#forget(segment)
  }

  #newWindow(segment: number): Window {
    const oldest = this.#windows.length < WINDOWS ? undefined : this.#windows.shift()
    const bytes = oldest?.bytes ?? Buffer.allocUnsafeSlow(AHEAD)
    const window = { segment, bytes, start: 0, filled: 0, next: 0 }
    this.#windows.push(window)
    return window
  }

  #file(segment: number): number {
    let file = this.#open.get(segment)
    if (file === undefined) {
      file = openSync(plain(this.path(segment)), 'r')
      const oldest = this.#open.keys().next().value
      if (oldest !== undefined && this.#open.size >= OPEN_AT_ONCE) this.#forget(oldest)
    } else this.#open.delete(segment)
    this.#open.set(segment, file)
    return file
  }

  #forget(segment: number): void {
    this.#windows = this.#windows.filter((window) => window.segment !== segment)
    const file = this.#open.get(segment)
    this.#open.delete(segment)
    if (file !== undefined) closeSync(file)
  }
}

const taken = (window: Window, offset: number, size: number): Buffer => {
  window.next = offset + size
  return window.bytes.subarray(offset - window.start, offset - window.start + size)
}

/** Appends to one segment, which nobody else writes to. */
export class SegmentWriter {
  readonly segment: number
  readonly path: string
  readonly #file: FileHandle
  #size: number

  private constructor(segment: number, path: string, file: FileHandle, size: number) {
    this.segment = segment
    this.path = path
    this.#file = file
    this.#size = size
  }

  /** Opens the segment, or starts it. */
  static async open(segment: number, path: string): Promise<SegmentWriter> {
    const folder = dirname(path)
    makeSyncedFolder(folder)
    // No more open than its folder.
    const mode = 0o666 & statSync(folder).mode
    const file = await open(path, constants.O_RDWR | constants.O_CREAT, mode)
    const { size } = await file.stat()
    if (size === 0) syncFolder(folder)
    return new SegmentWriter(segment, path, file, size)
  }

  get size(): number {
    return this.#size
  }

  /**
   * Writes the bytes and waits until they are on disk. Gives the offset of the first.
   * A write that failed leaves the segment as it was; one that could not be synced throws SyncError:
   * the system may have dropped the data, so nothing may be appended after it.
   */
  async append(bytes: Buffer): Promise<number> {
    const offset = this.#size
    try {
      await writeAll(this.#file, bytes, offset)
    } catch (error) {
      // Should this fail as well, the next write goes over the same place.
      await this.#file.truncate(offset).catch(() => undefined)
      throw error
    }
    try {
      await this.#file.datasync()
    } catch (error) {
      throw new SyncError(error)
    }
    this.#size += bytes.length
    return offset
  }

  async close(): Promise<void> {
    await this.#file.close()
  }
}

/** Data reached the system but perhaps not the disk. */
export class SyncError extends Error {
  constructor(cause: unknown) {
    super(`could not sync: ${reasonOf(cause)}`, { cause })
    this.name = 'SyncError'
  }
}
