import { createHash } from 'node:crypto'
import { createReadStream, readFileSync, statSync } from 'node:fs'
import type { Digest } from '../../cache/digest.ts'
import type { FileDigests } from '../context.ts'

/** Up to so many bytes are read in one go. */
const SMALL = 100_000

/**
 * sha256 of a file's bytes. Costs one stat when the file did not change since it was last digested.
 * @throws Node's error when the file can't be read
 */
export const fileDigest = async (path: string, digests: FileDigests): Promise<Digest<'file'>> => {
  // Data sets of two thousand notes: a hop to another thread costs ten times what stat and read do.
  const { size, mtimeNs, ino } = statSync(path, { bigint: true })
  const seen = { size: Number(size), mtimeNs, inode: ino }
  const known = digests.get(path, seen)
  if (known !== undefined) return known
  const hash = createHash('sha256')
  if (seen.size <= SMALL) hash.update(readFileSync(path))
  else for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  const digest = hash.digest('hex') as Digest<'file'>
  await digests.put(path, seen, digest)
  return digest
}
