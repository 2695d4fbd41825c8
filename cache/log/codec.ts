import { deflateRawSync, inflateRawSync } from 'node:zlib'
import type { StoreTable } from '../store.ts'

/** How a record holds its payload. These numbers are on disk. */
export const CODEC = { plain: 0, deflate: 1 } as const

export interface PackedRecord {
  readonly codec: number
  readonly bytes: Buffer
}

/** Shorter payloads gain little and cost as much time, bytes. */
const SHORTEST = 1024
/** Replies are looked up the most: unpacking one of 1 kB takes as long as all else of a look-up. */
const SHORTEST_REPLY = 4096

/** From how many bytes on the values of a table are packed. */
export const packedFrom = (table: StoreTable): number => (table === 'completions' ? SHORTEST_REPLY : SHORTEST)
/** Packed only where it saves at least this share. */
const WORTHWHILE = 0.1
/** No value is larger: what unpacks to more was not packed here. */
const LARGEST = 2 ** 30
/** First bytes of a JSON object or list. Of long texts the store holds digests and what is sealed: noise. */
const STRUCTURED = new Set(['{', '['].map((text) => text.charCodeAt(0)))

/** Most payloads are small: room for what deflate would remember of large ones costs more to clear than to use. */
const SMALL = { upTo: 8192, room: { windowBits: 13, memLevel: 6, chunkSize: 4096 } }

/** Bytes to unpack into at first: Node takes 16 kB for each call, however short, which soon wants collecting. */
const roomFor = (packed: number): number => Math.min(16_384, Math.max(1024, 4 * packed))

/** Deflate's fastest level: every Node reads it, wherever a segment travels, and it costs some 25 µs for 1.4 kB. */
export const pack = (payload: Buffer, shortest: number = SHORTEST): PackedRecord => {
  const plain = { codec: CODEC.plain, bytes: payload }
  if (payload.length < shortest || !STRUCTURED.has(payload[0] ?? 0)) return plain
  const bytes = deflateRawSync(payload, { level: 1, ...(payload.length <= SMALL.upTo ? SMALL.room : {}) })
  return bytes.length > payload.length * (1 - WORTHWHILE) ? plain : { codec: CODEC.deflate, bytes }
}

/** Undefined where the bytes are not what `pack` made. */
export const unpack = ({ codec, bytes }: PackedRecord): Buffer | undefined => {
  if (codec === CODEC.plain) return bytes
  if (codec !== CODEC.deflate) return undefined
  try {
    return inflateRawSync(bytes, { maxOutputLength: LARGEST, chunkSize: roomFor(bytes.length) })
  } catch {
    return undefined
  }
}
