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

export const vaultKey = (secret: Buffer): VaultKey => {
  const own = (use: string): Buffer =>
    Buffer.from(hkdfSync('sha256', secret, 'medmake vault 1', use, KEY_BYTES))
  const [values, names, check] = [own('values'), own('names'), own('check')]
  return {
    mark: createHmac('sha256', check).update('medmake').digest('hex').slice(0, 32),
    name: (place) => createHmac('sha256', names).update(place).digest('hex'),
    seal: (value, place) => {
      const nonce = randomBytes(NONCE_BYTES)
      const cipher = createCipheriv('aes-256-gcm', values, nonce).setAAD(Buffer.from(place))
      return Buffer.concat([nonce, cipher.update(value, 'utf8'), cipher.final(), cipher.getAuthTag()])
    },
    open: (sealed, place) => {
      if (sealed.length < NONCE_BYTES + TAG_BYTES) return undefined
      const nonce = sealed.subarray(0, NONCE_BYTES)
      const end = sealed.length - TAG_BYTES
      const decipher = createDecipheriv('aes-256-gcm', values, nonce, { authTagLength: TAG_BYTES })
        .setAAD(Buffer.from(place))
        .setAuthTag(sealed.subarray(end))
      try {
        return decipher.update(sealed.subarray(NONCE_BYTES, end), undefined, 'utf8') + decipher.final('utf8')
      } catch {
        return undefined
      }
    },
  }
}
