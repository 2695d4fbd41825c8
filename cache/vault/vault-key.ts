import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { existsSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { readFileSync } from '../files/read.ts'
import { makeSyncedFolder } from '../files/folders.ts'
import { userFolder } from '../files/home-folder.ts'
import { errorCode, machineProblem } from '../problems/system-problem.ts'
import { fullDisk } from '../store-problems.ts'
import { writeOnce } from '../files/write.ts'
import { ProblemError } from '../problems/problem.ts'

const KEY_BYTES = 32
const NONCE_BYTES = 12
const TAG_BYTES = 16

/** What a vault's 32-byte key is used for, each use with a key of its own (HKDF-SHA256). */
export interface VaultKey {
  /** AES-256-GCM: nonce, ciphertext and tag. `place` is bound to the value: moved elsewhere it does not open. */
  seal(value: string, place: string): Buffer
  /** Undefined for bytes that this key did not seal for this place, or that changed since. */
  open(sealed: Buffer, place: string): string | undefined
  /** HMAC-SHA256, hex: the name of a value on disk. A plain digest of a short text could be guessed. */
  name(place: string): string
  /** Tells keys apart without telling them. */
  readonly mark: string
}

/** 64 hexadecimal digits, or base64 of 32 bytes; undefined for anything else. */
const parseVaultKey = (text: string): Buffer | undefined => {
  const trimmed = text.trim()
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex')
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed) ? Buffer.from(trimmed, 'base64') : undefined
}

export const newVaultKey = (): string => randomBytes(KEY_BYTES).toString('hex')

/** Random bytes are fetched for many nonces at once: a fetch costs as much as sealing a short text. */
const POOL_BYTES = 1024 * NONCE_BYTES

const nonces = (): (() => Buffer) => {
  let pool = Buffer.alloc(0)
  let used = 0
  return () => {
    if (used === pool.length) {
      pool = randomBytes(POOL_BYTES)
      used = 0
    }
    used += NONCE_BYTES
    return pool.subarray(used - NONCE_BYTES, used)
  }
}

/** Each name is asked for several times in a row: looked up, claimed, stored. */
const REMEMBERED = 4096

const remembering = (make: (text: string) => string): ((text: string) => string) => {
  const known = new Map<string, string>()
  return (text) => {
    const before = known.get(text)
    if (before !== undefined) return before
    if (known.size >= REMEMBERED) known.clear()
    const made = make(text)
    known.set(text, made)
    return made
  }
}

export const vaultKey = (secret: Buffer): VaultKey => {
  const own = (use: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, 'medmake vault 1', use, KEY_BYTES))
  const [values, names, check] = [own('values'), own('names'), own('check')]
  const nextNonce = nonces()
  return {
    mark: createHmac('sha256', check).update('medmake').digest('hex').slice(0, 32),
    name: remembering((place) => createHmac('sha256', names).update(place).digest('hex')),
    seal: (value, place) => {
      const nonce = nextNonce()
      const cipher = createCipheriv('aes-256-gcm', values, nonce).setAAD(Buffer.from(place))
      const sealed = cipher.update(value, 'utf8')
      // Of GCM nothing is left for the end.
      cipher.final()
      return Buffer.concat([nonce, sealed, cipher.getAuthTag()])
    },
    open: (sealed, place) => {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const end = sealed.length - TAG_BYTES
      const decipher = createDecipheriv('aes-256-gcm', values, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(place))
        .setAuthTag(sealed.subarray(end))
      try {
        const value = decipher.update(sealed.subarray(NONCE_BYTES, end))
        decipher.final()
        return value.toString('utf8')
      } catch {
        return undefined
      }
    },
  }
}

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
export const keyOrigin = (env: NodeJS.ProcessEnv, file: string | undefined): KeyOrigin => {
  const text = env['MEDMAKE_VAULT_KEY']
  if (text !== undefined && text !== '') return { kind: 'environment', name: 'MEDMAKE_VAULT_KEY', text }
  if (file !== undefined) return { kind: 'file', path: file, made: false }
  return { kind: 'file', path: join(userFolder(env, 'config'), 'medmake', 'vault.key'), made: true }
}

/** What a key is wanted for. */
interface KeyedVault {
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
    // Whoever takes the key for lost would move away what was paid for.
    throw fullDisk(error) ?? machineProblem(error) ?? noVaultKey(folder, path, { exists, cause: error })
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
  makeSyncedFolder(dirname(path), 0o700)
  writeOnce(path, `${newVaultKey()}\n`)
}

/** How to make a key, for every remedy that asks for one. */
const MAKE = '`node -e "console.log(crypto.randomBytes(32).toString(\'hex\'))"`'
export const MAKE_KEY = `${MAKE} makes one.`

/** What to do where values of machines with other keys are met. */
export const SAME_KEY = 'use the same MEDMAKE_VAULT_KEY, or vault_key_file in medmake.yaml, on all machines'

const badVaultKey = (origin: string): ProblemError =>
  new ProblemError({
    code: 'cache/bad-vault-key',
    message: `${origin} holds no key of 32 bytes`,
    where: { field: origin },
    remedy: `Write 64 hexadecimal digits or base64 of 32 bytes; ${MAKE_KEY}`,
  })

/**
 * @param kept where the key would have been looked for
 * @param exists whether something was sealed with it
 */
export const noVaultKey = (
  folder: string,
  kept: string,
  { exists, cause }: { readonly exists: boolean; readonly cause: unknown },
): ProblemError =>
  new ProblemError(
    {
      code: 'cache/no-vault-key',
      message: `the key of the vault, which keeps texts of gated and private benchmarks, is not at hand: ${kept} can't be read`,
      where: { file: folder },
      remedy: exists
        ? 'Set MEDMAKE_VAULT_KEY, or vault_key_file in medmake.yaml, to the key it was made with. Where that is lost, move the vault away: its results are made anew.'
        : `There is no vault here yet. Take the key of the machines that share results with this one, or make one: ${MAKE}. Put it into that file (then chmod 600), or into MEDMAKE_VAULT_KEY.`,
    },
    { cause },
  )

export const wrongVaultKey = (folder: string, origin: string): ProblemError =>
  new ProblemError({
    code: 'cache/wrong-vault-key',
    message: `the vault was made with another key than that of ${origin}`,
    where: { file: folder },
    remedy:
      'Nothing was changed. Set MEDMAKE_VAULT_KEY or vault_key_file to the key it was made with, or move the vault away to start another.',
  })

/** It is made for its owner's eyes: whoever else may not read it is not to be given the right. */
export const othersVault = (folder: string, cause: unknown): ProblemError =>
  new ProblemError(
    {
      code: 'cache/not-your-vault',
      message: 'this user may not read the vault, which keeps texts of gated and private benchmarks',
      where: { file: folder },
      remedy:
        'It is for its owner alone: run this as that user, or name a store of your own (--store FOLDER).',
    },
    { cause },
  )

const exposedVaultKey = (file: string): ProblemError =>
  new ProblemError({
    code: 'cache/exposed-vault-key',
    message: 'other users of this machine can read the key of the vault',
    where: { file },
    remedy: `Run \`chmod 600 ${file}\`.`,
  })
