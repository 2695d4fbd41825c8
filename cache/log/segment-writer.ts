import { constants, statSync } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { writeAll } from '../files/all-bytes.ts'
import { makeSyncedFolder, syncFolder } from '../files/synced-folder.ts'
import { reasonOf } from '../problems/reason.ts'

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
