import { closeSync, fstatSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { crc32 } from 'node:zlib'
import { readAll, plain } from '../files/read.ts'
import { HEADER_SIZE, MAGIC, MAX_KEY_SIZE, readHeader, recordSize, type RecordHeader } from './record.ts'
import { isLost, listSegments, segmentName } from './segment-files.ts'

/** Something found in a segment: a sound record, or bytes that are none. */
export type Finding =
  | {
      readonly type: 'record'
      readonly offset: number
      readonly size: number
      readonly header: RecordHeader
      readonly key: Buffer
      /** The whole record; valid until the next finding. */
      readonly bytes: Buffer
    }
  /** `unfinished`: the end of a segment whose writer was stopped; nobody was told that it was stored. */
  | {
      readonly type: 'damage' | 'unfinished'
      readonly offset: number
      readonly size: number
    }

const WINDOW = 1 << 20
const MAGIC_BYTES = Buffer.alloc(4)
MAGIC_BYTES.writeUInt32LE(MAGIC)

/** A stretch of a file in memory, moved as the reader asks for it. */
class Window {
  readonly #file: number
  #buffer = Buffer.allocUnsafe(WINDOW)
  #start = 0
  #filled = 0

  constructor(file: number) {
    this.#file = file
  }

  /** Up to `size` bytes at `offset`: fewer at the end of the file. */
  at(offset: number, size: number): Buffer {
    if (offset < this.#start || offset + size > this.#start + this.#filled) this.#load(offset, size)
    return this.#buffer.subarray(offset - this.#start, Math.min(offset - this.#start + size, this.#filled))
  }

  #load(offset: number, size: number): void {
    if (size > this.#buffer.length) this.#buffer = Buffer.allocUnsafe(size)
    this.#start = offset
    this.#filled = readAll(this.#file, this.#buffer, offset, this.#buffer.length)
  }
}

/** Offset of the next bytes after `from` that look like a record's header, or the end of the file. */
const nextHeader = (window: Window, from: number, end: number): number => {
  for (let offset = from; offset < end;) {
    const stretch = window.at(offset, WINDOW)
    const found = stretch.indexOf(MAGIC_BYTES)
    if (found < 0) {
      offset += Math.max(stretch.length - MAGIC_BYTES.length + 1, 1)
      continue
    }
    if (readHeader(window.at(offset + found, HEADER_SIZE + MAX_KEY_SIZE)) !== undefined) return offset + found
    offset += found + 1
  }
  return end
}

/**
 * All that is in a segment, in order and without gaps. Damage ends at the next sound header.
 * Memory: a window of 1 MB, or the largest record.
 * @param from where a record begins
 */
export function* scanSegment(file: number, from = 0): Generator<Finding, void, undefined> {
  const end = fstatSync(file).size
  const window = new Window(file)
  for (let offset = from; offset < end;) {
    const header = readHeader(window.at(offset, HEADER_SIZE + MAX_KEY_SIZE))
    const size = header === undefined ? 0 : recordSize(header)
    if (header === undefined || offset + size > end) {
      const next = nextHeader(window, offset + 1, end)
      yield { type: next === end ? 'unfinished' : 'damage', offset, size: next - offset }
      offset = next
      continue
    }
    const bytes = window.at(offset, size)
    if (crc32(bytes.subarray(HEADER_SIZE + header.keySize)) !== header.payloadSum) {
      // Its size says nothing: a writer that was killed may have left half of it, and the next one goes on behind that.
      const next = nextHeader(window, offset + 1, end)
      yield { type: 'damage', offset, size: next - offset }
      offset = next
      continue
    }
    yield {
      type: 'record',
      offset,
      size,
      header,
      key: bytes.subarray(HEADER_SIZE, HEADER_SIZE + header.keySize),
      bytes,
    }
    offset += size
  }
}

/** `scanSegment` of the file at a path. @throws the system's error */
export function* scanFile(path: string, from = 0): Generator<Finding, void, undefined> {
  const file = openSync(plain(path), 'r')
  try {
    yield* scanSegment(file, from)
  } finally {
    closeSync(file)
  }
}

/** `scanSegment` of every segment in a folder, in order of their numbers; what the disk doesn't give is damage. */
export function* scanSegments(
  folder: string,
): Generator<{ segment: number; finding: Finding }, void, undefined> {
  for (const segment of listSegments(folder)) {
    let file: number | undefined
    let offset = 0
    try {
      file = openSync(plain(join(folder, segmentName(segment))), 'r')
      for (const finding of scanSegment(file)) {
        yield { segment, finding }
        offset = finding.offset + finding.size
      }
    } catch (error) {
      if (!isLost(error)) throw error
      const size = file === undefined ? 0 : Math.max(0, fstatSync(file).size - offset)
      yield { segment, finding: { type: 'damage', offset, size } }
    } finally {
      if (file !== undefined) closeSync(file)
    }
  }
}
