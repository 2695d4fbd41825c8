import { encodeJson } from './values/encoded.ts'
import { type Digest, canonicalJson } from './values/digest.ts'
import type { Json } from './values/json.ts'
import { TABLES, type Claim, type Store, type StoredEntry, type StoreTable } from './store.ts'

/** A store that ends with its process: for tests and dry runs. Values are kept as text, so that none is shared. */
class MemoryStore implements Store {
  readonly #tables = new Map(TABLES.map((table) => [table, new Map<string, string>()]))
  readonly #claims = new Set<string>()
  #closed = false

  get(table: StoreTable, id: string): Json | undefined {
    const text = this.#table(table).get(id)
    return text === undefined ? undefined : (JSON.parse(text) as Json)
  }

  has(table: StoreTable, id: string): boolean {
    return this.#table(table).has(id)
  }

  requireRoom(): void {
    this.#requireOpen()
  }

  async put(table: StoreTable, id: string, value: Json): Promise<void> {
    this.#table(table).set(id, encodeJson(value))
  }

  async remove(table: StoreTable, id: string): Promise<void> {
    this.#table(table).delete(id)
  }

  *entries(table: StoreTable): Generator<StoredEntry, void, undefined> {
    const entries = [...this.#table(table)].sort(([a], [b]) => (a < b ? -1 : 1))
    for (const [id, text] of entries) yield { id, bytes: Buffer.byteLength(text) }
  }

  async claim(digest: Digest): Promise<Claim | undefined> {
    this.#requireOpen()
    if (this.#claims.has(digest)) return undefined
    this.#claims.add(digest)
    let held = true
    return {
      release: async () => {
        if (held) this.#claims.delete(digest)
        held = false
      },
    }
  }

  async close(): Promise<void> {
    this.#closed = true
  }

  #table(table: StoreTable): Map<string, string> {
    this.#requireOpen()
    const found = this.#tables.get(table)
    if (found === undefined) throw new RangeError(`there is no table ${table}`)
    return found
  }

  #requireOpen(): void {
    if (this.#closed) throw new Error('the store is closed')
  }
}

/** Starts an empty store in memory. */
export const memoryStore = (): Store => new MemoryStore()

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
