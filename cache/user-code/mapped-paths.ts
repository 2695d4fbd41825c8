import { existsSync, realpathSync } from 'node:fs'
import { dirname, join, resolve, sep } from 'node:path'
import { readFileSync } from '../files/plain-file.ts'

/** A file, or a folder all of which counts, within the package at `home`. */
export interface MappedPath {
  readonly path: string
  readonly home: string
}

/**
 * What the package that a name is of says of where its names lead: `import` may lead elsewhere than `require`. All of it
 * counts; nothing of an installed package does.
 */
export const mappedPaths = (name: string, file: string): readonly MappedPath[] => {
  const home = packageFolder(name, file)
  if (home === undefined || home.split(sep).includes('node_modules')) return []
  const { imports, exports } = packageJson(home)
  return texts([imports, exports]).flatMap((text) => {
    const [place = ''] = text.split('*')
    const path = resolve(home, place.length < text.length ? place.replace(/[^/]*$/, '') : place)
    return path === home ? [] : [{ path, home }]
  })
}

/** Of the package that code itself is in for `#names` and its own name, else of the one that a folder above holds. */
const packageFolder = (name: string, file: string): string | undefined => {
  const called = name.split('/', name.startsWith('@') ? 2 : 1).join('/')
  const own = ownPackage(file)
  if (name.startsWith('#') || (own !== undefined && packageJson(own).name === called)) return own
  const found = foldersAbove(file)
    .map((folder) => join(folder, 'node_modules', called))
    .find((folder) => existsSync(join(folder, 'package.json')))
  return found === undefined ? undefined : realpathSync(found)
}

/** Folder of the package that a file is in. */
export const ownPackage = (file: string): string | undefined =>
  foldersAbove(file).find((folder) => existsSync(join(folder, 'package.json')))

const foldersAbove = (file: string): readonly string[] => {
  const folder = dirname(file)
  return folder === file ? [] : [folder, ...foldersAbove(folder)]
}

interface PackageJson {
  readonly name?: unknown
  readonly imports?: unknown
  readonly exports?: unknown
}

/** Empty where it can't be read: the import itself will say so. */
const packageJson = (folder: string): PackageJson => {
  try {
    return (JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as PackageJson | null) ?? {}
  } catch {
    return {}
  }
}

const texts = (value: unknown): readonly string[] => {
  if (typeof value === 'string') return value.startsWith('./') ? [value] : []
  return typeof value === 'object' && value !== null ? Object.values(value).flatMap(texts) : []
}
