import { accessSync, chmodSync, constants, existsSync, readdirSync } from 'node:fs'
import { defined } from '../values/defined.ts'
import { join } from 'node:path'
import { readFileSync } from '../files/read.ts'
import { makeSyncedFolder } from '../files/folders.ts'
import { listSegments } from '../log/segment-files.ts'
import { memoryStore } from '../memory-store.ts'
import type { DiskStore } from '../disk-store.ts'
import { openStore } from '../open-store.ts'
import { errorCode } from '../problems/system-problem.ts'
import { unusableFolder } from '../store-problems.ts'
import type { ProblemError } from '../problems/problem.ts'
import { TABLES, type Store, type StoreEvent, type StoreTable } from '../store.ts'
import {
  findVaultKey,
  type FoundKey,
  type KeyOrigin,
  othersVault,
  wrongVaultKey,
  type VaultKey,
} from './vault-key.ts'
import { replaceFile, writeOnce } from '../files/write.ts'
import { digestOf } from '../values/digest.ts'
import { encodeJson, RecentTexts } from '../values/encoded.ts'
import type { Json } from '../values/json.ts'
import { claimsFolder, headerFile, valuesFolder } from '../store-folder.ts'

/** Its values make a vault; that its header is gone makes it no new one. What may not be looked at is there. */
export const vaultExists = (folder: string): boolean =>
  existsSync(headerFile(folder)) ||
  vaultRefusal(folder) !== undefined ||
  listSegments(valuesFolder(folder)).length > 0

/** `cache/not-your-vault` where this user may not read what lies there; undefined for any other folder, and none. */
export const vaultRefusal = (folder: string): ProblemError | undefined => {
  const { R_OK, X_OK } = constants
  try {
    for (const part of [folder, valuesFolder(folder)]) accessSync(part, R_OK | X_OK)
    accessSync(headerFile(folder), R_OK)
  } catch (error) {
    if (['EACCES', 'EPERM'].includes(errorCode(error) ?? '')) return othersVault(folder, error)
  }
  return undefined
}

interface OpenVaultOptions {
  readonly folder: string
  readonly origin: KeyOrigin
  readonly readOnly: boolean
  readonly onEvent: (event: StoreEvent) => void
  /** See `OpenStoreOptions`. */
  readonly notes?: string
  /** Its values go to where others with the same key find them: a key made here would be nobody else's. */
  readonly through?: (inner: DiskStore, mark: string) => Promise<Store>
}

/**
 * Opens the vault, or starts one. A session that only reads sees an empty one where there is none.
 * All of it is for its owner only.
 * @throws ProblemError those of `openStore` and `findVaultKey`, `cache/wrong-vault-key`, `cache/not-your-vault`
 */
export const openVault = async (options: OpenVaultOptions): Promise<Store> => {
  const { folder, origin, readOnly, onEvent, through, notes } = options
  const exists = vaultExists(folder)
  if (!exists && readOnly) return memoryStore()
  const refusal = exists ? vaultRefusal(folder) : undefined
  if (refusal !== undefined) throw refusal
  const found = findVaultKey(origin, { folder, exists, mayMake: !exists && through === undefined })
  if (!exists) startVault(folder, found)
  const mark = vaultMark(folder)
  const inner = await openStore(defined({ path: folder, readOnly, onEvent, notes }))
  try {
    if (mark !== found.key.mark) {
      if (!isKeyOf(inner, found.key, mark === undefined)) throw wrongVaultKey(folder, found.origin)
      if (!readOnly) replaceFile(headerFile(folder), headerOf(found.key))
    }
    if (!readOnly) closeToOthers(folder)
  } catch (error) {
    await inner.close()
    throw unusableFolder(folder, error)
  }
  return sealedStore((await through?.(inner, found.key.mark)) ?? inner, found.key, onEvent)
}

/** Values that are tried with a key before it counts as another one. */
const TRIED = 50

/** Whether the key opens what lies in the vault, whose header says otherwise or nothing; `ifEmpty`: where nothing lies there. */
const isKeyOf = (inner: Store, key: VaultKey, ifEmpty: boolean): boolean => {
  let tried = 0
  for (const table of TABLES)
    for (const { id } of inner.entries(table)) {
      const sealed = inner.get(table, id)
      if (typeof sealed !== 'string') continue
      if (key.open(Buffer.from(sealed, 'base64'), id) !== undefined) return true
      tried += 1
      if (tried >= TRIED) return false
    }
  return tried === 0 && ifEmpty
}

const headerOf = (key: VaultKey): string =>
  `${JSON.stringify({ format: 1, cipher: 'aes-256-gcm', key: key.mark })}\n`

/** Files take over their folder's mode: see `SegmentWriter`. */
const startVault = (folder: string, { key }: FoundKey): void => {
  try {
    for (const part of [folder, valuesFolder(folder), claimsFolder(folder)]) makeSyncedFolder(part, 0o700)
    chmodSync(folder, 0o700)
    replaceFile(join(folder, '.gitignore'), '*\n')
    writeOnce(headerFile(folder), headerOf(key))
  } catch (error) {
    throw unusableFolder(folder, error)
  }
}

/** Tells which key a vault was made with, without telling the key; undefined where its header is gone or damaged. */
export const vaultMark = (folder: string): string | undefined => {
  const file = headerFile(folder)
  try {
    const header = JSON.parse(readFileSync(file, 'latin1')) as { readonly key?: unknown } | null
    return typeof header?.key === 'string' && MARK.test(header.key) ? header.key : undefined
  } catch (error) {
    if (error instanceof SyntaxError || errorCode(error) === 'ENOENT') return undefined
    throw unusableFolder(file, error)
  }
}

const MARK = /^[0-9a-f]{32}$/

/** The index is LMDB's to make, with a mode of its own. */
const closeToOthers = (folder: string): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile()) chmodSync(join(folder, entry.name), 0o600)
}

/**
 * A store whose values and names only its key can read. `inner` sees keyed hashes and ciphertext, sizes and tables.
 * A value that does not open is a miss, reported as `store-corrupt-record`, as one whose checksum is wrong.
 */
export const sealedStore = (inner: Store, key: VaultKey, onEvent: (event: StoreEvent) => void): Store => {
  const recent = new RecentTexts()
  /** Those of batches, which are listed at each call that is made while one is under way, and may be large. */
  const ids = new Map<string, string>()
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
        const id = ids.get(name) ?? read(table, name)?.id
        if (id === undefined) return []
        if (table === 'batches') ids.set(name, id)
        return [{ id, bytes }]
      })
      yield* entries.sort((a, b) => (a.id < b.id ? -1 : 1))
    },
    claim: (digest) => inner.claim(digestOf(key.name(digest))),
    close: () => inner.close(),
  }
}

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
  (table === 'files' && /^(?:ids|sample|answers|imported|imported-list):/.test(id))
