import type { Claims, Taking, Patience } from './claims/claims.ts'
import { digestOf, type Digest } from './values/digest.ts'
import { requireSpace } from './disk-space.ts'
import { growHeapLeast } from './processes/engine-flags.ts'
import { encodeJson, type RawValue, RecentTexts } from './values/encoded.ts'
import type { Json } from './values/json.ts'
import {
  indexKey,
  isHashedKey,
  parseRecordKey,
  recordKey,
  tableRange,
  type Location,
} from './lmdb/index-entry.ts'
import type { Extent } from './lmdb/index-files.ts'
import type { ValueIndex } from './lmdb/value-index.ts'
import { packedFrom, encodeRecord, ownKey, readPacked, readPayload } from './log/record.ts'
import { compactSegments, type Compaction } from './log/compact-segments.ts'
import { Committer, SEGMENT_LIMIT, type OwnSegment } from './log/committer.ts'
import { listSegments, SegmentFiles, SegmentWriter } from './log/segment-files.ts'
import { inUse, readOnlyStore, takenOver, writeProblem } from './store-problems.ts'
import type { Claim, Store, StoredEntry, StoreEvent, StoreTable } from './store.ts'
import { alone, valuesFolder } from './store-folder.ts'

/** Parts of an opened store. */
export interface DiskStoreParts {
  readonly folder: string
  readonly index: ValueIndex
  readonly readOnly: boolean
  /** Undefined where the folder can't be written to; then it is open for reading only. */
  readonly claims: Claims | undefined
  readonly reserveBytes: number
  readonly patience: Patience
  readonly onEvent: (event: StoreEvent) => void
  /** Runs after everything is closed, before other processes hear of it. */
  readonly onClosed: (extent: Extent) => Promise<void>
}

/** Values after which a process counts as one that stores many. */
const MANY = 20_000

const CLAIM_NAME = /^[0-9a-f]{64}$/

/** The store on disk: an append-only log of values and an LMDB index of where each lies. */
export class DiskStore implements Store {
  readonly #parts: DiskStoreParts
  readonly #files: SegmentFiles
  readonly #committer: Committer
  readonly #patience: Patience
  readonly #recent = new RecentTexts()
  /** Records found damaged: told of once. */
  readonly #corrupt = new Set<string>()
  #closing: Promise<void> | undefined
  #stored = 0

