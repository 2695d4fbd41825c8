import { brotliDecompressSync, gunzipSync } from 'node:zlib'
import type { Compressors } from 'hyparquet'
import { compressors, decompressZstd } from 'hyparquet-compressors'

/** Unpackers of pages that give no more than the page says it unpacks to; the others are told how much that is. */
export const boundedCompressors: Compressors = {
  ...compressors,
  GZIP: (page, length) => new Uint8Array(gunzipSync(page, { maxOutputLength: Math.max(1, length) })),
  BROTLI: (page, length) =>
    new Uint8Array(brotliDecompressSync(page, { maxOutputLength: Math.max(1, length) })),
  ZSTD: (page, length) => decompressZstd(page, new Uint8Array(length)),
}
