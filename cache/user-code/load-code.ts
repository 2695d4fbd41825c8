import { realpathSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { readFileSync } from '../files/read.ts'
import { digestOf } from '../values/digest.ts'
import { fieldOf, ProblemError, reasonOf } from '../problems/problem.ts'
import { awaited, watchCode } from './bounded-call.ts'
import { codeFiles, isUntypedModule } from './code-files.ts'
import { importFile } from './import-file.ts'
import { rememberBuiltins, restoreNew, guardProcess } from './guards.ts'

/** What a file held when this process first imported it: Node keeps modules for as long as it runs. */
const loaded = new Map<string, string>()

/**
 * Imports a piece of a user's code. What runs is what its digest is of: a process that imported an earlier form of a
 * file refuses to go on with it.
 *
 * @param room names the problems
 * @throws ProblemError `<room>/code-changed`, `<room>/code-unwatched`, `<room>/no-package`; what the import itself throws
 */
export const loadCode = async (entry: string, room: string): Promise<unknown> => {
  guardProcess()
  rememberBuiltins()
  watchCode()
  const before = contents(entry)
  for (const [file, digest] of before) {
    const known = loaded.get(file)
    // The entry itself is imported under the name of its content, what it imports is not.
    if (known !== undefined && known !== digest && file !== realpathSync(entry)) throw changed(file, room)
    loaded.set(file, digest)
  }
  const module = await imported(async () =>
    withExports(await awaited(entry, importCode(entry, before, room), () => undefined)),
  ).catch((error: unknown) => {
    throw absentPackage(error, entry, room) ?? error
  })
  for (const [file, digest] of contents(entry)) if (before.get(file) !== digest) throw changed(file, room)
  return module
}

/** Of what CommonJS exports Node names some, and has all as `default`. */
const withExports = (module: unknown): unknown => {
  const all = fieldOf(module, 'default')
  return typeof all === 'object' && all !== null ? { ...all, ...Object(module) } : module
}

/** @throws Error where the code replaced what all else rests on: that is put back first, or nothing could be told. */
const imported = async (load: () => Promise<unknown>): Promise<unknown> => {
  let module: unknown
  let failure: { readonly error: unknown } | undefined
  try {
    module = await load()
  } catch (error) {
    failure = { error }
  }
  // What calls of other code replaced meanwhile is no fault of this one.
  const replaced = restoreNew()
  if (replaced.length > 0) throw new Error(`it replaced ${replaced.join(', ')}, on which every result rests`)
  if (failure !== undefined) throw withoutAdvice(failure.error)
  return module
}

/** Of CommonJS in a package of ES modules Node says to name it .cjs, under which no code is looked for. */
const withoutAdvice = (error: unknown): unknown => {
  if (error instanceof ReferenceError)
    error.message = error.message.replace(/\nThis file is being treated .*/s, '')
  return error
}

/** As Node tells it, and as esbuild does. */
const ABSENT = /Cannot find package '([^']+)'|Could not resolve "([^"./][^"]*)"/

const absentPackage = (error: unknown, entry: string, room: string): ProblemError | undefined => {
  const [, byNode, byBundler] = ABSENT.exec(reasonOf(error)) ?? []
  const name = byNode ?? byBundler
  if (name === undefined) return undefined
  return new ProblemError(
    {
      code: `${room}/no-package`,
      message: `${basename(entry)} imports ${name}, which is not installed`,
      where: { file: entry },
      remedy:
        'Run npm install in the workspace. What `paths` of a tsconfig.json name is not found: import it by a relative path.',
    },
    { cause: error },
  )
}

/**
 * TypeScript is bundled first, which works on every version of Node, and so are modules that Node takes for CommonJS; other
 * JavaScript is imported as it stands.
 */
const importCode = async (
  entry: string,
  files: ReadonlyMap<string, string>,
  room: string,
): Promise<unknown> => {
  if ([...files.keys()].some((file) => /\.(?:[cm]?ts|[jt]sx)$/.test(file) || isUntypedModule(file))) {
    const { importBundled } = await import('./bundle-code.ts')
    return importBundled(entry, new Set(codeFiles(entry)), (file) => {
      throw unwatched(file, entry, room)
    })
  }
  const code = files.get(realpathSync(entry)) ?? ''
  return importFile(entry, `?code=${code}`)
}

const contents = (entry: string): ReadonlyMap<string, string> =>
  new Map(
    codeFiles(entry)
      .filter((file) => /^\.[cm]?[jt]sx?$/.test(extname(file)))
      .map((file) => [file, digestOf<'file'>(readFileSync(file))]),
  )

const unwatched = (file: string, entry: string, room: string): ProblemError =>
  new ProblemError({
    code: `${room}/code-unwatched`,
    message: `${entry} imports ${file} by a name that only a bundler knows: results would not follow its changes`,
    where: { file: entry },
    remedy: 'Import it by a relative path, or as a package of the workspace.',
  })

const changed = (file: string, room: string): ProblemError =>
  new ProblemError({
    code: `${room}/code-changed`,
    message: `${file} was changed while it was in use`,
    where: { file },
    remedy: 'Run again: results are kept under the code that made them.',
  })
