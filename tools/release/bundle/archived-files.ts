import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { digestFile, type ReleaseFile } from './list-files.ts'
import { RELEASE_FILE } from '../release-file.ts'
import { SIGNATURE_FILE } from './signature.ts'

/** What a bundle's archive holds, in its order: the files that release.json names, that file, its signature. */
export const archivedFiles = async (
  bundle: string,
  named: readonly ReleaseFile[],
): Promise<readonly ReleaseFile[]> => {
  const own = [RELEASE_FILE, SIGNATURE_FILE].filter((path) => existsSync(join(bundle, path)))
  return [...named, ...(await Promise.all(own.map((path) => digestFile(bundle, path))))]
}
