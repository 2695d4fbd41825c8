import { safeText } from '../../../cache/problems/problem.ts'
import { FormatError } from '../../../cache/problems/format-error.ts'
import type { UnpackBudget } from '../unpack-limit.ts'
import { decompressZstd } from 'hyparquet-compressors'

export type Codec = 'lz4' | 'zstd'

/** An LZ4 byte stands for 255 at most. */
const LZ4_RATIO = 255

/**
 * Unpacks a buffer of a record batch.
 * @param length what the file says it unpacks to
 * @throws RangeError where it does not unpack to just that, or to more than the budget has left
 */
export const decompressBuffer = (
  frame: Uint8Array,
  codec: Codec,
  length: number,
  budget: UnpackBudget,
): Uint8Array => {
  budget.take(length)
  if (codec === 'lz4') {
    if (length > frame.length * LZ4_RATIO)
      throw new FormatError(safeText`an LZ4 frame can not be as long as it says`)
    const output = new Uint8Array(length)
    lz4Frame(frame, output)
    return output
  }
  const output = new Uint8Array(length)
  if (decompressZstd(frame, output).length !== length)
    throw new FormatError(safeText`a Zstandard frame is not as long as it says`)
  return output
}

const MAGIC = 0x184d2204

/** Unpacks an LZ4 frame (LZ4 frame format 1.6): its blocks may refer back into those before them. */
const lz4Frame = (frame: Uint8Array, output: Uint8Array): void => {
  const view = new DataView(frame.buffer, frame.byteOffset, frame.byteLength)
  if (view.getUint32(0, true) !== MAGIC) throw new FormatError(safeText`an LZ4 frame does not start as one`)
  const flags = view.getUint8(4)
  const hasContentSize = (flags & 8) !== 0
  const hasBlockChecksums = (flags & 16) !== 0
  let at = hasContentSize ? 15 : 7
  let written = 0
  for (;;) {
    const size = view.getUint32(at, true)
    at += 4
    if (size === 0) break
    const bytes = size & 0x7fffffff
    const block = frame.subarray(at, at + bytes)
    if ((size & 0x80000000) === 0) written = lz4Block(block, output, written)
    else {
      output.set(block, written)
      written += block.length
    }
    at += bytes + (hasBlockChecksums ? 4 : 0)
  }
  if (written !== output.length) throw new FormatError(safeText`an LZ4 frame is shorter than it says`)
}

/** Unpacks a single block. @throws RangeError where it does not unpack to just `length` bytes */
export const decompressLz4 = (block: Uint8Array, length: number): Uint8Array => {
  const output = new Uint8Array(length)
  if (lz4Block(block, output, 0) !== length)
    throw new FormatError(safeText`an LZ4 block is shorter than it says`)
  return output
}

/** Unpacks one block from `start` of the output on; gives where it ends. */
const lz4Block = (block: Uint8Array, output: Uint8Array, start: number): number => {
  let written = start
  let at = 0
  const next = (): number => {
    const byte = block[at++]
    if (byte === undefined) throw new FormatError(safeText`an LZ4 block ends early`)
    return byte
  }
  const length = (nibble: number): number => {
    let total = nibble
    if (nibble === 15) for (let byte = 255; byte === 255; total += byte) byte = next()
    return total
  }
  while (at < block.length) {
    const token = next()
    const literals = length(token >> 4)
    output.set(block.subarray(at, at + literals), written)
    at += literals
    written += literals
    if (at >= block.length) break
    const offset = next() | (next() << 8)
    if (offset === 0 || offset > written)
      throw new FormatError(safeText`an LZ4 block points before its start`)
    const end = written + length(token & 15) + 4
    if (end > output.length) throw new FormatError(safeText`an LZ4 block is longer than it says`)
    // Byte by byte: a match may overlap what it writes.
    for (; written < end; written++) output[written] = output[written - offset] ?? 0
  }
  return written
}
