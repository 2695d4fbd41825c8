import { existsSync, type Dirent } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { basename, join, relative, resolve, dirname } from 'node:path'
import { readFile } from '../../../cache/files/read.ts'
import { makeFolder } from '../../../cache/files/folders.ts'
import { leftStaged, rewriteFile } from '../../../cache/files/write.ts'
import { packageRoot } from '../../../cache/package-root.ts'
import { EXIT, ProblemError } from '../../../cache/problems/problem.ts'
import { boolFlag } from '../flags.ts'
import type { Action } from '../verb.ts'
import { lackingRules, withRules } from './ignored.ts'

/** What a package manager leaves in a folder, and what a repository begins with. */
const BEFORE: ReadonlySet<string> = new Set([
  '.git',
  '.gitignore',
  'LICENSE',
  'README.md',
  'node_modules',
  'package-lock.json',
  'package.json',
])

/** `medmake init`: copies the template workspace; what is there already stays as it is. */
export const initAction: Action = async ({ args, flags, cwd, print }) => {
  const folder = resolve(cwd, args[0] ?? '.')
  const launchers = LAUNCHERS.filter((name) => boolFlag(flags, name))
  const present = await readdir(folder).catch(() => [] as string[])
  // A workspace that stands takes launchers as it is.
  if (launchers.length > 0 && present.includes('medmake.yaml') && !boolFlag(flags, 'force')) {
    for (const name of launchers) await addLauncher(name, folder, print)
    return EXIT.done
  }
  if (!boolFlag(flags, 'force') && (present.includes(LAST) || !(await isOwn(folder))))
    throw new ProblemError({
      code: 'cli/not-empty',
      message: `${folder} is not empty`,
      where: { file: folder },
      remedy: 'Name a new folder, or add --force: files that exist are left as they are.',
    })
  makeFolder(folder)
  await addFiles('template', folder)
  await keepOutOfGit(folder, print)
  if (boolFlag(flags, 'example')) await addFiles('example', folder)
  for (const name of launchers) await addLauncher(name, folder, print)
  const source = await namePackage(folder)
  await addFile(join(TEMPLATES, 'template', LAST), join(folder, LAST))
  const shown = relative(cwd, folder) || '.'
  print(`made a workspace in ${shown}${source === undefined ? '' : `, with medmake from ${source}`}`)
  print(
    `${shown === '.' ? '' : `  cd ${shellWord(shown.replace(/^-/, './-'))}\n`}  npm install\n  npx medmake run\n  npx medmake report`,
  )
  return EXIT.done
}

/** A path as a shell takes it for one word. */
const shellWord = (path: string): string =>
  /[^\p{L}\p{N}\w./-]/u.test(path) ? `'${path.replaceAll("'", String.raw`'\''`)}'` : path

/** Written behind all others: a folder without it was left half made, and the next `init` goes on with it. */
const LAST = 'medmake.yaml'

const TEMPLATES = join(packageRoot(), 'tools/init')

/** Whether a folder holds nothing but what a workspace may begin with, and files that init itself wrote. */
const isOwn = async (folder: string): Promise<boolean> => {
  if (!existsSync(folder)) return true
  const left = leftStaged(folder)
  const others = (await readdir(folder, { withFileTypes: true })).filter(
    ({ name }) => !BEFORE.has(name) && !/^medmake-.*\.tgz$/.test(name) && !left.includes(name),
  )
  if (others.length === 0) return true
  const written = new Map<string, string>()
  for (const set of ['template', 'example', ...LAUNCHERS])
    for (const [file, from] of await filesOf(set)) written.set(join(folder, file), from)
  for (const entry of others) if (!(await isWritten(entry, written))) return false
  return true
}

/** @param written where the content of each file that init writes stands */
const isWritten = async (entry: Dirent, written: ReadonlyMap<string, string>): Promise<boolean> => {
  const path = join(entry.parentPath, entry.name)
  if (entry.isDirectory()) {
    const left = leftStaged(path)
    for (const each of await readdir(path, { withFileTypes: true }))
      if (!left.includes(each.name) && !(await isWritten(each, written))) return false
    return true
  }
  const from = written.get(path)
  return from !== undefined && entry.isFile() && (await readFile(path)).equals(await readFile(from))
}

/** Ways to run a suite in parts on several machines: a folder of templates each. */
const LAUNCHERS = ['ci', 'k8s'] as const

/** Adds those of a launcher's files that are not there; tells which. */
const addLauncher = (
  name: (typeof LAUNCHERS)[number],
  folder: string,
  print: (text: string) => void,
): Promise<void> =>
  addFiles(name, folder, (file, isThere) => print(isThere ? `left as it is: ${file}` : `wrote: ${file}`))

