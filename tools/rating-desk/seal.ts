/** Sealing with WebCrypto, alike in Node and in a browser. */

/** A box that a secret opens: compressed, then AES-256-GCM with a key that HKDF-SHA-256 makes of the secret. */
export interface SealedBox {
  /** @param place bound to the value: elsewhere it does not open. @returns base64 */
  seal(text: string, place: string): Promise<string>
  /** Undefined for what this secret did not seal for this place, or what was changed since. */
  open(sealed: string, place: string): Promise<string | undefined>
}

const NONCE_BYTES = 12

/** Without letters and digits that look alike. */
const LETTERS = 'abcdefghjkmnpqrstuvwxyz23456789'
const GROUPS = 6
const GROUP = 5

/** 30 letters and digits in six groups: 148 bits by chance. */
export const newSecret = (): string =>
  Array.from({ length: GROUPS }, () =>
    Array.from({ length: GROUP }, () => LETTERS[randomBelow(LETTERS.length)] ?? '').join(''),
  ).join('-')

/** What a rater typed, without what does not count. */
const plainSecret = (typed: string): string => typed.toLowerCase().replaceAll(/[^a-z0-9]/g, '')

const randomBelow = (bound: number): number => {
  // Bytes above the last whole multiple would favour the first letters.
  for (;;) {
    const [byte = 255] = crypto.getRandomValues(new Uint8Array(1))
    if (byte < 256 - (256 % bound)) return byte % bound
  }
}

export const boxOf = async (secret: string, salt: string): Promise<SealedBox> => {
  const bytes = new TextEncoder()
  const base = await crypto.subtle.importKey('raw', bytes.encode(plainSecret(secret)), 'HKDF', false, [
    'deriveKey',
  ])
  const key = await crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: bytes.encode(salt), info: bytes.encode('medmake ratings 1') },
    base,
    { name: 'AES-GCM', length: 256 },
    false,
    ['encrypt', 'decrypt'],
  )
  const algorithm = (iv: Uint8Array<ArrayBuffer>, place: string): AesGcmParams => ({
    name: 'AES-GCM',
    iv,
    additionalData: bytes.encode(place),
  })
  return {
    seal: async (text, place) => {
      const nonce = crypto.getRandomValues(new Uint8Array(NONCE_BYTES))
      // JSON keeps lone surrogates, which UTF-8 would lose.
      const packed = await through(bytes.encode(JSON.stringify(text)), new CompressionStream('deflate-raw'))
      const sealed = new Uint8Array(await crypto.subtle.encrypt(algorithm(nonce, place), key, packed))
      const whole = new Uint8Array(nonce.length + sealed.length)
      whole.set(nonce)
      whole.set(sealed, nonce.length)
      return base64(whole)
    },
    open: async (sealed, place) => {
      try {
        const whole = unbase64(sealed)
        const nonce = whole.slice(0, NONCE_BYTES)
        const packed = await crypto.subtle.decrypt(algorithm(nonce, place), key, whole.slice(NONCE_BYTES))
        const plain = await through(new Uint8Array(packed), new DecompressionStream('deflate-raw'))
        return JSON.parse(new TextDecoder().decode(plain)) as string
      } catch {
        // Whatever is wrong with it, it is not what was sealed.
        return undefined
      }
    },
  }
}

/** Bytes beyond which nothing is unpacked: a few bytes may stand for more than a machine can hold. */
const MOST = 256 * 1024 * 1024

/** @throws RangeError for what would be too large */
const through = async (
  bytes: Uint8Array<ArrayBuffer>,
  stream: CompressionStream | DecompressionStream,
): Promise<Uint8Array<ArrayBuffer>> => {
  const reader = new Blob([bytes]).stream().pipeThrough(stream).getReader()
  const chunks: Uint8Array<ArrayBuffer>[] = []
  let size = 0
  for (;;) {
    const { done, value } = await reader.read()
    if (done) return new Uint8Array(await new Blob(chunks).arrayBuffer())
    size += value.length
    if (size > MOST) {
      await reader.cancel()
      throw new RangeError('too large')
    }
    chunks.push(value)
  }
}

const CHUNK = 0x8000

const base64 = (bytes: Uint8Array): string => {
  let text = ''
  for (let at = 0; at < bytes.length; at += CHUNK)
    text += String.fromCharCode(...bytes.subarray(at, at + CHUNK))
  return btoa(text)
}

const unbase64 = (text: string): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(atob(text), (character) => character.charCodeAt(0))
