import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { execa } from 'execa'
import { packageRoot } from '../../cache/package-root.ts'

const SOURCES = ['benchmarks', 'cache', 'models', 'targets', 'tools']
/** Results that lie among the sources; there may be many. */
const NO_SOURCES = new Set(['cache/nx', 'cache/store', 'cache/results', 'cache/data'])

/**
 * Vitest's global setup: bundles dist once, where a source is newer than it.
 * A tree that doesn't bundle fails only the tests that run the program, with esbuild's own words.
 */
export const setup = async (): Promise<void> => {
  const root = packageRoot()
  const bundle = join(root, 'dist/medmake.js')
  const built = existsSync(bundle) ? statSync(bundle).mtimeMs : 0
  if (!SOURCES.some((source) => hasNewer(root, source, built))) return
  const { failed, stderr } = await execa(process.execPath, ['tools/build/build.mjs'], {
    cwd: root,
    reject: false,
  })
  if (failed) process.env['MEDMAKE_BUILD_FAILED'] = stderr
}

const hasNewer = (root: string, folder: string, than: number): boolean =>
  readdirSync(join(root, folder), { withFileTypes: true }).some((entry) => {
    const path = `${folder}/${entry.name}`
    if (entry.isDirectory()) return !NO_SOURCES.has(path) && hasNewer(root, path, than)
    return /\.(?:ts|tsx|mjs)$/.test(entry.name) && statSync(join(root, path)).mtimeMs > than
  })
