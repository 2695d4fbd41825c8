import type { Digest } from './values/digest.ts'
import type { Json } from './values/json.ts'

/** One table a kind of result; the digest is sha256 of the result's canonical key. */
export const TABLES = [
  'instances',
  'prompts',
  'completions',
  'annotations',
  'metrics',
  'records',
  'failures',
  'traces',
  'files',
  'ledger',
  'batches',
] as const

/** Tables of what was paid for: it is kept on a nearly full disk, too. */
export const PAID: ReadonlySet<StoreTable> = new Set<StoreTable>(['completions', 'ledger', 'batches'])

export type StoreTable = (typeof TABLES)[number]

/** What the store reports; none of these ends a run by itself. */
export type StoreEvent =
  | { readonly type: 'store-corrupt-record'; readonly table: StoreTable; readonly id: string }
  /** Told after some seconds. `digest`: of the result that the other process makes; absent where it opens the store. */
  | {
      readonly type: 'store-waiting'
      readonly digest?: string
      /** Process id. */
      readonly holder: number
      /** It does nothing: SIGSTOP. */
      readonly stopped: boolean
    }
  /**
   * Nobody has it open, and the log holds what the index had not listed: of a process that was stopped, or behind an index
   * that went back. So many records are listed now; 0: the index may not be written to, or there is no room.
   */
  | { readonly type: 'store-behind'; readonly listed: number }
  /** It is an older one than this user used here before, or there is none any more: it holds so much less. */
  | { readonly type: 'store-older'; readonly folder: string; readonly bytes: number }
  /** What was taken over from a tier: values that the store lacked, of how many bytes nothing could be read. */
  | { readonly type: 'tier-read'; readonly added: number; readonly damagedBytes: number }
  /** Earlier attempts at this shard did not say that they ended: they are given so many seconds to stop. */
  | { readonly type: 'tier-waiting'; readonly attempts: number; readonly seconds: number }
  /** A tier holds values sealed with another key than the vault's: what they answer is asked again. */
  | { readonly type: 'tier-other-key'; readonly place: string }

/** A record as a listing shows it. `bytes` is what it takes on disk, its header and key counted in. */
export interface StoredEntry {
  readonly id: string
  readonly bytes: number
}

/**
 * A key-value store of JSON values, safe for several processes at once.
 * Reads are synchronous. `put` resolves once the value is on disk: only then may anyone be told it exists.
 * A record whose checksum does not match is a miss, reported as `store-corrupt-record`.
 * Throws ProblemError (`cache/…` codes) when the disk is nearly full or the file is damaged.
 */
export interface Store {
  get(table: StoreTable, id: string): Json | undefined
  /** True where `get` would give a value: the record's checksum is looked at, too. */
  has(table: StoreTable, id: string): boolean
  /**
   * To be asked before work that costs money is begun. What was paid for (`PAID`) may then use the reserve.
   * @throws ProblemError `cache/disk-full` where the disk is down to its reserve, or what made a write fail before
   */
  requireRoom(): void
  /** @throws TypeError for NaN, infinities and whatever else JSON can't hold. */
  put(table: StoreTable, id: string, value: Json): Promise<void>
  remove(table: StoreTable, id: string): Promise<void>
  /** Every record of a table, ordered by id. Records written or removed meanwhile may or may not be in it. */
  entries(table: StoreTable): Iterable<StoredEntry>
  /**
   * Takes the exclusive right to produce the result `digest`, across processes.
   * Undefined while another live process holds it; a dead holder's claim is taken over.
   */
  claim(digest: Digest): Promise<Claim | undefined>
  /** Waits for all puts, gives back all claims. A closed store throws on every call but this. */
  close(): Promise<void>
}

export interface Claim {
  release(): Promise<void>
}

/** A store with some methods of its own and the rest of `inner`, each by name: one of a class loses them where it is spread. */
export const storeOver = (inner: Store, own: Partial<Store>): Store => ({
  get: (table, id) => inner.get(table, id),
  has: (table, id) => inner.has(table, id),
  requireRoom: () => inner.requireRoom(),
  put: (table, id, value) => inner.put(table, id, value),
  remove: (table, id) => inner.remove(table, id),
  entries: (table) => inner.entries(table),
  claim: (digest) => inner.claim(digest),
  close: () => inner.close(),
  ...own,
})
