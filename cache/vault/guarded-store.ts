import type { Store, StoreTable } from '../store.ts'

/** What is made of texts, or points at them. */
const SEALED: ReadonlySet<StoreTable> = new Set([
  'instances',
  'prompts',
  'completions',
  'annotations',
  'metrics',
  'ledger',
  'batches',
])

/**
 * What a target of restricted access sees as its store: whatever holds or names texts lies in the vault; records and the
 * traces that lead to them, which hold figures and digests, lie in the open, so that a run with nothing to do needs no key.
 * Neither store ever answers for the other.
 */
export const guardedStore = (open: Store, vault: Store): Store => {
  const storeFor = (table: StoreTable, id: string): Store => (isSealed(table, id) ? vault : open)
  return {
    get: (table, id) => storeFor(table, id).get(table, id),
    has: (table, id) => storeFor(table, id).has(table, id),
    requireRoom: () => vault.requireRoom(),
    put: (table, id, value) => storeFor(table, id).put(table, id, value),
    remove: (table, id) => storeFor(table, id).remove(table, id),
    entries: function* (table) {
      for (const store of SEALED.has(table) ? [vault] : [open, vault]) yield* store.entries(table)
    },
    claim: (digest) => vault.claim(digest),
    close: async () => {
      await vault.close()
      await open.close()
    },
  }
}

/**
 * Of records the rows of digests; of traces the last build's key, which repeats the instructions; of notes the lists of
 * instances, whose ids may be patients', their values, and digests of answers and of what was imported, which could be guessed.
 */
const isSealed = (table: StoreTable, id: string): boolean =>
  SEALED.has(table) ||
  (table === 'records' && id.includes(':')) ||
  (table === 'traces' && id.startsWith('last:')) ||
  (table === 'files' && /^(?:ids|sample|answers|imported):/.test(id))