/** Puts those of a set of templates in place that are not there, each whole. */
const addFiles = async (
  set: string,
  folder: string,
  tell?: (file: string, isThere: boolean) => void,
): Promise<void> => {
  for (const [file, from] of await filesOf(set)) {
    if (file === LAST) continue
    const isAdded = await addFile(from, join(folder, file))
    tell?.(file, !isAdded)
  }
}

/** The files of a set of templates: their paths in a workspace, and where they stand. */
const filesOf = async (set: string): Promise<readonly (readonly [file: string, from: string])[]> => {
  const folder = join(TEMPLATES, set)
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => {
      const from = join(entry.parentPath, entry.name)
      const file = relative(folder, from)
      return [DOT_FILES[file] ?? file, from] as const
    })
}

/** False where there is one. */
const addFile = async (from: string, to: string): Promise<boolean> => {
  if (existsSync(to)) return false
  makeFolder(dirname(to))
  rewriteFile(to, await readFile(from))
  return true
}

/** Results and keys stay out of a repository whose own .gitignore does not know of them. */
const keepOutOfGit = async (folder: string, print: (text: string) => void): Promise<void> => {
  const file = join(folder, '.gitignore')
  const own = await readFile(file, 'utf8')
  const lacking = lackingRules(own)
  if (lacking.length === 0) return
  rewriteFile(file, withRules(own, lacking))
  print(`added to .gitignore: ${lacking.join(' ')}`)
}

/** npm leaves files called .gitignore out of packages, so the template holds such under other names. */
const DOT_FILES: Readonly<Record<string, string>> = {
  gitattributes: '.gitattributes',
  gitignore: '.gitignore',
  env: '.env',
  npmrc: '.npmrc',
}

/**
 * The workspace depends on what made it; gives what it is called there, undefined where package.json was there before.
 * A tarball is copied beside it, so that a clone on another machine and an image install the same.
 */
const namePackage = async (folder: string): Promise<string | undefined> => {
  const file = join(folder, 'package.json')
  const text = await readFile(file, 'utf8')
  if (!text.includes('"medmake": "*"')) return undefined
  const own = JSON.parse(await readFile(join(packageRoot(), 'package.json'), 'utf8')) as { version: string }
  const source = await besides(folder, await packageSource(packageRoot(), own.version))
  rewriteFile(
    file,
    text
      .replace('"name": "my-evals"', () => `"name": ${JSON.stringify(packageName(folder))}`)
      .replace('"medmake": "*"', () => `"medmake": ${JSON.stringify(source)}`),
  )
  return source
}

/** A source as a workspace in `folder` names it: a tarball lies in it, a clone is found from it. */
const besides = async (folder: string, source: string): Promise<string> => {
  if (!source.startsWith('file:')) return source
  const from = source.slice('file:'.length)
  const isTarball = await stat(from).then(
    (found) => found.isFile(),
    () => false,
  )
  if (!isTarball) return `file:${relative(await realpath(folder), from)}`
  await addFile(from, join(folder, basename(from)))
  return `file:${basename(from)}`
}

const packageName = (folder: string): string =>
  basename(folder)
    .toLowerCase()
    .replaceAll(/[^a-z0-9-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '') || 'my-evals'

/**
 * What a workspace's package.json must name to get the very medmake that lies in `root`: its version where a registry
 * gave it, else the file, folder or address that it came from. A global install and other package managers keep no note
 * of that, and a registry may hold somebody else's package of this name, or none: there it is the folder itself.
 */
export const packageSource = async (root: string, version: string): Promise<string> => {
  const modules = dirname(root)
  const note = basename(modules) === 'node_modules' ? await noteOf(modules) : undefined
  if (note === undefined) return `file:${root}`
  const { resolved } = note
  if (resolved === undefined || isRegistry(resolved)) return version
  return resolved.startsWith('file:')
    ? `file:${resolve(dirname(modules), resolved.slice('file:'.length))}`
    : resolved
}

/** npm's note of where it took an installed package from. */
const noteOf = async (modules: string): Promise<{ readonly resolved?: string } | undefined> => {
  const text = await readFile(resolve(modules, '.package-lock.json'), 'utf8').catch(() => '{}')
  const lock = JSON.parse(text) as { packages?: Record<string, { resolved?: string }> }
  return lock.packages?.['node_modules/medmake']
}

/** Registries keep a package's tarballs below `/-/`. */
const isRegistry = (resolved: string): boolean => /^https?:\/\/.*\/-\/medmake-[^/]*\.tgz$/.test(resolved)
