import { closeSync, fstatSync, openSync, readdirSync, readSync, statSync, unlinkSync } from 'node:fs'
import { join } from 'node:path'
import { errorCode } from '../store-problems.ts'

const NAME = /^(\d{8})\.log$/
const OPEN_AT_ONCE = 128
const POOL = 64 * 1024

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

/** Reads records from segments, with a few files held open. */
export class SegmentFiles {
  readonly #folder: string
  /** In order of use: the first is closed when there are too many. */
  readonly #open = new Map<number, number>()
  readonly #pool = Buffer.allocUnsafeSlow(POOL)

  constructor(folder: string) {
    this.#folder = folder
  }

  /**
   * The bytes at a place, valid until the next read; fewer than `size` where the segment ends.
   * Undefined where there is no such segment.
   */
  read(segment: number, offset: number, size: number): Buffer | undefined {
    const file = this.#file(segment)
    if (file === undefined) return undefined
    // A wrong index may ask for anything.
    const length = size <= POOL ? size : Math.max(0, Math.min(size, fstatSync(file).size - offset))
    const buffer = length <= POOL ? this.#pool : Buffer.allocUnsafe(length)
    let filled = 0
    while (filled < length) {
      const read = readSync(file, buffer, filled, length - filled, offset + filled)
      if (read === 0) break
      filled += read
    }
    return buffer.subarray(0, filled)
  }

  /** Bytes of a segment; undefined where there is none. */
  size(segment: number): number | undefined {
    return statSync(this.path(segment), { throwIfNoEntry: false })?.size
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

  #file(segment: number): number | undefined {
    let file = this.#open.get(segment)
    if (file === undefined) {
      try {
        file = openSync(this.path(segment), 'r')
      } catch (error) {
        if (errorCode(error) === 'ENOENT') return undefined
        throw error
      }
      const oldest = this.#open.keys().next().value
      if (oldest !== undefined && this.#open.size >= OPEN_AT_ONCE) this.#forget(oldest)
    } else this.#open.delete(segment)
    this.#open.set(segment, file)
    return file
  }

  #forget(segment: number): void {
    const file = this.#open.get(segment)
    this.#open.delete(segment)
    if (file !== undefined) closeSync(file)
  }
}
