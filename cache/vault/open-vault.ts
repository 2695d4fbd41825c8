import { chmodSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { memoryStore } from '../memory-store.ts'
import { openStore } from '../open-store.ts'
import { claimsFolder, valuesFolder } from '../store-folder.ts'
import { unusableFolder } from '../store-problems.ts'
import type { Store, StoreEvent } from '../store.ts'
import { findVaultKey, type FoundKey, type KeyOrigin } from './find-vault-key.ts'
import { sealedStore } from './sealed-store.ts'
import { damagedVault, wrongVaultKey } from './vault-problems.ts'
import { writeOnce } from './write-once.ts'

/** Beside the store, not in it: whoever copies the store to another machine or a build cache leaves the vault behind. */
export const vaultFolder = (store: string): string => `${store}-vault`

const headerFile = (folder: string): string => join(folder, 'vault.json')

export const vaultExists = (folder: string): boolean => existsSync(headerFile(folder))

export interface OpenVaultOptions {
  readonly folder: string
  readonly origin: KeyOrigin
  readonly readOnly: boolean
  readonly onEvent: (event: StoreEvent) => void
}

/**
 * Opens the vault, or starts one. A session that only reads sees an empty one where there is none.
 * All of it is for its owner only.
 * @throws ProblemError those of `openStore` and `findVaultKey`, `cache/wrong-vault-key`, `cache/damaged-vault`
 */
export const openVault = async (options: OpenVaultOptions): Promise<Store> => {
  const { folder, origin, readOnly, onEvent } = options
  const exists = vaultExists(folder)
  if (!exists && readOnly) return memoryStore()
  const found = findVaultKey(origin, { folder, mayMake: !exists })
  if (!exists) startVault(folder, found)
  requireKey(folder, found)
  const inner = await openStore({ path: folder, readOnly, onEvent })
  if (!readOnly) closeToOthers(folder)
  return sealedStore(inner, found.key, onEvent)
}

/** Files take over their folder's mode: see `SegmentWriter`. */
const startVault = (folder: string, { key }: FoundKey): void => {
  try {
    for (const part of [folder, valuesFolder(folder), claimsFolder(folder)])
      mkdirSync(part, { recursive: true, mode: 0o700 })
    chmodSync(folder, 0o700)
    writeFileSync(join(folder, '.gitignore'), '*\n', { mode: 0o600 })
    const header = `${JSON.stringify({ format: 1, cipher: 'aes-256-gcm', key: key.mark })}\n`
    writeOnce(headerFile(folder), header)
  } catch (error) {
    throw unusableFolder(folder, error)
  }
}

const requireKey = (folder: string, { key, origin }: FoundKey): void => {
  if (markOf(headerFile(folder)) !== key.mark) throw wrongVaultKey(folder, origin)
}

const markOf = (file: string): string => {
  try {
    const header = JSON.parse(readFileSync(file, 'utf8')) as { readonly key?: unknown }
    if (typeof header.key === 'string') return header.key
  } catch (error) {
    throw damagedVault(file, error)
  }
  throw damagedVault(file, undefined)
}

/** The index is LMDB's to make, with a mode of its own. */
const closeToOthers = (folder: string): void => {
  for (const entry of readdirSync(folder, { withFileTypes: true }))
    if (entry.isFile()) chmodSync(join(folder, entry.name), 0o600)
}
