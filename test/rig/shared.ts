import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { dirname, join } from 'node:path'

/** The repository that a folder of it lies in: two levels above this file, one above what `npm run oracle` bundles. */
export const repositoryOf = (folder: string): string =>
  existsSync(join(folder, 'tsconfig.json')) || folder === dirname(folder)
    ? folder
    : repositoryOf(dirname(folder))

/** Reference results and data that lie beside the repository; MEDMAKE_SHARED names another place. */
const root =
  process.env['MEDMAKE_SHARED'] ?? join(repositoryOf(dirname(fileURLToPath(import.meta.url))), '..', 'shared')

/** Full path of a shared file or directory; undefined where it isn't there, and tests that need it are skipped. */
export const shared = (path: string): string | undefined => {
  const full = join(root, path)
  return existsSync(full) ? full : undefined
}
