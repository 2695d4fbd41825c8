import { encodeJson, isShared } from '../values/encoded.ts'
import { storeOver, type Store } from '../store.ts'
import type { TierLog } from './tier-log.ts'

const inners = new WeakMap<Store, Store>()

/** The store itself, of one that goes to a tier as well. */
export const innerStore = (store: Store): Store => inners.get(store) ?? store

/**
 * A store whose shared values go to a tier as well: what was paid for is told to be there once it lies in both. All else,
 * and all reading, is the store's.
 * @param log is asked for with the first such value
 * @param claim where not only those who share the store may want the same
 */
export const tieredStore = (inner: Store, log: () => TierLog, claim?: Store['claim']): Store => {
  const store = storeOver(inner, {
    put: async (table, id, value) => {
      if (!isShared(table)) return inner.put(table, id, value)
      await Promise.all([log().put(table, id, encodeJson(value)), inner.put(table, id, value)])
    },
    ...(claim && { claim }),
  })
  inners.set(store, inner)
  return store
}
