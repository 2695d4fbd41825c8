import { digestOf } from '../values/digest.ts'
import { encodeJson } from '../values/encode-json.ts'
import type { Json } from '../values/json.ts'
import { RecentTexts } from '../values/recent-texts.ts'
import type { Store, StoreEvent, StoreTable } from '../store.ts'
import type { VaultKey } from './vault-key.ts'

/**
 * A store whose values and names only its key can read. `inner` sees keyed hashes and ciphertext, sizes and tables.
 * A value that does not open is a miss, reported as `store-corrupt-record`, as one whose checksum is wrong.
 */
export const sealedStore = (inner: Store, key: VaultKey, onEvent: (event: StoreEvent) => void): Store => {
  const recent = new RecentTexts()
  const placeOf = (table: StoreTable, id: string): string => `${table}/${id}`
  const nameOf = (table: StoreTable, id: string): string => key.name(placeOf(table, id))
  /** The value is bound to its name; its id lies beside it, for listings. */
  const read = (
    table: StoreTable,
    name: string,
  ): { readonly id: string; readonly value: Json } | undefined => {
    const sealed = inner.get(table, name)
    if (sealed === undefined) return undefined
    const text = typeof sealed === 'string' ? key.open(Buffer.from(sealed, 'base64'), name) : undefined
    if (text === undefined) {
      onEvent({ type: 'store-corrupt-record', table, id: name })
      return undefined
    }
    const [id, value] = JSON.parse(text) as [string, Json]
    return { id, value }
  }
  return {
    get: (table, id) => {
      const text = recent.get(table, id)
      return text === undefined ? read(table, nameOf(table, id))?.value : (JSON.parse(text) as Json)
    },
    has: (table, id) => read(table, nameOf(table, id)) !== undefined,
    requireRoom: () => inner.requireRoom(),
    put: async (table, id, value) => {
      const name = nameOf(table, id)
      const text = encodeJson(value)
      await inner.put(table, name, key.seal(`[${JSON.stringify(id)},${text}]`, name).toString('base64'))
      recent.add(table, id, text)
    },
    remove: async (table, id) => {
      await inner.remove(table, nameOf(table, id))
      recent.remove(id)
    },
    entries: function* (table) {
      const entries = [...inner.entries(table)].flatMap(({ id: name, bytes }) => {
        const found = read(table, name)
        return found === undefined ? [] : [{ id: found.id, bytes }]
      })
      yield* entries.sort((a, b) => (a.id < b.id ? -1 : 1))
    },
    claim: (digest) => inner.claim(digestOf(key.name(digest))),
    close: () => inner.close(),
  }
}
