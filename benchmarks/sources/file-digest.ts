import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import type { Digest } from '../../cache/values/digest.ts'
import type { FileDigests } from '../context/context.ts'
import { unreadableFile } from './read-text.ts'
import { requirePlainFile, readFileSync } from '../../cache/files/plain-file.ts'

/** Up to so many bytes are read in one go. */
const SMALL = 100_000

/**
 * sha256 of a file's bytes. Costs one stat when the file did not change since it was last digested.
 * @throws Node's error when there is no such file; ProblemError `benchmarks/unreadable-file` when it can't be read
 */
export const fileDigest = async (path: string, digests: FileDigests): Promise<Digest<'file'>> => {
  try {
    return await digestOf(path, digests)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw code === 'ENOENT' || code === 'ENOTDIR'
      ? error
      : (unreadableFile(path, 'data file', error) ?? error)
  }
}

const digestOf = async (path: string, digests: FileDigests): Promise<Digest<'file'>> => {
  // Data sets of two thousand notes: a hop to another thread costs ten times what stat and read do.
  const { size, mtimeNs, ctimeNs, ino } = requirePlainFile(path)
  const seen = { size: Number(size), mtimeNs, ctimeNs, inode: ino }
  const known = digests.get(path, seen)
  if (known !== undefined) return known
  const hash = createHash('sha256')
  if (seen.size <= SMALL) hash.update(readFileSync(path))
  else for await (const chunk of createReadStream(path)) hash.update(chunk as Buffer)
  const digest = hash.digest('hex') as Digest<'file'>
  await digests.put(path, seen, digest)
  return digest
}
