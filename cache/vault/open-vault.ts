import { accessSync, chmodSync, constants, existsSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readFileSync } from '../files/plain-file.ts'
import { makeFolder } from '../files/make-folder.ts'
import { listSegments } from '../log/segment-files.ts'
import { syncFolder } from '../files/synced-folder.ts'
import { memoryStore } from '../memory-store.ts'
import type { DiskStore } from '../disk-store.ts'
import { openStore } from '../open-store.ts'
import { claimsFolder, valuesFolder } from '../store-folder.ts'
import { errorCode } from '../problems/system-problem.ts'
import { unusableFolder } from '../store-problems.ts'
import type { ProblemError } from '../problems/problem.ts'
import { TABLES, type Store, type StoreEvent } from '../store.ts'
import { findVaultKey, type FoundKey, type KeyOrigin } from './find-vault-key.ts'
import { sealedStore } from './sealed-store.ts'
import { othersVault, wrongVaultKey } from './vault-problems.ts'
import type { VaultKey } from './vault-key.ts'
import { replaceFile, writeOnce } from '../files/whole-file.ts'

/** Beside the store, not in it: whoever copies the store to another machine or a build cache leaves the vault behind. */
export const vaultFolder = (store: string): string => `${store}-vault`

const headerFile = (folder: string): string => join(folder, 'vault.json')

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

export interface OpenVaultOptions {
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
  const inner = await openStore({
    path: folder,
    readOnly,
    onEvent,
    ...(notes === undefined ? {} : { notes }),
  })
  if (mark !== found.key.mark) {
    if (!isKeyOf(inner, found.key, mark === undefined)) {
      await inner.close()
      throw wrongVaultKey(folder, found.origin)
    }
    if (!readOnly) replaceFile(headerFile(folder), headerOf(found.key))
  }
  if (!readOnly) closeToOthers(folder)
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
    for (const part of [folder, valuesFolder(folder), claimsFolder(folder)]) makeFolder(part, 0o700)
    chmodSync(folder, 0o700)
    writeFileSync(join(folder, '.gitignore'), '*\n', { mode: 0o600 })
    writeOnce(headerFile(folder), headerOf(key))
    for (const each of [folder, dirname(folder)]) syncFolder(each)
  } catch (error) {
    throw unusableFolder(folder, error)
  }
}

/** Tells which key a vault was made with, without telling the key; undefined where its header is gone or damaged. */
export const vaultMark = (folder: string): string | undefined => {
  const file = headerFile(folder)
  try {
    const header = JSON.parse(readFileSync(file, 'utf8')) as { readonly key?: unknown } | null
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
