import { crc32, deflateRawSync, inflateRawSync } from 'node:zlib'
import type { StoreTable } from '../store.ts'

/**
 * A record of the value log, all numbers little endian:
 *
 *     0  magic         4
 *     4  header sum    4   crc32 of bytes 8 … 28 and the key
 *     8  payload sum   4   crc32 of the payload as it lies there
 *    12  payload size  4
 *    16  epoch         4   \ order of writing: the writer's number in the store's life,
 *    20  counter       4   / the record's number in the writer's life
 *    24  key size      2
 *    26  kind          1
 *    27  codec         1   how the payload is packed
 *    28  key, then payload
 *
 * The header's sum covers all that is needed to step over a record, so that one bad value costs no other.
 */
export const HEADER_SIZE = 28
export const MAGIC = 0x31524d4d
export const MAX_KEY_SIZE = 0xffff

type RecordKind = 'value' | 'removal'
const KIND_CODES: Readonly<Record<RecordKind, number>> = { value: 1, removal: 2 }

/** When a record was written, as far as the log knows. */
export interface Order {
  readonly epoch: number
  readonly counter: number
}

export interface RecordHeader extends Order {
  readonly kind: RecordKind
  readonly keySize: number
  readonly payloadSize: number
  readonly payloadSum: number
  readonly codec: number
}

/**
 * What a writer fills in: everything but the order, which `stampRecord` adds when the record is written.
 * @param shortest of the payloads that are packed, bytes
 */
export const encodeRecord = (
  kind: RecordKind,
  key: Uint8Array,
  payload: string | Buffer,
  shortest?: number,
): Buffer => {
  if (key.length > MAX_KEY_SIZE) throw new RangeError(`an id may have ${MAX_KEY_SIZE} bytes at most`)
  const { codec, bytes } = pack(typeof payload === 'string' ? Buffer.from(payload) : payload, shortest)
  const payloadSize = bytes.length
  const record = Buffer.allocUnsafe(HEADER_SIZE + key.length + payloadSize)
  record.set(key, HEADER_SIZE)
  record.set(bytes, HEADER_SIZE + key.length)
  record.writeUInt32LE(MAGIC, 0)
  record.writeUInt32LE(crc32(record.subarray(HEADER_SIZE + key.length)), 8)
  record.writeUInt32LE(payloadSize, 12)
  record.writeUInt16LE(key.length, 24)
  record.writeUInt8(KIND_CODES[kind], 26)
  record.writeUInt8(codec, 27)
  return record
}

const headerSum = (record: Buffer, keySize: number): number =>
  crc32(record.subarray(8, HEADER_SIZE + keySize))

/** Completes a record in place. */
export const stampRecord = (record: Buffer, order: Order): void => {
  record.writeUInt32LE(order.epoch, 16)
  record.writeUInt32LE(order.counter, 20)
  record.writeUInt32LE(headerSum(record, record.readUInt16LE(24)), 4)
}

/** The header at the start of `bytes`; undefined where there is none that its own sum confirms. */
export const readHeader = (bytes: Buffer): RecordHeader | undefined => {
  if (bytes.length < HEADER_SIZE || bytes.readUInt32LE(0) !== MAGIC) return undefined
  const keySize = bytes.readUInt16LE(24)
  if (bytes.length < HEADER_SIZE + keySize || bytes.readUInt32LE(4) !== headerSum(bytes, keySize))
    return undefined
  const code = bytes.readUInt8(26)
  const kind = code === KIND_CODES.value ? 'value' : code === KIND_CODES.removal ? 'removal' : undefined
  if (kind === undefined) return undefined
  return {
    kind,
    keySize,
    payloadSize: bytes.readUInt32LE(12),
    payloadSum: bytes.readUInt32LE(8),
    epoch: bytes.readUInt32LE(16),
    counter: bytes.readUInt32LE(20),
    codec: bytes.readUInt8(27),
  }
}

/** The key of the record at the start of `bytes`; undefined where there is none that its header's sum confirms. */
export const ownKey = (bytes: Buffer): Buffer | undefined => {
  const header = readHeader(bytes)
  return header && bytes.subarray(HEADER_SIZE, HEADER_SIZE + header.keySize)
}

export const recordSize = (header: RecordHeader): number => HEADER_SIZE + header.keySize + header.payloadSize

/** The payload of a whole record that must be a value of `key`; undefined where a sum or the key is wrong. */
export const readPayload = (record: Buffer, key: Uint8Array): Buffer | undefined => {
  const packed = readPacked(record, key)
  return packed === undefined ? undefined : unpack(packed)
}

/** The same as it lies there: enough to know that it can be read. */
export const readPacked = (record: Buffer, key: Uint8Array): PackedRecord | undefined => {
  const header = readHeader(record)
  if (header === undefined || header.kind !== 'value') return undefined
  const start = HEADER_SIZE + header.keySize
  if (record.compare(key, 0, key.length, HEADER_SIZE, start) !== 0) return undefined
  const bytes = record.subarray(start)
  return crc32(bytes) === header.payloadSum ? { codec: header.codec, bytes } : undefined
}

/** True where `a` was written after `b`. */
export const isLater = (a: Order, b: Order): boolean =>
  a.epoch === b.epoch ? a.counter > b.counter : a.epoch > b.epoch

/** How a record holds its payload. These numbers are on disk. */
export const CODEC = { plain: 0, deflate: 1 } as const

interface PackedRecord {
  readonly codec: number
  readonly bytes: Buffer
}

/** Shorter payloads gain little and cost as much time, bytes. */
const SHORTEST = 1024
/**
 * Replies are looked up the most: unpacking one of 1 kB takes as long as all else of a look-up. Instances lie there once
 * for all models, so that packing them saves little of a disk and time of each run.
 */
const SHORTEST_OFTEN_READ = 4096

/** From how many bytes on the values of a table are packed. */
export const packedFrom = (table: StoreTable): number =>
  table === 'completions' || table === 'instances' ? SHORTEST_OFTEN_READ : SHORTEST
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
