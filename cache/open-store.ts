import { existsSync } from 'node:fs'
import type { Claims } from './claims.ts'
import { DEFAULT_RESERVE, requireSpace } from './disk-space.ts'
import { DiskStore, type DiskStoreParts } from './disk-store.ts'
import { seal } from './lmdb/seal.ts'
import { ValueIndex } from './lmdb/value-index.ts'
import { ProblemError } from './problem.ts'
import {
  alone,
  enterFolder,
  indexFile,
  prepareFolder,
  removeStaleLock,
  requireSoundIndex,
} from './store-folder.ts'
import type { StoreEvent } from './store.ts'
import { unusableFolder } from './store-problems.ts'

export interface OpenStoreOptions {
  /** A folder of its own; made if there is none. */
  readonly path: string
  readonly readOnly?: boolean
  /** Free disk space that puts leave alone, bytes; 64 MB unless given. */
  readonly reserveBytes?: number
  readonly onEvent: (event: StoreEvent) => void
}

const openIndex = async (folder: string, readOnly: boolean): Promise<ValueIndex> => {
  try {
    return await ValueIndex.open(indexFile(folder), { readOnly })
  } catch (error) {
    throw error instanceof ProblemError ? error : unusableFolder(folder, error)
  }
}

const openParts = async (claims: Claims | undefined, options: OpenStoreOptions): Promise<DiskStoreParts> => {
  const folder = options.path
  const readOnly = options.readOnly ?? false
  const reserveBytes = options.reserveBytes ?? DEFAULT_RESERVE
  // Whoever else has it open has checked it, and may be writing: its pages can't be read from outside then.
  if (claims === undefined || claims.others().length === 0) {
    requireSoundIndex(folder)
    if (claims !== undefined) {
      removeStaleLock(folder)
      claims.sweep()
    }
  }
  if (!existsSync(indexFile(folder))) requireSpace(folder, 0, reserveBytes)
  const index = await openIndex(folder, readOnly)
  claims?.markInUse()
  const onClosed = async (): Promise<void> => {
    if (!readOnly) await alone(claims, () => seal(indexFile(folder)))
  }
  return { folder, index, readOnly, claims, reserveBytes, onEvent: options.onEvent, onClosed }
}

/**
 * Opens the store in a folder, or starts one. Several processes may have it open at once.
 * @throws ProblemError with `cache/damaged`, `cache/not-a-folder`, `cache/no-store` (read-only),
 * `cache/not-accessible`, `cache/network-folder`, `cache/other-version` or `cache/disk-full`
 */
export const openStore = async (options: OpenStoreOptions): Promise<DiskStore> => {
  const readOnly = options.readOnly ?? false
  prepareFolder(options.path, { readOnly })
  const claims = enterFolder(options.path, { readOnly })
  try {
    return new DiskStore(await alone(claims, () => openParts(claims, options)))
  } catch (error) {
    claims?.close()
    throw error
  }
}
