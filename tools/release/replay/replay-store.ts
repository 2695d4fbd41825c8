import { memoryStore } from '../../../cache/memory-store.ts'
import type { Store } from '../../../cache/store.ts'

/**
 * A store for scoring runs of a release: what is computed on the way stays in memory, replies that are paid for go to
 * `base`, and both are read from the release's own replies first.
 */
export const replayStore = (replies: Store, base: Store): Store => {
  const computed = memoryStore()
  return {
    get: (table, id) =>
      table === 'completions' ? (replies.get(table, id) ?? base.get(table, id)) : computed.get(table, id),
    has: (table, id) =>
      table === 'completions' ? replies.has(table, id) || base.has(table, id) : computed.has(table, id),
    requireRoom: () => base.requireRoom(),
    put: (table, id, value) => (table === 'completions' ? base : computed).put(table, id, value),
    remove: (table, id) => computed.remove(table, id),
    entries: (table) => computed.entries(table),
    claim: (digest) => base.claim(digest),
    close: () => computed.close(),
  }
}
