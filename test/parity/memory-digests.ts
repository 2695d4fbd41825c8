import type { FileDigests, FileStat } from '../../benchmarks/context/context.ts'
import type { Digest } from '../../cache/values/digest.ts'

/** Digests of files for as long as one comparison runs. */
export const memoryDigests = (): FileDigests => {
  const known = new Map<string, Digest<'file'>>()
  const keyOf = (path: string, { size, mtimeNs, ctimeNs, inode }: FileStat): string =>
    `${path} ${size} ${mtimeNs} ${ctimeNs} ${inode}`
  return {
    get: (path, stat) => known.get(keyOf(path, stat)),
    put: async (path, stat, digest) => {
      known.set(keyOf(path, stat), digest)
    },
  }
}
