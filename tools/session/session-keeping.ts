import { hostname } from 'node:os'
import { defined } from '../../cache/values/defined.ts'
import { join } from 'node:path'
import type { Store, Claim } from '../../cache/store.ts'
import { vaultFolder } from '../../cache/store-folder.ts'
import { guardedStore, openVault, vaultExists } from '../../cache/vault/open-vault.ts'
import { vaultKeyOrigin } from './workspace/workspace.ts'
import { userFolder } from '../../cache/files/home-folder.ts'
import type { SessionTier } from './tier/session-tier.ts'
import type { SessionOptions } from './session.ts'
import type { FileDigests } from '../../benchmarks/context/context.ts'
import type { Digest } from '../../cache/values/digest.ts'
import type { Json } from '../../cache/values/json.ts'
import { onceMade } from '../../cache/once.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import type { EntryMemory, ParsedEntry } from '../../targets/entries/run-entry.ts'

/** Where this user's sessions note how far each store was; machines may share a home. */
export const storeNotes = (env: SessionOptions['env']): string =>
  join(userFolder(env, 'cache'), 'medmake', 'stores', hostname())

/** The vault beside a session's store, opened when the first gated or private benchmark has work to do. */
export interface SessionVault {
  readonly folder: string
  readonly exists: () => boolean
  /** The vault's own values. @throws ProblemError `cache/…` without its key */
  readonly store: () => Promise<Store>
  /** The session's store as gated and private benchmarks see it. */
  readonly guarded: () => Promise<Store>
  close(): Promise<void>
}

/** @param path of the store */
export const createSessionVault = (
  path: string,
  store: Store,
  { env, workspace, readOnly = false, listener }: SessionOptions,
  tier?: SessionTier,
): SessionVault => {
  const folder = vaultFolder(path)
  const origin = vaultKeyOrigin(env, workspace)
  const make = (): Promise<Store> =>
    openVault({
      folder,
      origin,
      readOnly,
      onEvent: listener,
      // What is local to a task is gone after it: the tier holds it.
      ...(tier === undefined ? { notes: storeNotes(env) } : {}),
      ...(tier === undefined ? {} : { through: (inner, mark) => tier.through(inner, folder, mark) }),
    })
  // One that is not there comes into being with its first write, unless others' values wait for it.
  const open = onceMade(async () =>
    readOnly || tier !== undefined || vaultExists(folder) ? make() : lazyStore(make),
  )
  return {
    folder,
    exists: () => vaultExists(folder),
    store: open,
    guarded: onceMade(async () => guardedStore(store, await open())),
    close: async () => (await open.made()?.catch(() => undefined))?.close(),
  }
}

/**
 * A store that comes into being with its first write: a run that ends in the user's own mistake leaves no folder behind.
 * Until then it is empty.
 */
export const lazyStore = (open: () => Promise<Store>): Store => {
  let store: Store | undefined
  const opened = onceMade(async () => (store = await open()))
  return {
    get: (table, id) => store?.get(table, id),
    has: (table, id) => store?.has(table, id) ?? false,
    requireRoom: () => store?.requireRoom(),
    put: async (table, id, value) => (store ?? (await opened())).put(table, id, value),
    remove: async (table, id) => store?.remove(table, id),
    entries: (table) => store?.entries(table) ?? [],
    claim: async (digest): Promise<Claim | undefined> => (store ?? (await opened())).claim(digest),
    // Whoever wanted to write was told where it could not be opened.
    close: async () => (await opened.made()?.catch(() => undefined))?.close(),
  }
}

/**
 * Small things about files that a later invocation need not find out again.
 * Written at the session's end and only beside results: a note alone is no reason to make a store.
 */
interface SessionMemo {
  readonly fileDigests: FileDigests
  readonly entries: EntryMemory
  flush(): Promise<void>
}

/** Nanoseconds. */
const MS = 1_000_000n
/** By which disks date files, nanoseconds; FAT's two seconds. What changed less long ago may change again and keep its times. */
const COARSEST = 2000n * MS

export const createMemo = (store: Store): SessionMemo => {
  const fresh = new Map<string, Json>()
  const get = (id: string): Json | undefined => fresh.get(id) ?? store.get('files', id)
  return {
    fileDigests: {
      get: (path, stat) => {
        const known = get(path) as { stat: string; digest: Digest<'file'> } | undefined
        return known?.stat === statText(stat) ? known.digest : undefined
      },
      put: (path, stat, digest) => {
        // By when it was looked at: a large file takes longer to read than that.
        if (BigInt(stat.seen) * MS - stat.ctimeNs > COARSEST)
          fresh.set(path, { stat: statText(stat), digest })
        return Promise.resolve()
      },
    },
    entries: {
      get: (text) => get(`entries:${text}`) as readonly ParsedEntry[] | undefined,
      put: (text, entries) => void fresh.set(`entries:${text}`, entries.map(packed)),
    },
    flush: async () => {
      const puts = await Promise.allSettled([...fresh].map(([id, value]) => store.put('files', id, value)))
      for (const put of puts) if (put.status === 'rejected' && !isDiskFull(put.reason)) throw put.reason
    },
  }
}

/** What is not noted is found out again: a run that could do its work does not end badly for it. */
export const isDiskFull = (error: unknown): boolean =>
  error instanceof ProblemError && error.problems[0]?.code === 'cache/disk-full'

const packed = ({ description, priority, groups, where }: ParsedEntry): Json =>
  defined({ description, where: { ...where }, priority, groups })

/** Unchanged files cost one stat. */
const statText = (stat: Parameters<FileDigests['get']>[1]): string =>
  `${stat.size}:${stat.mtimeNs}:${stat.ctimeNs}:${stat.inode}`
