import { checkIndex } from './lmdb/check-index.ts'
import { indexKey, parseRecordKey, tableOfKey } from './lmdb/index-key.ts'
import { decodeLocation } from './lmdb/location.ts'
import { HEADER_SIZE, readHeader, readPayload } from './log/record.ts'
import { listSegments, SegmentFiles } from './log/segment-files.ts'
import { scanSegments } from './log/scan-segment.ts'
import { RecordTally } from './record-tally.ts'
import { alone, enterFolder, indexFile, MISSING, prepareFolder, valuesFolder } from './store-folder.ts'
import { inUse } from './store-problems.ts'
import { Patience } from './claims/patience.ts'
import type { StoreEvent, StoreTable } from './store.ts'

/** What a look at every byte of a store found. */
export interface StoreReport {
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
}

const nameOf = (key: Buffer): string => {
  const parsed = parseRecordKey(key)
  return parsed === undefined ? key.toString('hex') : `${parsed.table}/${parsed.id}`
}

/** The record's own key if all of it is as it was written and belongs to the index key. */
const readableKey = (record: Buffer | undefined, key: Buffer): Buffer | undefined => {
  const header = record === undefined ? undefined : readHeader(record)
  if (record === undefined || header === undefined) return undefined
  const own = record.subarray(HEADER_SIZE, HEADER_SIZE + header.keySize)
  return readPayload(record, own) !== undefined && indexKey(own).equals(key) ? own : undefined
}

const verifyByIndex = (folder: string, files: SegmentFiles): StoreReport => {
  const tally = new RecordTally()
  const unreadable: string[] = []
  const page = checkIndex(indexFile(folder), (key, data) => {
    if (tableOfKey(key) === undefined) return
    const location = decodeLocation(data)
    const record = location && files.read(location.segment, location.offset, location.size)
    const own = readableKey(record, key)
    if (own === undefined) unreadable.push(nameOf(key))
    else tally.add(own)
  })
  const isEmpty = page === undefined && listSegments(valuesFolder(folder)).length === 0
  const indexDamage = typeof page === 'string' ? page : page === undefined && !isEmpty ? MISSING : undefined
  return {
    sound: indexDamage === undefined && unreadable.length === 0,
    indexDamage,
    records: tally.counts,
    unreadable,
  }
}

const verifyByLog = (folder: string, indexDamage: string): StoreReport => {
  const tally = new RecordTally()
  for (const { finding } of scanSegments(valuesFolder(folder)))
    if (finding.type === 'record' && finding.header.kind === 'value') tally.add(finding.key)
  return { sound: false, indexDamage, records: tally.counts, unreadable: [] }
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
  prepareFolder(folder, { readOnly: true, mayLackIndex: true })
  const claims = enterFolder(folder, { readOnly: true })
  const files = new SegmentFiles(valuesFolder(folder))
  try {
    return await alone(claims, new Patience(onEvent), async () => {
      const others = claims?.others() ?? []
      if (others.length > 0) throw inUse(folder, others)
      const report = verifyByIndex(folder, files)
      return report.indexDamage === undefined ? report : verifyByLog(folder, report.indexDamage)
    })
  } finally {
    files.close()
    claims?.close()
  }
}
