import { createHash } from 'node:crypto'
import { TABLES, type StoreTable } from '../store.ts'

/** First byte of a key. These numbers are on disk: never give one to another table. */
const TABLE_CODES: Readonly<Record<StoreTable, number>> = {
  instances: 1,
  prompts: 2,
  completions: 3,
  annotations: 4,
  metrics: 5,
  records: 6,
  failures: 7,
  traces: 8,
  files: 9,
  ledger: 10,
  batches: 11,
}

/** First bytes of the entries that are no records. */
export const SEGMENT_CODE = 0xf0
const STATE_CODE = 0xf1

const DIGEST = 1
const TEXT = 2
const HASHED = 3
const HEX_DIGEST = /^[0-9a-f]{64}$/
/** Above this a key enters the index as its hash; LMDB's limit is 1978. */
const LONGEST_INDEXED = 480

const tableOf = new Map(TABLES.map((table) => [TABLE_CODES[table], table]))

/** Key of a record as the log holds it: table, form, then the 32 bytes of a digest or a text's UTF-8. */
export const recordKey = (table: StoreTable, id: string): Buffer => {
  const isDigest = HEX_DIGEST.test(id)
  const key = Buffer.allocUnsafe(2 + (isDigest ? 32 : Buffer.byteLength(id)))
  key[0] = TABLE_CODES[table]
  key[1] = isDigest ? DIGEST : TEXT
  key.write(id, 2, isDigest ? 'hex' : 'utf8')
  return key
}

/** Table of a record's key, in the log or the index; undefined for other entries. */
export const tableOfKey = (key: Buffer): StoreTable | undefined => tableOf.get(key[0] ?? 0)

/** Table and id of a record's key; undefined where it is none. */
export const parseRecordKey = (key: Buffer): { table: StoreTable; id: string } | undefined => {
  const table = tableOfKey(key)
  if (table === undefined) return undefined
  if (key[1] === DIGEST && key.length === 34) return { table, id: key.toString('hex', 2) }
  return key[1] === TEXT ? { table, id: key.toString('utf8', 2) } : undefined
}

/** Key of a record as the index holds it: the log's, but long ones as their sha256. */
export const indexKey = (recordKey: Buffer): Buffer =>
  recordKey.length <= LONGEST_INDEXED
    ? recordKey
    : Buffer.concat([
        recordKey.subarray(0, 1),
        Buffer.of(HASHED),
        createHash('sha256').update(recordKey).digest(),
      ])

/** True where an index key is a hash, so that the record itself must be asked for its id. */
export const isHashedKey = (key: Buffer): boolean => key[1] === HASHED

/** First key of a table and of the one after it. */
export const tableRange = (table: StoreTable): { start: Buffer; end: Buffer } => ({
  start: Buffer.of(TABLE_CODES[table]),
  end: Buffer.of(TABLE_CODES[table] + 1),
})

export const segmentKey = (segment: number): Buffer => {
  const key = Buffer.alloc(5)
  key[0] = SEGMENT_CODE
  key.writeUInt32BE(segment, 1)
  return key
}

export const stateKey = (name: string): Buffer => Buffer.concat([Buffer.of(STATE_CODE), Buffer.from(name)])

/** Where a record lies in the value log. */
export interface Location {
  readonly segment: number
  readonly offset: number
  /** Bytes of the whole record. */
  readonly size: number
}

const SIZE = 14

/** What the index holds of a record: segment, offset, size, little endian, 14 bytes. */
export const encodeLocation = ({ segment, offset, size }: Location): Buffer => {
  const bytes = Buffer.allocUnsafe(SIZE)
  bytes.writeUInt32LE(segment, 0)
  bytes.writeUIntLE(offset, 4, 6)
  bytes.writeUInt32LE(size, 10)
  return bytes
}

/** Undefined where the bytes are no location. */
export const decodeLocation = (bytes: Buffer): Location | undefined =>
  bytes.length === SIZE
    ? { segment: bytes.readUInt32LE(0), offset: bytes.readUIntLE(4, 6), size: bytes.readUInt32LE(10) }
    : undefined

/** The places that differ from an entry's by one bit. */
export const flippedPlaces = (bytes: Buffer): readonly Location[] =>
  Array.from({ length: SIZE * 8 }, (_, bit) => {
    const other = Buffer.from(bytes)
    other.writeUInt8(other.readUInt8(bit >> 3) ^ (1 << (bit & 7)), bit >> 3)
    return decodeLocation(other) ?? []
  }).flat()
