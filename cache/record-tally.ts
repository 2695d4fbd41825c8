import { tableOfKey } from './lmdb/index-key.ts'
import { TABLES, type StoreTable } from './store.ts'

/** Counts records by table; tables without any count 0. */
export class RecordTally {
  readonly counts = new Map<StoreTable, number>(TABLES.map((table) => [table, 0]))

  /** Counts a record by its key; other keys count for nothing. */
  add(key: Buffer): void {
    const table = tableOfKey(key)
    if (table !== undefined) this.counts.set(table, (this.counts.get(table) ?? 0) + 1)
  }
}
