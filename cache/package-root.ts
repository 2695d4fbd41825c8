import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** True when this file runs as TypeScript source, false when it runs from the bundle in `dist/`. */
export const runsFromSource: boolean = fileURLToPath(import.meta.url).endsWith('.ts')

let found: string | undefined

const isOurs = (file: string): boolean => {
  if (!existsSync(file)) return false
  const manifest = JSON.parse(readFileSync(file, 'utf8')) as { name?: unknown }
  return manifest.name === 'medmake'
}

/** Folder of the package.json named medmake: the same for sources, tests and bundles. */
export const packageRoot = (): string => {
  if (found !== undefined) return found
  let folder = dirname(fileURLToPath(import.meta.url))
  while (!isOurs(join(folder, 'package.json'))) {
    const parent = dirname(folder)
    if (parent === folder) throw new Error('no package.json named medmake above this file')
    folder = parent
  }
  found = folder
  return folder
}

/**
 * Version and code of the running program, put in by the build. Recorded beside results so that `explain` can say that
 * the code changed while the versions did not; part of no key.
 */
export const CODE = {
  version: process.env['MEDMAKE_VERSION'] ?? 'source',
  /** sha256 over all sources, its first 16 letters. */
  digest: process.env['MEDMAKE_CODE'] ?? 'source',
} as const
