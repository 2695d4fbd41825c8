import { readSync } from 'node:fs'
import type { FileHandle } from 'node:fs/promises'

/** Fills a buffer's start from a place of a file; how many bytes there were. The system may give less at once. */
export const readAll = (file: number, buffer: Buffer, offset: number, length: number): number => {
  let filled = 0
  while (filled < length) {
    const read = readSync(file, buffer, filled, length - filled, offset + filled)
    if (read === 0) break
    filled += read
  }
  return filled
}

/** Writes all of the bytes to a place of a file. */
export const writeAll = async (file: FileHandle, bytes: Buffer, offset: number): Promise<void> => {
  for (let written = 0; written < bytes.length;) {
    const part = await file.write(bytes, written, bytes.length - written, offset + written)
    written += part.bytesWritten
  }
}
