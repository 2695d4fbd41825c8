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
