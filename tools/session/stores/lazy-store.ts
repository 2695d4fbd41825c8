import type { Claim, Store } from '../../../cache/store.ts'

/**
 * A store that comes into being with its first write: a run that ends in the user's own mistake leaves no folder behind.
 * Until then it is empty.
 */
export const lazyStore = (open: () => Promise<Store>): Store => {
  let opening: Promise<Store> | undefined
  let store: Store | undefined
  const opened = async (): Promise<Store> => {
    opening ??= open()
    store = await opening
    return store
  }
  return {
    get: (table, id) => store?.get(table, id),
    has: (table, id) => store?.has(table, id) ?? false,
    requireRoom: () => store?.requireRoom(),
    put: async (table, id, value) => (store ?? (await opened())).put(table, id, value),
    remove: async (table, id) => store?.remove(table, id),
    entries: (table) => store?.entries(table) ?? [],
    claim: async (digest): Promise<Claim | undefined> => (store ?? (await opened())).claim(digest),
    close: async () => {
      await (await opening)?.close()
    },
  }
}
