import { remembered } from '../once.ts'
import { indexKey, isHashedKey, tableOfKey, decodeLocation, type Location } from '../lmdb/index-entry.ts'
import { HEADER_SIZE, MAX_KEY_SIZE, ownKey } from './record.ts'
import { SegmentFiles } from './segment-files.ts'

/** Fewer say nothing of where an index comes from. */
const FEWEST = 4
/** Enough for a header and any key that is no hash. */
const START = 1024

/**
 * Whether an index gives the records of the log beside it their own names. LMDB keeps no checksums: a flipped bit in a key
 * hides a record, which would be paid for again without a word.
 */
export class IndexNames {
  readonly #files: SegmentFiles
  readonly #segments = new Map<number, { readonly size: number; readonly startsWithRecord: boolean }>()
  #there = 0
  #fitting = 0
  #misnamed = 0

  constructor(values: string) {
    this.#files = new SegmentFiles(values)
  }

  /** Takes an entry of the index. What was cut off or overwritten is damage of the log instead. */
  add(key: Buffer, data: Buffer): void {
    const location = tableOfKey(key) === undefined ? undefined : decodeLocation(data)
    if (location === undefined) return
    const { size, startsWithRecord } = this.#segment(location.segment)
    if (!startsWithRecord || location.offset + location.size > size) return
    this.#there++
    const own = this.#keyAt(location, isHashedKey(key) ? location.size : Math.min(location.size, START))
    if (own?.equals(key) === true) this.#fitting++
    else if (own !== undefined) this.#misnamed++
  }

  /** Most of the places that it names hold other records, or the midst of some: it is of another store. */
  get isForeign(): boolean {
    return this.#there >= FEWEST && this.#fitting < this.#there / 2
  }

  /** Records that it names by a key that is not theirs. */
  get misnamed(): number {
    return this.#misnamed
  }

  close(): void {
    this.#files.close()
  }

  #segment(segment: number): { readonly size: number; readonly startsWithRecord: boolean } {
    return remembered(this.#segments, segment, () => {
      const first = this.#files.header({ segment, offset: 0, size: HEADER_SIZE + MAX_KEY_SIZE })
      return { size: this.#files.size(segment) ?? 0, startsWithRecord: first !== undefined }
    })
  }

  #keyAt({ segment, offset }: Location, size: number): Buffer | undefined {
    const record = this.#files.read({ segment, offset, size })
    const key = record && ownKey(record)
    return key && indexKey(key)
  }
}
