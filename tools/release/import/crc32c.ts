/** Castagnoli's polynomial, bits reversed. */
const POLYNOMIAL = 0x82f63b78

const TABLE = Uint32Array.from({ length: 256 }, (_, byte) => {
  let value = byte
  for (let bit = 0; bit < 8; bit += 1) value = value & 1 ? (value >>> 1) ^ POLYNOMIAL : value >>> 1
  return value
})

/** CRC-32C of bytes that come in pieces; storage listings give it as four bytes, the highest first, in base64. */
export class Crc32c {
  #state = 0xffffffff

  update(bytes: Uint8Array): void {
    let state = this.#state
    for (const byte of bytes) state = (state >>> 8) ^ (TABLE[(state ^ byte) & 0xff] ?? 0)
    this.#state = state
  }

  /** As a listing shows it. */
  base64(): string {
    const bytes = Buffer.alloc(4)
    bytes.writeUInt32BE((this.#state ^ 0xffffffff) >>> 0)
    return bytes.toString('base64')
  }
}
