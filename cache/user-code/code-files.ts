import { readdirSync, realpathSync, statSync, existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, extname, join, resolve, sep, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { plain, readFileSync } from '../files/read.ts'
import { packageRoot } from '../package-root.ts'
import { digestJson, type Digest } from '../values/digest.ts'
import {
  besideNames,
  constants,
  importedNames,
  innerPaths,
  readsOwnFolder,
  relativePaths,
  type NamedPath,
} from './named-paths.ts'

/**
 * The files that a piece of a user's code rests on: itself, and what it names of the workspace. Sorted, links resolved.
 *
 * Every text in the code that begins with `./` or `../`, or names a file beside it, counts if there is such a file,
 * whatever the code does with it: a name too many costs a look at a file, one too few a wrong result. So do imports by
 * other names (`#lib`, a package of the workspace), as long as they do not lead into `node_modules` or to medmake's own
 * program: packages have versions of their own. A folder named beside the entry, as in `./tables/${name}.json`, counts
 * with all its files, of `./tables/age-${name}.json` those that begin so; any other one where a name is put together in it.
 * What is put behind a folder counts as if it lay beside, or in a folder that the code names, and a path from the package's
 * or workspace's own folder, where commands are mostly given.
 */
export const codeFiles = (entry: string): readonly string[] => {
  const start = realpathSync(entry)
  // Node reads it to import the code, and would wait for a pipe.
  const home = ownPackage(start)
  if (home !== undefined) plain(join(home, 'package.json'))
  const program = programFolder()
  const found = new Set<string>()
  const open = [start]
  for (let file = open.pop(); file !== undefined; file = open.pop()) {
    if (found.has(file) || file.startsWith(program)) continue
    found.add(file)
    if (CODE.has(extname(file))) for (const each of named(file, dirname(start))) open.push(each)
  }
  return [...found].sort((a, b) => (a < b ? -1 : 1))
}

/** Whether it is of medmake itself, which users' code imports. */
export const isProgram = (file: string): boolean => file.startsWith(programFolder())

const programFolder = (): string => `${ownRoot()}${sep}dist${sep}`

const ownRoot = (): string => realpathSync(packageRoot())

const CODE: ReadonlySet<string> = new Set(['.js', '.mjs', '.cjs', '.jsx', '.ts', '.mts', '.cts', '.tsx'])

const named = (file: string, home: string): readonly string[] => {
  const text = readFileSync(file, 'utf8')
  const folder = dirname(file)
  const roots = ['package.json', 'medmake.yaml'].flatMap((own) => folderWith(own, file) ?? [])
  const relatives = relativePaths(text).map(({ parts, isBegun }) => ({
    path: resolve(folder, ...parts),
    isBegun,
  }))
  const inner = innerPaths(text)
  const near = [...new Set([folder, ...roots])]
  const words = constants(text)
  // What is put behind a folder that has a name of its own shows only that name.
  const far = [
    ...relatives.map(({ path }) => path),
    ...near.flatMap((place) => words.map((name) => join(place, name))),
    ...inner.map(({ parts }) => join(folder, ...parts)),
  ].filter((path) => !isWithin(path, folder) && kindOf(path) === 'folder')
  const places = [...new Set([...near, ...far])]
  return [
    ...(readsOwnFolder(text) ? filesAt(folder, home) : []),
    ...relatives.flatMap(({ path, isBegun }) => filesAt(path, home, isBegun)),
    ...inner.flatMap((path) => places.flatMap((place) => behind(place, path, { home, folder }))),
    ...besideNames(text)
      .flatMap((name) => places.map((place) => join(place, name)))
      .flatMap((path) => (kindOf(path) === 'file' ? [realpathSync(path)] : [])),
    ...importedNames(text).flatMap((name) => [
      ...packageFile(name, file),
      ...(name.startsWith('.')
        ? filesAt(resolve(folder, name), home)
        : mappedPaths(name, file).flatMap(({ path, home }) => filesAt(path, home))),
    ]),
  ]
}

/** As far as its parts lead: the last may be another argument, such as an encoding. A word is no name that imports complete. */
const behind = (
  place: string,
  { parts, isBegun, isPath }: NamedPath,
  { home, folder }: { readonly home: string; readonly folder: string },
): readonly string[] => {
  // Of a word to which something is added nothing says that it is a path, but where it leads.
  const isSure = isBegun && (isPath || place === folder)
  let path = place
  for (const [index, part] of parts.entries()) {
    const next = join(path, part)
    const kind = kindOf(next)
    if (kind === 'file') return [realpathSync(next)]
    if (kind === undefined && isSure && (index > 0 || part.includes('/')) && index === parts.length - 1)
      return filesAt(next, home, true)
    if (kind === undefined) break
    path = next
  }
  return path === place ? [] : filesAt(path, home, isSure)
}

const isWithin = (path: string, folder: string): boolean => `${path}${sep}`.startsWith(`${folder}${sep}`)

/**
 * As imports spell it; else whatever `require` and bundlers complete it to, `x.js` of TypeScript to `x.ts`; or all files of
 * a folder within the code's own, or those of it whose names begin so.
 *
 * @param isBegun a name is put together there: then all of another folder counts, too, but of none that the code's own is in
 */
const filesAt = (given: string, home: string, isBegun = false): readonly string[] => {
  const path = resolve(given)
  const completed = [
    path.replace(/js$/, 'ts'),
    path.replace(/jsx?$/, 'tsx'),
    // As URLs spell it.
    path.replaceAll('%20', ' '),
    ...ENDINGS.map((ending) => path + ending),
  ]
  const found = kindOf(path) === 'file' ? [path] : completed.filter((each) => kindOf(each) === 'file')
  if (found.length > 0) return found.map((file) => realpathSync(file))
  const isOther = isBegun && !isWithin(home, path) && !path.split(sep).includes('node_modules')
  if (!isWithin(path, home) && !isOther) return []
  if (kindOf(path) === 'folder') return filesBelow(path)
  return kindOf(dirname(path)) === 'folder' ? filesBelow(dirname(path), basename(path)) : []
}

const ENDINGS = [...CODE, '.json', ...[...CODE].map((ending) => `/index${ending}`)]

/** Data may lie there in tens of thousands: a file that is no link costs no look. */
const filesBelow = (folder: string, begin = ''): readonly string[] => {
  const real = realpathSync(folder)
  return readdirSync(real, { withFileTypes: true }).flatMap((entry) => {
    const { name } = entry
    if (name === 'node_modules' || name.startsWith('.') || !name.startsWith(begin)) return []
    const path = real + sep + name
    if (entry.isFile()) return [path]
    if (entry.isDirectory()) return filesBelow(path)
    return kindOf(path) === 'file' ? [realpathSync(path)] : []
  })
}

const packageFile = (name: string, file: string): readonly string[] => {
  try {
    const path = name.startsWith('file:') ? fileURLToPath(name) : createRequire(file).resolve(name)
    // Names of Node's own modules resolve to themselves.
    return kindOf(path) === 'file' && !path.split(sep).includes('node_modules') ? [realpathSync(path)] : []
  } catch {
    // A word that looks like an import, or a package that is not there: the import itself will say so.
    return []
  }
}

/** Undefined also for what can't be one: too long a name, a circle of links, a folder that may not be entered. */
const kindOf = (path: string): 'file' | 'folder' | undefined => {
  try {
    // Most of what is asked for is not there, and an error takes longer than the look.
    const found = statSync(path, { throwIfNoEntry: false })
    if (found === undefined) return undefined
    if (found.isDirectory()) return 'folder'
    // A pipe in the place of code is one to be refused: its import would wait for ever.
    return found.isFile() || CODE.has(extname(path)) ? 'file' : undefined
  } catch {
    return undefined
  }
}

/** A file, or a folder all of which counts, within the package at `home`. */
interface MappedPath {
  readonly path: string
  readonly home: string
}

/**
 * What the package that a name is of says of where its names lead: `import` may lead elsewhere than `require`. All of it
 * counts; nothing of an installed package does.
 */
const mappedPaths = (name: string, file: string): readonly MappedPath[] => {
  const home = packageFolder(name, file)
  // A clone that npm linked is installed, too.
  if (home === undefined || home === ownRoot() || home.split(sep).includes('node_modules')) return []
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
const ownPackage = (file: string): string | undefined => folderWith('package.json', file)

const folderWith = (name: string, file: string): string | undefined =>
  foldersAbove(file).find((folder) => existsSync(join(folder, name)))

/** Whether it is written as a module and named as Node names CommonJS: imported as it stands it fails, or Node warns. */
export const isUntypedModule = (file: string): boolean => {
  if (extname(file) !== '.js' || !/^\s*(?:import|export)\b/m.test(readFileSync(file, 'utf8'))) return false
  const own = ownPackage(file)
  return own === undefined || packageJson(own).type !== 'module'
}

const foldersAbove = (file: string): readonly string[] => {
  const folder = dirname(file)
  return folder === file ? [] : [folder, ...foldersAbove(folder)]
}

interface PackageJson {
  readonly name?: unknown
  readonly type?: unknown
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

/**
 * What a piece of a user's code is: the names, seen from it, and bytes of all files that it rests on. The same wherever
 * its folder lies.
 *
 * @param digestOf a file's own digest
 */
export const codeDigest = async (
  entry: string,
  digestOf: (file: string) => Promise<string>,
): Promise<Digest<'code'>> => {
  const home = dirname(realpathSync(entry))
  const files: [name: string, digest: string][] = []
  for (const file of codeFiles(entry))
    files.push([relative(home, file).split(sep).join('/'), await digestOf(file)])
  return digestJson<'code'>(files)
}
