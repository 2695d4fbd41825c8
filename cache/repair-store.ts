import { existsSync, renameSync, rmSync } from 'node:fs'
import { DEFAULT_RESERVE, requireSpace } from './disk-space.ts'
import { indexKey, type Location } from './lmdb/index-entry.ts'
import { checkIndex } from './lmdb/check-pages.ts'
import { lockFile, seal, sealFile } from './lmdb/index-files.ts'
import { requireFormatOf, ValueIndex, type IndexChange } from './lmdb/value-index.ts'
import { isLater, type Order } from './log/record.ts'
import { scanSegments } from './log/scan-segment.ts'
import { listSegments, SegmentFiles } from './log/segment-files.ts'
import { syncFolder } from './files/folders.ts'
import { RecordTally } from './verify-store.ts'
import { CommitGate } from './claims/holding.ts'
import type { Patience } from './claims/claims.ts'
import type { StoreEvent, StoreTable } from './store.ts'
import { inClosedStore, indexFile, valuesFolder } from './store-folder.ts'

/** What a repair brought back. */
interface RepairReport {
  /** Records of the repaired store. */
  readonly records: ReadonlyMap<StoreTable, number>
  /** Bytes of the log that are no record, among them those of puts that were never finished. */
  readonly lostBytes: number
  /** Where the old index is now; undefined where there was none. */
  readonly kept: string | undefined
}

const BATCH = 2000

type Change = IndexChange & { readonly location: Location; readonly order: Order }

/** Builds an index from the log: of several records of a key, the last counts. */
class Rebuild {
  readonly #index: ValueIndex
  readonly #files: SegmentFiles
  #batch: Change[] = []
  readonly #removals: Buffer[] = []
  #lastEpoch = 0
  lostBytes = 0

  constructor(index: ValueIndex, files: SegmentFiles) {
    this.#index = index
    this.#files = files
  }

  async run(folder: string): Promise<void> {
    for (const { segment, finding } of scanSegments(valuesFolder(folder))) {
      if (finding.type !== 'record') {
        this.lostBytes += finding.size
        continue
      }
      const { header, offset, size } = finding
      const key = indexKey(Buffer.from(finding.key))
      this.#lastEpoch = Math.max(this.#lastEpoch, header.epoch)
      if (header.kind === 'removal') this.#removals.push(key)
      this.#batch.push({ key, location: { segment, offset, size }, order: header })
      if (this.#batch.length >= BATCH) await this.#flush()
    }
    await this.#flush()
    const segments = listSegments(valuesFolder(folder))
    await this.#index.adopt(segments, this.#lastEpoch)
    // Until now the removals stood in the index like values, to outdo what they removed.
    const removed = this.#removals.filter(
      (key) => this.#files.header(this.#index.get(key))?.kind === 'removal',
    )
    const ends = new Map(segments.map((segment) => [segment, this.#files.size(segment) ?? 0]))
    await this.#index.apply(
      removed.map((key) => ({ key })),
      ends,
    )
  }

  async #flush(): Promise<void> {
    await this.#index.applyWhere(this.#batch, ({ order }, present) => {
      const before = this.#files.header(present)
      return before === undefined || isLater(order, before)
    })
    this.#batch = []
  }
}

const countRecords = (index: ValueIndex): ReadonlyMap<StoreTable, number> => {
  const tally = new RecordTally()
  for (const { key } of index.entries()) tally.add(key)
  return tally.counts
}

const unusedName = (file: string): string => {
  let n = 1
  while (existsSync(`${file}.damaged-${n}`)) n++
  return `${file}.damaged-${n}`
}

const removeIndex = (file: string): void => {
  for (const name of [file, lockFile(file), sealFile(file)]) rmSync(name, { recursive: true, force: true })
}

/** Puts the new index in the place of the old one, which stays under another name. */
const exchange = async (folder: string, rebuilt: string): Promise<string | undefined> => {
  const file = indexFile(folder)
  const kept = existsSync(file) ? unusedName(file) : undefined
  if (kept !== undefined) renameSync(file, kept)
  removeIndex(file)
  renameSync(rebuilt, file)
  removeIndex(rebuilt)
  syncFolder(folder)
  await seal(file)
  return kept
}

const rebuildIndex = async (folder: string, patience: Patience): Promise<RepairReport> => {
  requireSpace(folder, 0, DEFAULT_RESERVE)
  const file = indexFile(folder)
  if (existsSync(file)) checkIndex(file, (key, data) => requireFormatOf(file, key, data))
  const rebuilt = `${file}.rebuilt`
  removeIndex(rebuilt)
  const files = new SegmentFiles(valuesFolder(folder))
  const index = await ValueIndex.open(rebuilt, {
    readOnly: false,
    gate: new CommitGate(undefined, patience),
  })
  const rebuild = new Rebuild(index, files)
  let records: ReadonlyMap<StoreTable, number>
  try {
    await rebuild.run(folder)
    records = countRecords(index)
  } finally {
    files.close()
    await index.close()
  }
  return { records, lostBytes: rebuild.lostBytes, kept: await exchange(folder, rebuilt) }
}

/**
 * Builds the index anew from the records in the log whose checksums match. The old index stays beside it as
 * `index.lmdb.damaged-<n>`, the log is not touched.
 * @throws ProblemError `cache/in-use`, `cache/disk-full` and those of `openStore` but `cache/damaged`
 */
export const repairStore = (
  folder: string,
  onEvent: (event: StoreEvent) => void = () => undefined,
): Promise<RepairReport> =>
  inClosedStore(folder, { readOnly: false, onEvent }, ({ patience }) => rebuildIndex(folder, patience))
