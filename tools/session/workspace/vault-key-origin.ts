import { ProblemError } from '../../../cache/problems/problem.ts'
import { findVaultKey, keyOrigin, type KeyOrigin } from '../../../cache/vault/find-vault-key.ts'
import type { Workspace } from './workspace.ts'

/** Where a workspace's vault takes its key from. */
export const vaultKeyOrigin = (
  env: Readonly<Record<string, string | undefined>>,
  { config: { vault_key_file: file }, path }: Workspace,
): KeyOrigin => keyOrigin(env, file === undefined ? undefined : path(file))

/** Tells the key from others; undefined where none can be read. None is made. */
export const keyMark = (origin: KeyOrigin): string | undefined => {
  try {
    return findVaultKey(origin, { folder: '', exists: false, mayMake: false }).key.mark
  } catch (error) {
    if (error instanceof ProblemError) return undefined
    throw error
  }
}
