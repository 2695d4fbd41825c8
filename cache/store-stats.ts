import { statSync } from 'node:fs'
import { freeSpace } from './disk-space.ts'
import { listSegments, SegmentFiles } from './log/segment-files.ts'
import { openStore } from './open-store.ts'
import { TABLES, type StoreEvent, type StoreTable } from './store.ts'
import { indexFile, valuesFolder } from './store-folder.ts'

interface TableStats {
  readonly table: StoreTable
  readonly records: number
  readonly bytes: number
}

/** Sizes in bytes. */
interface StoreStats {
  readonly tables: readonly TableStats[]
  readonly indexBytes: number
  readonly valuesBytes: number
  /** Of the values' files: removed, overwritten or never finished records. */
  readonly unusedBytes: number
  readonly segments: number
  readonly freeDiskBytes: number
}

/** Counts a store's records. @throws ProblemError as `openStore` for reading does */
export const storeStats = async (path: string, onEvent: (event: StoreEvent) => void): Promise<StoreStats> => {
  const store = await openStore({ path, readOnly: true, onEvent })
  const files = new SegmentFiles(valuesFolder(path))
  try {
    const tables = TABLES.map((table) => {
      let records = 0
      let bytes = 0
      for (const entry of store.entries(table)) {
        records++
        bytes += entry.bytes
      }
      return { table, records, bytes }
    })
    const segments = listSegments(valuesFolder(path))
    const valuesBytes = segments.reduce((sum, segment) => sum + (files.size(segment) ?? 0), 0)
    return {
      tables,
      indexBytes: statSync(indexFile(path)).size,
      valuesBytes,
      // What the index names may have vanished.
      unusedBytes: Math.max(0, valuesBytes - tables.reduce((sum, { bytes }) => sum + bytes, 0)),
      segments: segments.length,
      freeDiskBytes: freeSpace(path),
    }
  } finally {
    await store.close()
  }
}
