import { encodeJson } from './values/encode-json.ts'
import type { Digest } from './values/digest.ts'
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
