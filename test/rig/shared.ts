import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { join } from 'node:path'

/** Reference results and data that lie beside the repository; MEDMAKE_SHARED names another place. */
const root = process.env['MEDMAKE_SHARED'] ?? fileURLToPath(new URL('../../../shared', import.meta.url))

/** Full path of a shared file or directory; undefined where it isn't there, and tests that need it are skipped. */
export const shared = (path: string): string | undefined => {
  const full = join(root, path)
  return existsSync(full) ? full : undefined
}
