import { accessSync, constants, existsSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Claims } from './claims/claims.ts'
import { Patience } from './claims/claims.ts'
import { CommitGate } from './claims/holding.ts'
import { DEFAULT_RESERVE, freeSpace, requireSpace } from './disk-space.ts'
import { DiskStore, type DiskStoreParts } from './disk-store.ts'
import {
  isBefore,
  lastSeenFile,
  NO_EXTENT,
  noteLastSeen,
  readLastSeen,
  type Extent,
  freshLockFile,
  mayLock,
  seal,
} from './lmdb/index-files.ts'
import { openSnapshot } from './lmdb/snapshot.ts'
import { ValueIndex, type IndexChange } from './lmdb/value-index.ts'
import { syncFolder } from './files/folders.ts'
import { isBehind, rollForward } from './log/roll-forward.ts'
import type { StoreEvent } from './store.ts'
import { damaged, unusableFolder } from './store-problems.ts'
import {
  indexFile,
  MISSING,
  prepareFolder,
  enterFolder,
  alone,
  refuseOtherMachines,
  requireSoundIndex,
  indexFault,
} from './store-folder.ts'

interface OpenStoreOptions {
  /** A folder of its own; made if there is none. */
  readonly path: string
  readonly readOnly?: boolean
  /** Free disk space that puts leave alone, bytes; 64 MB unless given. */
  readonly reserveBytes?: number
  readonly onEvent: (event: StoreEvent) => void
  /** A folder of the user's, outside of the store: it notes how far the store was, so that an older one is told from it. */
  readonly notes?: string
  /** Milliseconds of waiting for another process before it is named by an event; 5,000 unless given. */
  readonly tellAfter?: number
}

/** Without its seal an index is read in full when it is opened next: no reason to end badly on a full disk. */
const SEAL_ROOM = 64 * 1024

interface CatchingUp extends OpenStoreOptions {
  readonly open: (path: string, reads?: boolean) => Promise<ValueIndex>
  readonly reserveBytes: number
  readonly moved: readonly IndexChange[]
}

/** Lists what lies in the log, and puts places right, unless the index may not be written to, or there is no room. */
const caughtUp = async (
  index: ValueIndex,
  { open, path: folder, readOnly = false, reserveBytes, moved, onEvent }: CatchingUp,
): Promise<ValueIndex> => {
  const file = indexFile(folder)
  if (freeSpace(folder) < reserveBytes || !mayWrite(file)) {
    onEvent({ type: 'store-behind', listed: 0 })
    return index
  }
  if (readOnly) await index.close()
  const writable = readOnly ? await open(file, false) : index
  if (moved.length > 0) await writable.apply(moved)
  const listed = moved.length + (await rollForward(writable, folder))
  if (listed > 0) onEvent({ type: 'store-behind', listed })
  if (!readOnly) return writable
  await writable.close()
  return open(file)
}

/** Tells that a store is an older one than was here, or none. Gives what is to be called with how far it is in the end. */
export const tellIfOlder = (
  { path, notes, onEvent }: Pick<OpenStoreOptions, 'path' | 'notes' | 'onEvent'>,
  now: Extent = NO_EXTENT,
): ((extent: Extent) => void) => {
  if (notes === undefined) return () => undefined
  const file = lastSeenFile(notes, path)
  const seen = readLastSeen(file) ?? NO_EXTENT
  if (isBefore(now, seen))
    onEvent({ type: 'store-older', folder: path, bytes: Math.max(0, seen.bytes - now.bytes) })
  return (extent) => {
    if (extent.epoch !== seen.epoch || extent.bytes !== seen.bytes) noteLastSeen(file, extent)
  }
}

const mayWrite = (file: string): boolean => {
  try {
    accessSync(file, constants.W_OK)
    return true
  } catch {
    return false
  }
}

const openParts = async (
  claims: Claims | undefined,
  patience: Patience,
  options: OpenStoreOptions,
): Promise<DiskStoreParts> => {
  const folder = options.path
  const readOnly = options.readOnly ?? false
  const reserveBytes = options.reserveBytes ?? DEFAULT_RESERVE
  const file = indexFile(folder)
  if (claims !== undefined) await refuseOtherMachines(claims, patience)
  // Others must learn that this process reads, and LMDB's locks must be open to it.
  const inPlace = claims !== undefined && (!readOnly || mayLock(file))
  // Whoever else has it open has checked it, and may be writing: its pages can't be read from outside then.
  const isAlone = inPlace && claims.others().length === 0
  let moved: readonly IndexChange[] = []
  if (isAlone) {
    moved = requireSoundIndex(folder, { readOnly })
    freshLockFile(file)
    claims.sweep()
  }
  const isNew = !existsSync(file)
  if (isNew && !inPlace) throw damaged(file, MISSING)
  if (isNew) requireSpace(folder, 0, reserveBytes)
  const gate = new CommitGate(inPlace ? claims : undefined, patience)
  const open = (path: string, reads = readOnly): Promise<ValueIndex> =>
    ValueIndex.open(path, { readOnly: reads, gate })
  let index = await (inPlace ? open(file) : openSnapshot(file, (copy) => indexFault(copy, folder), open))
  if (isAlone && (moved.length > 0 || isBehind(index, folder)))
    index = await caughtUp(index, { open, ...options, reserveBytes, moved })
  if (isNew) for (const each of [folder, dirname(folder)]) syncFolder(each)
  claims?.mark()
  const note = tellIfOlder(options, index.extent())
  const onClosed = async (extent: Extent): Promise<void> => {
    if (!readOnly) note(extent)
    if (!readOnly && freeSpace(folder) > SEAL_ROOM)
      await alone(claims, patience, () => seal(indexFile(folder)))
  }
  const { onEvent } = options
  return { folder, index, readOnly, claims, reserveBytes, patience, onEvent, onClosed }
}

/**
 * Opens the store in a folder, or starts one. Several processes may have it open at once.
 * @throws ProblemError with `cache/damaged`, `cache/not-a-folder`, `cache/no-store` (read-only),
 * `cache/not-accessible`, `cache/network-folder`, `cache/other-machine`, `cache/other-version` or `cache/disk-full`
 */
export const openStore = async (options: OpenStoreOptions): Promise<DiskStore> => {
  const readOnly = options.readOnly ?? false
  prepareFolder(options.path, { readOnly })
  const claims = enterFolder(options.path, { readOnly })
  try {
    const patience = new Patience(options.onEvent, options.tellAfter)
    return new DiskStore(await alone(claims, patience, () => openParts(claims, patience, options)))
  } catch (error) {
    claims?.close()
    throw unusableFolder(options.path, error)
  }
}
