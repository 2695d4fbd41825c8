import { existsSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { readFileSync } from '../files/plain-file.ts'
import { makeFolder } from '../files/make-folder.ts'
import { errorCode } from '../problems/system-problem.ts'
import { newVaultKey, parseVaultKey, vaultKey, type VaultKey } from './vault-key.ts'
import { badVaultKey, exposedVaultKey, noVaultKey } from './vault-problems.ts'
import { writeOnce } from '../files/whole-file.ts'

type Environment = Readonly<Record<string, string | undefined>>

/** Where a vault's key comes from. */
export type KeyOrigin =
  | { readonly kind: 'environment'; readonly name: 'MEDMAKE_VAULT_KEY'; readonly text: string }
  /** A file that the workspace names, which must exist; or the user's own, which is made when it is first needed. */
  | { readonly kind: 'file'; readonly path: string; readonly made: boolean }

export interface FoundKey {
  readonly key: VaultKey
  /** The variable or file, for messages. */
  readonly origin: string
}

/** MEDMAKE_VAULT_KEY, else the file of the workspace, else `~/.config/medmake/vault.key`, which no workspace holds. */
export const keyOrigin = (env: Environment, file: string | undefined): KeyOrigin => {
  const text = env['MEDMAKE_VAULT_KEY']
  if (text !== undefined && text !== '') return { kind: 'environment', name: 'MEDMAKE_VAULT_KEY', text }
  if (file !== undefined) return { kind: 'file', path: file, made: false }
  const config = env['XDG_CONFIG_HOME'] || join(env['HOME'] || homedir(), '.config')
  return { kind: 'file', path: join(config, 'medmake', 'vault.key'), made: true }
}

/** What a key is wanted for. */
export interface KeyedVault {
  readonly folder: string
  readonly exists: boolean
  /** For a new vault that nobody shares: its key may be made. */
  readonly mayMake: boolean
}

/**
 * @throws ProblemError `cache/no-vault-key`, `cache/bad-vault-key`, `cache/exposed-vault-key`
 */
export const findVaultKey = (origin: KeyOrigin, { folder, exists, mayMake }: KeyedVault): FoundKey => {
  if (origin.kind === 'environment') return keyOf(origin.text, origin.name)
  const { path } = origin
  try {
    if (mayMake && origin.made) makeKeyFile(path)
    const text = readFileSync(path, 'utf8')
    if (isExposed(path)) throw exposedVaultKey(path)
    return keyOf(text, path)
  } catch (error) {
    if (errorCode(error) === undefined) throw error
    throw noVaultKey(folder, path, { exists, cause: error })
  }
}

/** True where group or others may read the file; Windows has no such bits. */
export const isExposed = (path: string): boolean =>
  process.platform !== 'win32' && (statSync(path).mode & 0o077) !== 0

const keyOf = (text: string, origin: string): FoundKey => {
  const secret = parseVaultKey(text)
  if (secret === undefined) throw badVaultKey(origin)
  return { key: vaultKey(secret), origin }
}

const makeKeyFile = (path: string): void => {
  if (existsSync(path)) return
  makeFolder(dirname(path), 0o700)
  writeOnce(path, `${newVaultKey()}\n`)
}
