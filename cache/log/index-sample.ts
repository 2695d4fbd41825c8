import { indexKey, tableOfKey } from '../lmdb/index-key.ts'
import { decodeLocation, type Location } from '../lmdb/location.ts'
import { HEADER_SIZE, readHeader } from './record.ts'
import { SegmentFiles } from './segment-files.ts'

interface Sampled {
  readonly key: Buffer
  readonly location: Location
}

const MOST = 64
const FEWEST = 4

/** Entries of an index, evenly spread, to see whether it is of the log beside it. */
export class IndexSample {
  #kept: Sampled[] = []
  #step = 1
  #seen = 0

  add(key: Buffer, data: Buffer): void {
    const location = tableOfKey(key) === undefined ? undefined : decodeLocation(data)
    if (location === undefined || this.#seen++ % this.#step !== 0) return
    this.#kept.push({ key: Buffer.from(key), location })
    if (this.#kept.length < MOST) return
    this.#kept = this.#kept.filter((_, place) => place % 2 === 0)
    this.#step *= 2
  }

  /**
   * True where most of the places that the index names hold other records, or the midst of some, in segments that are
   * sound at their start: it is of another store. What was cut off or overwritten is damage of the log instead.
   */
  isForeignTo(values: string): boolean {
    const files = new SegmentFiles(values)
    try {
      const there = this.#kept.filter(
        ({ location: { segment, offset, size } }) =>
          offset + size <= (files.size(segment) ?? 0) && startsWithRecord(files, segment),
      )
      const fitting = there.filter(({ key, location }) => key.equals(keyAt(files, location) ?? NO_KEY))
      return there.length >= FEWEST && fitting.length < there.length / 2
    } finally {
      files.close()
    }
  }
}

const NO_KEY = Buffer.alloc(0)

const keyAt = (files: SegmentFiles, { segment, offset, size }: Location): Buffer | undefined => {
  const record = files.read(segment, offset, size)
  const header = record && readHeader(record)
  return header && Buffer.from(indexKey(record.subarray(HEADER_SIZE, HEADER_SIZE + header.keySize)))
}

/** Enough for a header and any key of ours. */
const START = 1024

const startsWithRecord = (files: SegmentFiles, segment: number): boolean => {
  const start = files.read(segment, 0, START)
  return start !== undefined && readHeader(start) !== undefined
}
