import { CompressionType, setCompressionCodec } from '@uwdata/flechette'
import type { UnpackBudget } from '../unpack-limit.ts'
import { decompressBuffer, type Codec } from './decompress.ts'

interface Packed {
  readonly frame: Uint8Array
  readonly codec: Codec
  readonly length: number
}

/** What stands behind the empty buffers that the library is given in place of packed ones. */
const packed = new WeakMap<ArrayBufferLike, Packed>()

const leavePacked = (codec: Codec) => ({
  decode: (frame: Uint8Array): Uint8Array => {
    const stand = new Uint8Array(0)
    // A buffer starts with the length that it unpacks to.
    const length = Number(new DataView(frame.buffer, frame.byteOffset - 8, 8).getBigInt64(0, true))
    packed.set(stand.buffer, { frame, codec, length })
    return stand
  },
  encode: (): never => {
    throw new TypeError('Arrow files are not written here')
  },
})

/** From here on the library leaves packed buffers as they are, so that columns that nobody reads stay packed. */
export const leaveBuffersPacked = (): void => {
  setCompressionCodec(CompressionType.LZ4_FRAME, leavePacked('lz4'))
  setCompressionCodec(CompressionType.ZSTD, leavePacked('zstd'))
}

/** The bytes of a column's buffer, unpacked where they are packed. @throws RangeError */
export const bufferBytes = (
  buffer: Pick<Uint8Array, 'buffer' | 'byteOffset' | 'byteLength'> | undefined,
  budget: UnpackBudget,
): Uint8Array => {
  if (buffer === undefined) return new Uint8Array(0)
  const found = packed.get(buffer.buffer)
  return found === undefined
    ? new Uint8Array(buffer.buffer, buffer.byteOffset, buffer.byteLength)
    : decompressBuffer(found.frame, found.codec, found.length, budget)
}
