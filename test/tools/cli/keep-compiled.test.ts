import { chmodSync, mkdirSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { join } from 'node:path'
import { execa } from 'execa'
import { beforeEach, describe, expect, it } from 'vitest'
import { packageRoot } from '../../../cache/package-root.ts'
import { useCodeCache } from '../../../tools/cli/code-cache.ts'
import { growHeapLeast, startUnder } from '../../../cache/processes/engine-flags.ts'
import { bareEnvironment } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const version = async (cache: string) => {
  const { exitCode, stdout, stderr } = await execa(
    process.execPath,
    [join(packageRoot(), 'dist/medmake.js'), '--version'],
    { env: { ...bareEnvironment(), XDG_CACHE_HOME: cache }, extendEnv: false, reject: false },
  )
  return { exitCode, stdout, stderr }
}

/** Files that are kept, with what tells whether they were written anew. */
const keptIn = (cache: string) =>
  readdirSync(cache, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ file: join(cache, name), stats: statSync(join(cache, name)) }))
    .filter(({ stats }) => stats.isFile())

const FINE = { exitCode: 0, stdout: '0.1.0', stderr: '' }
// Node's own cache is in use from 22.8 on, which has tests of its own.
const isOurs = !('enableCompileCache' in createRequire(import.meta.url)('node:module'))

describe.runIf(isOurs)('compiled code', () => {
  it('is kept for this user alone, and taken by the next start', async () => {
    const cache = join(createWorkspace(), 'cache')
    expect(await version(cache)).toEqual(FINE)
    const before = keptIn(cache)
    expect(before.map(({ stats }) => stats.mode & 0o777)).toEqual([0o600])
    expect(statSync(join(cache, 'medmake/compiled')).mode & 0o777).toBe(0o700)
    expect(await version(cache)).toEqual(FINE)
    expect(keptIn(cache).map(({ stats }) => stats.ino)).toEqual(before.map(({ stats }) => stats.ino))
  })

  it('is made anew where a disk damaged it', async () => {
    const cache = join(createWorkspace(), 'cache')
    await version(cache)
    for (const { file } of keptIn(cache)) {
      const right = readFileSync(file)
      const wrong = Buffer.from(right)
      const middle = wrong.length >> 1
      wrong.writeUInt8(wrong.readUInt8(middle) ^ 4, middle)
      for (const damaged of [wrong, right.subarray(0, middle), Buffer.alloc(0)]) {
        writeFileSync(file, damaged)
        expect(await version(cache)).toEqual(FINE)
        expect(readFileSync(file).equals(damaged)).toBe(false)
      }
    }
  })

  it('is neither read nor kept where others may write, or where no folder can be made', async () => {
    const cache = createWorkspace({ file: 'in the way' })
    await version(cache)
    const [{ file } = { file: '' }] = keptIn(join(cache, 'medmake'))
    const folder = join(file, '..')
    rmSync(file)
    chmodSync(folder, 0o777)
    expect(await version(cache)).toEqual(FINE)
    expect(readdirSync(folder)).toEqual([])
    expect(await version(join(cache, 'file'))).toEqual(FINE)
  })

  it('of old builds goes, but for the last', async () => {
    const cache = join(createWorkspace(), 'cache')
    for (const name of ['one', 'two', 'three', 'four', 'five'])
      mkdirSync(join(cache, 'medmake/compiled', name), { recursive: true })
    await version(cache)
    expect(readdirSync(join(cache, 'medmake/compiled'))).toHaveLength(4)
  })
})

describe('the code cache', () => {
  // A store that another test filled sets flags, too.
  beforeEach(() => startUnder({ 'heap-growing-percent': 100 }))

  it('holds nothing for another build of Node, though V8 would take it', () => {
    const root = createWorkspace({ 'code/one.js': 'module.exports = () => 1' })
    const [file, folder] = [join(root, 'code/one.js'), join(root, 'kept')]
    const load = createRequire(file)
    const keptBy = (engine: string): Buffer => {
      delete load.cache[file]
      const keep = useCodeCache(join(root, 'code'), folder, engine)
      expect((load('./one.js') as () => number)()).toBe(1)
      keep(() => mkdirSync(folder, { recursive: true }) !== '')
      return readFileSync(join(folder, 'one.js'))
    }
    const first = keptBy('node.26')
    expect(keptBy('node.26').equals(first)).toBe(true)
    expect(keptBy('node.38').equals(first)).toBe(false)
  })

  it('is kept and taken by a run that keeps its heap small from somewhere on', () => {
    const root = createWorkspace({ 'code/one.js': 'module.exports = 1', 'code/two.js': 'module.exports = 2' })
    const folder = join(root, 'kept')
    const load = createRequire(join(root, 'code/one.js'))
    const inodesAfterRun = (): readonly number[] => {
      for (const path of Object.keys(load.cache)) if (path.startsWith(root)) delete load.cache[path]
      startUnder({ 'heap-growing-percent': 100 })
      const keep = useCodeCache(join(root, 'code'), folder)
      load('./one.js')
      growHeapLeast()
      load('./two.js')
      keep(() => mkdirSync(folder, { recursive: true }) !== '')
      return ['one.js', 'two.js'].map((name) => statSync(join(folder, name)).ino)
    }
    try {
      expect(inodesAfterRun()).toEqual(inodesAfterRun())
    } finally {
      startUnder({ 'heap-growing-percent': 100 })
    }
  })

  it('runs a file as Node does: same stack, names and exports', () => {
    const root = createWorkspace({
      'code/one.js':
        'exports.stack = () => new Error("here").stack\nexports.names = [__filename, __dirname, module.id, this === exports]\nexports.two = require("./two.js")\n',
      'code/two.js': 'module.exports = () => "there"',
      'code/late.js': 'module.exports = () => import("node:path")',
    })
    const file = join(root, 'code/one.js')
    const run = () => {
      for (const path of Object.keys(load.cache)) if (path.startsWith(root)) delete load.cache[path]
      const { stack, names, two } = load(file) as { stack: () => string; names: unknown; two: () => string }
      return { stack: ownFrame(stack()), names, two: two() }
    }
    const load = createRequire(file)
    const ownFrame = (stack: string): string | undefined =>
      stack.split('\n').find((line) => line.includes(root))
    const plain = run()
    const folder = join(root, 'kept')
    const ready = () => mkdirSync(folder, { recursive: true }) !== ''
    const keep = useCodeCache(join(root, 'code'), folder)
    expect(run()).toEqual(plain)
    load('./late.js')
    keep(ready)
    expect(readdirSync(folder).toSorted()).toEqual(['one.js', 'two.js'])
    useCodeCache(join(root, 'code'), folder)
    expect(run()).toEqual(plain)
    // As long as before, which is all that V8 looks at.
    writeFileSync(join(root, 'code/two.js'), 'module.exports = () => "other"')
    expect(run()).toEqual({ ...plain, two: 'other' })
  })
})
