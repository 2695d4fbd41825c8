import { basename, dirname, resolve } from 'node:path'
import { readFile } from '../../cache/plain-file.ts'

/**
 * What a workspace's package.json must name to get the very medmake that lies in `root`: its version where a registry
 * gave it, else the file, folder or address that it came from.
 */
export const packageSource = async (root: string, version: string): Promise<string> => {
  const modules = dirname(root)
  if (basename(modules) !== 'node_modules') return `file:${root}`
  const resolved = await resolvedOf(modules)
  if (resolved === undefined || isRegistry(resolved)) return version
  return resolved.startsWith('file:')
    ? `file:${resolve(dirname(modules), resolved.slice('file:'.length))}`
    : resolved
}

/** npm's note of where it took an installed package from; other package managers keep none. */
const resolvedOf = async (modules: string): Promise<string | undefined> => {
  const text = await readFile(resolve(modules, '.package-lock.json'), 'utf8').catch(() => '{}')
  const lock = JSON.parse(text) as { packages?: Record<string, { resolved?: string }> }
  return lock.packages?.['node_modules/medmake']?.resolved
}

/** Registries keep a package's tarballs below `/-/`. */
const isRegistry = (resolved: string): boolean => /^https?:\/\/.*\/-\/medmake-[^/]*\.tgz$/.test(resolved)
