import { existsSync, readdirSync, rmSync, statSync } from 'node:fs'
import Module from 'node:module'
import { basename, join } from 'node:path'
import { cachedDataVersionTag } from 'node:v8'
import { startUnder } from '../../cache/processes/engine-flags.ts'
import { makeFolder } from '../../cache/files/folders.ts'
import { packageRoot } from '../../cache/package-root.ts'
import { userFolder } from '../../cache/files/home-folder.ts'
import { isOwn } from '../../models/limits/limits-folder.ts'
import { useCodeCache } from './code-cache.ts'

/** Of Node's modules those that every verb needs. */
const NEEDED = [
  'node:child_process',
  'node:fs/promises',
  'node:net',
  'node:stream/promises',
  'node:worker_threads',
] as const

/** By no more than what lives: left alone, V8 fills 200 MB with a run's garbage before it looks through the heap. */
const GROW_LITTLE = { 'heap-growing-percent': 100 }

/** Builds, each with a version of Node and its flags. */
const KEPT = 4

/**
 * Keeps what V8 compiled of the bundle in `~/.cache/medmake/compiled/`, a folder a verb, so that its next start need not:
 * a quarter of the CPU time of a run that was finished before. Node itself does it from 22.8 on, and
 * `NODE_DISABLE_COMPILE_CACHE=1` switches off either. A folder that can't be made, or is another user's, changes nothing.
 */
export const keepCompiled = (): void => {
  // Node brings them compiled, and V8 takes that only until its flags are set.
  for (const name of NEEDED) process.getBuiltinModule(name)
  startUnder({ ...optimizeLate(), ...GROW_LITTLE })
  if (process.env['NODE_DISABLE_COMPILE_CACHE']) return
  const builds = join(userFolder(process.env, 'cache'), 'medmake', 'compiled')
  const build = join(builds, `${process.env['MEDMAKE_CODE']}-${process.version}-${cachedDataVersionTag()}`)
  const { enableCompileCache } = Module as { readonly enableCompileCache?: (folder: string) => unknown }
  if (enableCompileCache !== undefined) {
    if (makeReady(build, builds)) enableCompileCache(build)
    // Written behind this, under the flags that the next start has when it asks for it.
    process.once('exit', () => startUnder(GROW_LITTLE))
    return
  }
  const folder = join(build, verb())
  if (existsSync(folder) && !isOwn(folder)) return
  const keep = useCodeCache(join(packageRoot(), 'dist'), folder)
  process.once('exit', () => keep(() => makeReady(folder, builds)))
}

/**
 * Lets V8 optimize a function only after ten times the work it would wait for (67,584 in Node 20). Left alone it spends
 * three tenths of a run of 1,000 calls on machine code that is hardly used before the run is over. Before all else: V8
 * takes compiled code only under the flags that it was made with. Later ones have no such flag, and would say so on stderr.
 */
const optimizeLate = (): { readonly 'interrupt-budget'?: number } =>
  process.versions.v8.startsWith('11.') ? { 'interrupt-budget': 675_840 } : {}

/** Verbs enter different functions, and only what was entered is compiled. */
const verb = (): string => {
  const [, program = '', first = ''] = process.argv
  return `${basename(program, '.js')}-${/^[a-z]*$/.test(first) ? first : ''}`
}

const makeReady = (folder: string, builds: string): boolean => {
  try {
    if (makeFolder(folder, 0o700) !== undefined) dropOld(builds)
    return isOwn(folder)
  } catch {
    return false
  }
}

const dropOld = (builds: string): void => {
  const old = readdirSync(builds)
    .map((name) => ({ path: join(builds, name), changed: statSync(join(builds, name)).mtimeMs }))
    .sort((one, other) => other.changed - one.changed)
    .slice(KEPT)
  for (const { path } of old) rmSync(path, { recursive: true, force: true })
}
