import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { unlessAbsent } from '../../../cache/files/read.ts'
import { digestJson } from '../../../cache/values/digest.ts'
import type { FileDigests } from '../../context/context.ts'
import { compareCodePoints } from '../../python/text.ts'
import { fileDigest } from '../read-text.ts'
import type { LocalFile, LocalPart } from './remote-file.ts'

/**
 * A file that the user brings, or with a suffix the files of a folder whose names end with it, sorted by code point.
 * @returns undefined when there is no such file or folder
 * @throws Node's error when it can't be read
 */
export const localData = async (
  path: string,
  suffix: string | undefined,
  digests: FileDigests,
): Promise<LocalFile | undefined> => {
  try {
    if (suffix === undefined) return { path, digest: await fileDigest(path, digests) }
    return await folder(path, suffix, digests)
  } catch (error) {
    return unlessAbsent(error)
  }
}

/** One digest stands for all files, by name. */
const folder = async (path: string, suffix: string, digests: FileDigests): Promise<LocalFile> => {
  const entries = await readdir(path, { withFileTypes: true })
  const names = entries
    .filter((entry) => !entry.isDirectory() && entry.name.endsWith(suffix))
    .map(({ name }) => name)
    .toSorted(compareCodePoints)
  const found: [string, string][] = []
  const parts: LocalPart[] = []
  for (const name of names) {
    const file = join(path, name)
    parts.push({ name, path: file })
    found.push([name, await fileDigest(file, digests)])
  }
  return { path, digest: digestJson<'file'>(found), parts }
}
