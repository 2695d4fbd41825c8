import { canonicalJson } from './values/digest.ts'
import type { Json } from './values/json.ts'
import type { Store, StoredEntry, StoreTable } from './store.ts'

/** Reads fall through to `base`, writes stay in memory: for finding out what would run without writing anything. */
export const overlayStore = (base: Store): Store => {
  const written = new Map<string, Json>()
  const idOf = (table: StoreTable, id: string): string => `${table}/${id}`
  return {
    get: (table, id) => written.get(idOf(table, id)) ?? base.get(table, id),
    has: (table, id) => written.has(idOf(table, id)) || base.has(table, id),
    requireRoom: () => undefined,
    put: async (table, id, value) => {
      written.set(idOf(table, id), value)
    },
    remove: async (table, id) => {
      written.delete(idOf(table, id))
    },
    entries: function* (table): Iterable<StoredEntry> {
      const prefix = `${table}/`
      for (const [id, value] of written)
        if (id.startsWith(prefix)) yield { id: id.slice(prefix.length), bytes: canonicalJson(value).length }
      yield* base.entries(table)
    },
    claim: () => Promise.reject(new TypeError('an overlay store makes no results')),
    close: () => base.close(),
  }
}
