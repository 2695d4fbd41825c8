import { hostname } from 'node:os'
import { join } from 'node:path'
import type { Store } from '../../cache/store.ts'
import { guardedStore } from '../../cache/vault/guarded-store.ts'
import { openVault, vaultExists, vaultFolder } from '../../cache/vault/open-vault.ts'
import { lazyStore } from './stores/lazy-store.ts'
import { vaultKeyOrigin } from './workspace/vault-key-origin.ts'
import { userCache } from '../../models/limits/limits-folder.ts'
import type { SessionTier } from './tier/session-tier.ts'
import type { SessionOptions } from './session.ts'

/** Where this user's sessions note how far each store was; machines may share a home. */
export const storeNotes = (env: SessionOptions['env']): string =>
  join(userCache(env), 'medmake', 'stores', hostname())

/** The vault beside a session's store, opened when the first gated or private benchmark has work to do. */
export interface SessionVault {
  readonly folder: string
  /** Whether there is one yet. */
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
  let opening: Promise<Store> | undefined
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
  const open = (): Promise<Store> =>
    (opening ??=
      readOnly || tier !== undefined || vaultExists(folder) ? make() : Promise.resolve(lazyStore(make)))
  let guarded: Promise<Store> | undefined
  return {
    folder,
    exists: () => vaultExists(folder),
    store: open,
    guarded: () => (guarded ??= open().then((vault) => guardedStore(store, vault))),
    close: async () => (await opening?.catch(() => undefined))?.close(),
  }
}
