import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'

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
export const parseVaultKey = (text: string): Buffer | undefined => {
  const trimmed = text.trim()
  if (/^[0-9a-f]{64}$/i.test(trimmed)) return Buffer.from(trimmed, 'hex')
  const bytes = Buffer.from(trimmed, 'base64')
  return /^[A-Za-z0-9+/_-]{43}=?$/.test(trimmed) && bytes.length === KEY_BYTES ? bytes : undefined
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
