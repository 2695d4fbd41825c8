import { underWay } from './lists.ts'
import type { Store, StoreTable } from './store.ts'

/** Ids that must stay, by table, in the order of `TABLES`. A table that is not named is left alone. */
export type Reachable = ReadonlyMap<StoreTable, ReadonlySet<string>>

interface TableGarbage {
  readonly table: StoreTable
  readonly kept: number
  readonly removed: number
  /** Of the removed records, as the store lists them. */
  readonly removedBytes: number
}

const REMOVALS_AT_ONCE = 1000

const collectTable = async (
  store: Store,
  table: StoreTable,
  reachable: ReadonlySet<string>,
  dryRun: boolean,
): Promise<TableGarbage> => {
  let kept = 0
  let removed = 0
  let removedBytes = 0
  const removals = underWay(REMOVALS_AT_ONCE)
  for (const { id, bytes } of store.entries(table)) {
    if (reachable.has(id)) {
      kept++
      continue
    }
    removed++
    removedBytes += bytes
    if (!dryRun) await removals.add(store.remove(table, id))
  }
  await removals.ended()
  return { table, kept, removed, removedBytes }
}

/**
 * Removes all records that are not reachable, or only tells which would go (`dryRun`).
 * Disk space comes back with `DiskStore.compact`. What another process stores meanwhile may be removed, too:
 * the caller makes sure that none is running, or that its results are reachable.
 */
export const collectGarbage = async (
  store: Store,
  reachable: Reachable,
  options: { readonly dryRun: boolean },
): Promise<TableGarbage[]> => {
  const report: TableGarbage[] = []
  // Those behind are made from those before: who is killed on the way leaves nothing that stands on what is gone.
  for (const [table, ids] of [...reachable].toReversed())
    report.unshift(await collectTable(store, table, ids, options.dryRun))
  return report
}
