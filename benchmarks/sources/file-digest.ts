import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import type { Digest } from '../../cache/digest.ts'
import type { FileDigests } from '../context.ts'

/**
 * sha256 of a file's bytes. Costs one stat when the file did not change since it was last digested.
 * @throws Node's error when the file can't be read
 */
export const fileDigest = async (path: string, digests: FileDigests): Promise<Digest<'file'>> => {
  const { size, mtimeNs, ino } = await stat(path, { bigint: true })
  const seen = { size: Number(size), mtimeNs, inode: ino }
  const known = digests.get(path, seen)
  if (known !== undefined) return known
  const hash = createHash('sha256')
  for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  const digest = hash.digest('hex') as Digest<'file'>
  await digests.put(path, seen, digest)
  return digest
}
