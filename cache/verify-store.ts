import { existsSync } from 'node:fs'
import { checkIndex } from './lmdb/check-pages.ts'
import { indexKey, parseRecordKey, tableOfKey, decodeLocation } from './lmdb/index-entry.ts'
import { stateOf } from './lmdb/index-files.ts'
import { requireFormatOf } from './lmdb/value-index.ts'
import { isLater, ownKey, readPayload, type RecordHeader } from './log/record.ts'
import { listSegments, SegmentFiles } from './log/segment-files.ts'
import { scanSegments } from './log/scan-segment.ts'
import { inUse } from './store-problems.ts'
import { type StoreEvent, type StoreTable, TABLES } from './store.ts'
import { inClosedStore, indexFile, isVault, MISSING, valuesFolder } from './store-folder.ts'

/** What a look at every byte of a store found. */
interface StoreReport {
  /** The index is sound and all that it names can be read. */
  readonly sound: boolean
  /** What is wrong with the index; undefined where nothing is. */
  readonly indexDamage: string | undefined
  /**
   * Records that can be read. With a damaged index these are counted in the log, where a record that was
   * overwritten counts as well.
   */
  readonly records: ReadonlyMap<StoreTable, number>
  /** Keys (table and id, or raw) of the records that the index names and that can't be read. */
  readonly unreadable: readonly string[]
  /**
   * Keys that the log has a later word on than the index: of puts that were stopped before anyone was told of them, or
   * lost by an index that earlier versions kept. A repair brings them back.
   */
  readonly unindexed: number
  /** Entries of the ledger that are sealed and lie in no vault, or the other way round: the log is another store's. */
  readonly misplaced: number
}

const nameOf = (key: Buffer): string => {
  const parsed = parseRecordKey(key)
  return parsed === undefined ? key.toString('hex') : `${parsed.table}/${parsed.id}`
}

/** The record's own key, and its value, if all of it is as it was written and belongs to the index key. */
const readable = (
  record: Buffer | undefined,
  key: Buffer,
): { readonly own: Buffer; readonly payload: Buffer } | undefined => {
  const own = record && ownKey(record)
  if (record === undefined || own === undefined || !indexKey(own).equals(key)) return undefined
  const payload = readPayload(record, own)
  return payload && { own, payload }
}

/** What a vault seals is a text, and an entry of the ledger is none elsewhere. */
const QUOTE = 0x22

/** One number for a place in the log. */
const placeOf = (segment: number, offset: number): number => segment * 2 ** 32 + offset

const isSame = (one: RecordHeader, other: RecordHeader): boolean =>
  one.kind === other.kind && one.payloadSum === other.payloadSum && one.payloadSize === other.payloadSize

/** How many keys the log has a later word on than the index, which names the places `indexed`. */
const countUnindexed = (folder: string, files: SegmentFiles, indexed: ReadonlySet<number>): number => {
  const last = new Map<string, RecordHeader>()
  for (const { segment, finding } of scanSegments(valuesFolder(folder))) {
    if (finding.type !== 'record' || indexed.has(placeOf(segment, finding.offset))) continue
    const key = indexKey(Buffer.from(finding.key)).toString('latin1')
    const before = last.get(key)
    if (before === undefined || isLater(finding.header, before)) last.set(key, finding.header)
  }
  const present = new Set<string>()
  if (last.size > 0)
    checkIndex(indexFile(folder), (raw, data) => {
      const key = raw.toString('latin1')
      const header = last.get(key)
      const location = header && decodeLocation(data)
      const named = files.header(location)
      if (header === undefined || named === undefined) return
      // Two processes may have stored the very same.
      if (isLater(header, named) && !isSame(header, named)) present.add(key)
      else last.delete(key)
    })
  return [...last].filter(([key, { kind }]) => kind === 'value' || present.has(key)).length
}

const verifyByIndex = (folder: string, files: SegmentFiles): StoreReport => {
  const tally = new RecordTally()
  const unreadable: string[] = []
  const indexed = new Set<number>()
  const sealed = isVault(folder)
  let misplaced = 0
  const page = checkIndex(indexFile(folder), (key, data) => {
    const table = tableOfKey(key)
    if (table === undefined) return requireFormatOf(indexFile(folder), key, data)
    const location = decodeLocation(data)
    const record = location && files.read(location)
    if (location !== undefined) indexed.add(placeOf(location.segment, location.offset))
    const found = readable(record, key)
    if (found === undefined) unreadable.push(nameOf(key))
    else tally.add(found.own)
    if (found === undefined || sealed === undefined || table !== 'ledger') return
    if ((found.payload[0] === QUOTE) !== sealed) misplaced++
  })
  const isEmpty = page === undefined && listSegments(valuesFolder(folder)).length === 0
  const indexDamage = typeof page === 'string' ? page : page === undefined && !isEmpty ? MISSING : undefined
  return {
    sound: indexDamage === undefined && unreadable.length === 0 && misplaced === 0,
    indexDamage,
    misplaced,
    records: tally.counts,
    unreadable,
    unindexed: indexDamage === undefined ? countUnindexed(folder, files, indexed) : 0,
  }
}

const verifyByLog = (folder: string, indexDamage: string): StoreReport => {
  const tally = new RecordTally()
  for (const { finding } of scanSegments(valuesFolder(folder)))
    if (finding.type === 'record' && finding.header.kind === 'value') tally.add(finding.key)
  return { sound: false, indexDamage, records: tally.counts, unreadable: [], unindexed: 0, misplaced: 0 }
}

/** Looks of who can't keep others from writing meanwhile. */
const LOOKS = 10

/**
 * What two looks agree on, between which nothing was written: one at an index that is written to may see half of a change.
 * A sound store needs no second look. @throws ProblemError `cache/in-use`
 */
const agreed = (folder: string, look: () => StoreReport): StoreReport => {
  const state = (): string => (existsSync(indexFile(folder)) ? stateOf(indexFile(folder)) : 'there is none')
  let before = ''
  for (let looks = 0; looks < LOOKS; looks += 1) {
    const start = state()
    const report = look()
    const seen = `${state()} ${JSON.stringify([report, [...report.records]])}`
    if (seen.startsWith(`${start} `) && (report.sound || seen === before)) return report
    before = seen
  }
  throw inUse(folder, [])
}

/**
 * Reads every record of a store and compares its checksums. Changes nothing, and no damage can end the process:
 * LMDB is not asked.
 * @throws ProblemError `cache/in-use` and those of `openStore` but `cache/damaged`
 */
export const verifyStore = async (
  folder: string,
  onEvent: (event: StoreEvent) => void = () => undefined,
): Promise<StoreReport> => {
  const files = new SegmentFiles(valuesFolder(folder))
  const look = (): StoreReport => {
    files.refresh()
    const report = verifyByIndex(folder, files)
    return report.indexDamage === undefined ? report : verifyByLog(folder, report.indexDamage)
  }
  try {
    return await inClosedStore(folder, { readOnly: true, onEvent }, async ({ claims }) =>
      claims === undefined ? agreed(folder, look) : look(),
    )
  } finally {
    files.close()
  }
}

/** Counts records by table; tables without any count 0. */
export class RecordTally {
  readonly counts = new Map<StoreTable, number>(TABLES.map((table) => [table, 0]))

  /** Counts a record by its key; other keys count for nothing. */
  add(key: Buffer): void {
    const table = tableOfKey(key)
    if (table !== undefined) this.counts.set(table, (this.counts.get(table) ?? 0) + 1)
  }
}