  constructor(parts: DiskStoreParts) {
    this.#parts = parts
    this.#patience = parts.patience
    this.#files = new SegmentFiles(valuesFolder(parts.folder))
    const { folder, claims } = parts
    this.#committer = new Committer({
      ...parts,
      takeSegment: () => this.#takeSegment({ fresh: false }),
      requireOwn: () => {
        if (claims?.isOusted() === true) throw takenOver(folder)
      },
    })
  }

  /** True once a record was met that can't be read. */
  get isDamaged(): boolean {
    return this.#corrupt.size > 0
  }

  requireRoom(): void {
    this.#requireWritable()
    this.#committer.requireKeeping()
    requireSpace(this.#parts.folder, 0, this.#parts.reserveBytes)
  }

  get(table: StoreTable, id: string): Json | undefined {
    this.#requireOpen()
    const text = this.#recent.get(table, id) ?? this.payload(table, id)?.toString('utf8')
    return text === undefined ? undefined : (JSON.parse(text) as Json)
  }

  has(table: StoreTable, id: string): boolean {
    return this.#lookUp(table, id, readPacked) !== undefined
  }

  async put(table: StoreTable, id: string, value: Json): Promise<void> {
    const text = encodeJson(value)
    await this.putPayload(table, id, text)
    // What is sealed is remembered unsealed, if at all.
    if (typeof value !== 'string') this.#recent.add(table, id, text)
  }

  /** `put` of a value's JSON text. */
  async putPayload(table: StoreTable, id: string, payload: Buffer | string): Promise<void> {
    this.#requireWritable()
    this.#stored += 1
    // A process that stores less is over before it pays.
    if (this.#stored === MANY) growHeapLeast()
    const key = recordKey(table, id)
    const record = encodeRecord('value', key, payload, packedFrom(table))
    await this.#committer.submit(record, key, { removal: false })
    this.#recent.remove(id)
  }

  async remove(table: StoreTable, id: string): Promise<void> {
    this.#requireWritable()
    const key = recordKey(table, id)
    if (this.#parts.index.get(indexKey(key)) !== undefined)
      await this.#committer.submit(encodeRecord('removal', key, ''), key, { removal: true })
    this.#recent.remove(id)
  }

  *entries(table: StoreTable): Generator<StoredEntry, void, undefined> {
    this.#requireOpen()
    const { start, end } = tableRange(table)
    for (const { key, location } of this.#parts.index.entries(start, end)) {
      const parsed = parseRecordKey(isHashedKey(key) ? this.#keyAt(location) : key)
      if (parsed !== undefined) yield { id: parsed.id, bytes: location.size }
    }
  }

  /** The values of some tables as they lie in the log, each ordered by id. What can't be read is told of and left out. */
  *values(
    tables: Iterable<StoreTable>,
    onDamage: (bytes: number) => void = () => undefined,
  ): Generator<RawValue, void, undefined> {
    for (const table of tables)
      for (const { id, bytes } of this.entries(table)) {
        const payload = this.payload(table, id)
        if (payload !== undefined) yield { table, id, payload }
        // Else it was removed meanwhile.
        else if (this.#corrupt.has(`${table}/${id}`)) onDamage(bytes)
      }
  }

  async claim(digest: Digest): Promise<Claim | undefined> {
    const taking = this.#take(CLAIM_NAME.test(digest) ? digest : digestOf(digest))
    if ('heldBy' in taking) {
      this.#patience.waitsFor(taking.heldBy, digest)
      return undefined
    }
    this.#patience.over(digest)
    // Whoever held the claim before may have stored the result since this turn's first read.
    this.#parts.index.refresh()
    return {
      release: async () => {
        taking.release()
      },
    }
  }

  /**
   * Gives back the disk space of removed and overwritten records. Nobody else may have the store open; who wants
   * to open it waits.
   * @param leastUnused share of a file that must be of no use for it to be written anew
   * @throws ProblemError `cache/in-use`
   */
  async compact({ leastUnused }: { readonly leastUnused?: number } = {}): Promise<Compaction> {
    const { index } = this.#parts
    const claims = this.#requireWritable()
    return this.exclusively(async () => {
      await this.#committer.leaveSegment()
      // Everything kept must go to a segment that is not itself about to be rewritten.
      const committer = new Committer({
        ...this.#parts,
        takeSegment: () => this.#takeSegment({ fresh: true }),
        requireOwn: () => undefined,
      })
      try {
        return await compactSegments({ index, files: this.#files, committer, claims }, leastUnused)
      } finally {
        await committer.leaveSegment()
      }
    })
  }

  /** Runs `work` while nobody else has the store open; who wants to open it waits. @throws ProblemError `cache/in-use` */
  async exclusively<T>(work: () => Promise<T>): Promise<T> {
    const claims = this.#requireWritable()
    return alone(claims, this.#patience, async () => {
      const others = claims.others()
      if (others.length > 0) throw inUse(this.#parts.folder, others)
      return work()
    })
  }

  async close(): Promise<void> {
    this.#closing ??= this.#close()
    await this.#closing
  }

  async #close(): Promise<void> {
    const { index, claims, onClosed } = this.#parts
    await this.#committer.leaveSegment()
    this.#files.close()
    // After a failed write nobody vouches for the index, and LMDB may not read it: it is read in full when it is opened next.
    const extent = this.#committer.isBroken ? undefined : index.extent()
    await index.close()
    if (extent !== undefined) await onClosed(extent)
    claims?.close()
  }

  #take(name: string): Taking {
    const claims = this.#requireWritable()
    try {
      return claims.take(name)
    } catch (error) {
      throw writeProblem(this.#parts.folder, error)
    }
  }

  /** The value's bytes, valid until the next read. A wrong record is told of and counts as none. */
  payload(table: StoreTable, id: string): Buffer | undefined {
    return this.#lookUp(table, id, readPayload)
  }

  #lookUp<T>(
    table: StoreTable,
    id: string,
    read: (record: Buffer, key: Buffer) => T | undefined,
  ): T | undefined {
    this.#requireOpen()
    const key = recordKey(table, id)
    const indexed = indexKey(key)
    let location = this.#parts.index.get(indexed)
    if (location === undefined) return undefined
    const record = this.#files.read(location)
    let found = record === undefined ? undefined : read(record, key)
    if (found === undefined) {
      // Another process may have moved the record and deleted its segment.
      this.#files.refresh()
      this.#parts.index.refresh()
      location = this.#parts.index.get(indexed)
      if (location === undefined) return undefined
      const again = this.#files.read(location)
      found = again === undefined ? undefined : read(again, key)
    }
    if (found === undefined) this.#tellCorrupt(table, id)
    return found
  }

  #tellCorrupt(table: StoreTable, id: string): void {
    const name = `${table}/${id}`
    if (this.#corrupt.has(name)) return
    this.#corrupt.add(name)
    this.#parts.onEvent({ type: 'store-corrupt-record', table, id })
  }

  #keyAt(location: Location): Buffer {
    const record = this.#files.read(location)
    return (record && ownKey(record)) ?? Buffer.alloc(0)
  }

  /** A segment left by its owner, or a new one. */
  async #takeSegment({ fresh }: { fresh: boolean }): Promise<OwnSegment> {
    const { index, folder, claims } = this.#parts
    if (claims === undefined) throw readOnlyStore(folder)
    const onDisk = listSegments(valuesFolder(folder))
    const taken = await index.takeSegment(claims.self, (segments) => {
      const free = segments.find(({ segment, owner }) => {
        const size = this.#files.size(segment) ?? SEGMENT_LIMIT
        // Behind a cut, what is written now would count as listed long ago.
        const isCut = size < (index.end(segment) ?? 0)
        return (owner === '' || claims.hasEnded(owner)) && size < SEGMENT_LIMIT && !isCut
      })
      if (free !== undefined && !fresh) return free.segment
      return Math.max(0, ...onDisk, ...segments.map(({ segment }) => segment)) + 1
    })
    if (taken === undefined) throw new Error('unreachable: a segment is always chosen')
    const { segment, epoch } = taken
    return { writer: await SegmentWriter.open(segment, this.#files.path(segment)), epoch, counter: 0 }
  }

  #requireOpen(): void {
    if (this.#closing !== undefined) throw new Error('the store is closed')
  }

  #requireWritable(): Claims {
    this.#requireOpen()
    const { claims, folder, readOnly } = this.#parts
    if (claims === undefined || readOnly) throw readOnlyStore(folder)
    return claims
  }
}
