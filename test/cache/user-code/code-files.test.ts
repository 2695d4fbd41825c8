import { existsSync, mkdirSync, rmSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { packageRoot } from '../../../cache/package-root.ts'
import { codeDigest, codeFiles } from '../../../cache/user-code/code-files.ts'
import { boundedCall } from '../../../cache/user-code/bounded-call.ts'
import { restoreBuiltins } from '../../../cache/user-code/guards.ts'
import { loadCode } from '../../../cache/user-code/load-code.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import { readFile, realpath } from 'node:fs/promises'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const digest = async (file: string): Promise<string> => digestOf(await readFile(file))

const filesOf = async (root: string, entry = 'own/code.js'): Promise<readonly string[]> => {
  const home = await realpath(root)
  return codeFiles(join(root, entry)).map((file) => file.slice(home.length + 1))
}

describe('the files of a piece of code', () => {
  it('are what it imports, requires, re-exports and names as a path, and what those do', async () => {
    const root = createWorkspace({
      'own/code.js': `import a from './a.js'
        export * from "../lib/b.mjs"
        const late = () => import('./late.js')
        const c = require('../lib/c')
        const table = new URL('./table.json', import.meta.url)
        const words = join(import.meta.dirname, 'lists/stop words.txt')
        const none = 'unused and .js'
        const long = '${'many.'.repeat(60)}words'
        const circle = './circle.js'
        import './missing.js'`,
      'own/a.js': "import './code.js'",
      'own/late.js': '',
      'own/table.json': '{}',
      'own/lists/stop words.txt': '',
      'own/unused.js': '',
      'own/typed.ts': "import './written.js'; import './both'",
      'own/written.ts': "import './module.mjs'",
      'own/module.mts': '',
      'own/both.js': '',
      'own/both.ts': '',
      'lib/b.mjs': "export { d } from './nested/d.js'",
      'lib/c.cjs': '',
      'lib/nested/d.js': '',
    })
    symlinkSync('circle.js', join(root, 'own/circle.js'))
    expect(await filesOf(root)).toEqual([
      'lib/b.mjs',
      'lib/c.cjs',
      'lib/nested/d.js',
      'own/a.js',
      'own/code.js',
      'own/late.js',
      'own/lists/stop words.txt',
      'own/table.json',
    ])
    // TypeScript names its files as they would be called once it is compiled.
    expect(await filesOf(root, 'own/typed.ts')).toEqual([
      'own/both.js',
      'own/both.ts',
      'own/module.mts',
      'own/typed.ts',
      'own/written.ts',
    ])
  })

  it('say of themselves where they lie, though TypeScript runs as one file', async () => {
    const root = await realpath(
      createWorkspace({
        'own/code.ts': "import { at } from './lib/at.ts'\nexport const places = [import.meta.url, ...at]",
        'own/lib/at.ts':
          '#!/usr/bin/env node\nconst { url } = import.meta\nexport const at = [url, import.meta.dirname, __filename]',
      }),
    )
    const lib = join(root, 'own/lib')
    expect(await loadCode(join(root, 'own/code.ts'), 'metrics')).toMatchObject({
      places: [
        pathToFileURL(join(root, 'own/code.ts')),
        pathToFileURL(join(lib, 'at.ts')),
        lib,
        join(lib, 'at.ts'),
      ].map(String),
    })
  })

  it('are all of a folder beside it from which a name is put together, and none above it', async () => {
    const root = createWorkspace({
      'own/code.js': "import(`./parts/${name}.js`); readFile('../' + name)",
      'own/parts/one.js': '',
      'own/parts/two.js': '',
      'own/parts/.two.js.swp': '',
      'own/parts/node_modules/installed/main.js': '',
      'other.js': '',
    })
    expect(await filesOf(root)).toEqual(['own/code.js', 'own/parts/one.js', 'own/parts/two.js'])
  })

  it('are those named behind a folder, from their package or by a beginning, but no words of a list', async () => {
    const root = createWorkspace({
      'package.json': '{}',
      'own/code.js': `const terms = readFileSync(join(import.meta.dirname, 'my lists', 'terms.txt'), 'utf8')
        const drugs = readFileSync(here + '/drugs.txt', 'utf8') + readFileSync(\`\${here}/more/doses.txt\`)
        const units = readFileSync('own/units.txt', 'utf8') + readFileSync(process.cwd() + '/routes.txt')
        const table = (age) => readFileSync(\`./tables/age-\${age}.json\`) + join(here, 'by sex', 'sex-' + age)
        const cases = readdirSync(join(here, 'cases'))
        const words = ['left', 'right', 'lists'].map((word) => word.replace(',', '.').split('/'))`,
      'own/my lists/terms.txt': '',
      'own/my lists/other.txt': '',
      'own/drugs.txt': '',
      'own/more/doses.txt': '',
      'own/more/other.txt': '',
      'own/units.txt': '',
      'own/tables/age-7.json': '',
      'own/by sex/sex-f.json': '',
      'own/tables/other.json': '',
      'own/cases/one.txt': '',
      'own/right.js': '',
      'routes.txt': '',
    })
    expect(await filesOf(root)).toEqual([
      'own/by sex/sex-f.json',
      'own/cases/one.txt',
      'own/code.js',
      'own/drugs.txt',
      'own/more/doses.txt',
      'own/my lists/terms.txt',
      'own/tables/age-7.json',
      'own/units.txt',
      'routes.txt',
    ])
  })

  it('are those from a workspace that is no package, and of links that begin so', async () => {
    const root = createWorkspace({
      'medmake.yaml': '',
      'in/own/code.js': "readFile('lists/a.txt') + readFile(`./tables/age-${age}.txt`)",
      'in/own/tables/other.txt': '',
      'lists/a.txt': '',
      'b.txt': '',
    })
    symlinkSync('../../../b.txt', join(root, 'in/own/tables/age-7.txt'))
    expect(await filesOf(root, 'in/own/code.js')).toEqual(['b.txt', 'in/own/code.js', 'lists/a.txt'])
  })

  it('are found beside a text of twelve million characters', async () => {
    const root = createWorkspace({
      'own/code.js': `decode(a, '${'y'.repeat(1.2e7)}'); readFile(join(here, 'lists', 'a.txt'))`,
      'own/lists/a.txt': '',
    })
    expect(await filesOf(root)).toEqual(['own/code.js', 'own/lists/a.txt'])
  })

  it('are all in its own folder where a name behind it is put together', async () => {
    for (const read of [
      'join(import.meta.dirname, name)',
      '`${__dirname}/${name}.json`',
      '`${__dirname}/a-${n}.json`',
    ]) {
      const root = createWorkspace({ 'own/code.js': `readFile(${read})`, 'own/a.json': '', 'other.json': '' })
      expect(await filesOf(root)).toEqual(['own/a.json', 'own/code.js'])
    }
  })

  it('are all in its own folder under whatever name it has there, and none for a name that is whole', async () => {
    const here = 'const here = dirname(fileURLToPath(import.meta.url))'
    for (const read of [
      `${here}; readFile(join(here, name))`,
      `${here}; readFile(here + '/' + name)`,
      'const here: URL = new URL(".", import.meta.url); readFile(new URL(name, here))',
      'const at = import.meta.dirname; readFile(`${at}/${n}.json`)',
      'readdirSync(new URL(".", import.meta.url))',
      'readFile(new URL(`${n}.json`, import.meta.url))',
      "readFile(join(import.meta.dirname, 'a' + n))",
    ]) {
      const root = createWorkspace({ 'own/code.js': read, 'own/a.json': '', 'other.json': '' })
      expect(await filesOf(root), read).toEqual(['own/a.json', 'own/code.js'])
    }
    const root = createWorkspace({
      'own/code.js': `${here}; createRequire(import.meta.url); new URL('b.json', import.meta.url); join(here, 'b.json')`,
      'own/a.json': '',
    })
    expect(await filesOf(root)).toEqual(['own/code.js'])
  })

  it('are those that a call is given by a name without an ending, or one of a URL', async () => {
    const root = createWorkspace({
      'package.json': '{}',
      'own/code.js': `readFile(new URL('WORDS', import.meta.url)); readFile('data/DOSES'); resolve('data', 'units')
        readFile(new URL('./stop%20words.txt', import.meta.url)); fetch(new URL(\`models/\${name}\`, base))`,
      'own/WORDS': '',
      'own/stop words.txt': '',
      'data/DOSES': '',
      'data/units': '',
      'data/other': '',
      'models/prices.yaml': '',
    })
    expect(await filesOf(root)).toEqual([
      'data/DOSES',
      'data/units',
      'own/WORDS',
      'own/code.js',
      'own/stop words.txt',
    ])
  })

  it('are all of another folder, or those that begin so, where a name is put together in it', async () => {
    for (const read of [
      '`../data/${n}.json`',
      "'../data/' + n",
      "join(import.meta.dirname, '..', 'data', n)",
      'new URL(`../data/a${n}.json`, import.meta.url)',
      '`data/${n}.json`',
      "join(process.cwd(), 'data', n)",
    ]) {
      const files = { 'package.json': '{}', 'own/code.js': `readFileSync(${read})`, 'data/a.json': '' }
      const root = createWorkspace({ ...files, 'other/a.json': '' })
      expect(await filesOf(root), read).toEqual(['data/a.json', 'own/code.js'])
    }
  })

  it('are those named alone in another folder that the code names', async () => {
    for (const folder of ["join(import.meta.dirname, '..', 'data')", "new URL('../data/', here)", "'data'"]) {
      const code = `const DATA = ${folder}; readFileSync(join(DATA, 'a.json'))`
      const files = { 'package.json': '{}', 'own/code.js': code, 'data/a.json': '', 'data/b.json': '' }
      expect(await filesOf(createWorkspace(files)), folder).toEqual(['data/a.json', 'own/code.js'])
    }
  })

  it('are what JSX imports, and the main file of a folder', async () => {
    const root = createWorkspace({
      'own/code.ts': "import './view.js'; import '../parts'",
      'own/view.tsx': "import '../lib/deep'",
      'lib/deep.jsx': '',
      'parts/package.json': '{"main": "src/main.js"}',
      'parts/src/main.js': '',
    })
    expect(await filesOf(root, 'own/code.ts')).toEqual([
      'lib/deep.jsx',
      'own/code.ts',
      'own/view.tsx',
      'parts/src/main.js',
    ])
  })

  it('go through packages of the workspace, not into installed ones', async () => {
    const root = createWorkspace({
      'package.json': '{"imports": {"#lib": "./lib/main.js"}}',
      'own/code.js': "import '#lib'; import 'installed'; import 'linked'; import 'node:fs'; import 'fs'",
      'lib/main.js': '',
      'node_modules/installed/package.json': '{"name": "installed", "main": "main.js"}',
      'node_modules/installed/main.js': '',
      'packages/linked/package.json': '{"name": "linked", "main": "main.js"}',
      'packages/linked/main.js': '',
    })
    symlinkSync(join(root, 'packages/linked'), join(root, 'node_modules/linked'))
    expect(await filesOf(root)).toEqual(['lib/main.js', 'own/code.js', 'packages/linked/main.js'])
  })

  it('are those that an import may lead to, where a package has others for require', async () => {
    const root = createWorkspace({
      'package.json':
        '{"name": "mine", "imports": {"#one": {"import": "./lib/one.mjs", "require": "./lib/one.cjs"}, "#all/*": "./all/*.js"}, "exports": {"./own": {"import": "./lib/own.mjs"}}}',
      'own/code.js':
        "import '#one'; import '#all/a'; import 'mine/own'; import '@org/linked/deep'; import 'both'",
      'lib/one.mjs': "import './two.mjs'",
      'lib/one.cjs': '',
      'lib/two.mjs': '',
      'lib/own.mjs': '',
      'all/a.js': '',
      'all/b.js': '',
      'packages/linked/package.json':
        '{"name": "@org/linked", "exports": {"./*": "./*", "./deep": {"types": "./deep.d.ts", "import": "./deep.mjs"}}}',
      'packages/linked/deep.mjs': '',
      'packages/linked/other.mjs': '',
      'node_modules/both/package.json':
        '{"name": "both", "exports": {"import": "./a.mjs", "require": "./b.cjs"}}',
      'node_modules/both/a.mjs': '',
      'node_modules/both/b.cjs': '',
    })
    mkdirSync(join(root, 'node_modules/@org'))
    symlinkSync(join(root, 'packages/linked'), join(root, 'node_modules/@org/linked'))
    expect(await filesOf(root)).toEqual([
      'all/a.js',
      'all/b.js',
      'lib/one.cjs',
      'lib/one.mjs',
      'lib/own.mjs',
      'lib/two.mjs',
      'own/code.js',
      'packages/linked/deep.mjs',
    ])
  })

  it('are none of medmake itself, which has versions of its own', async () => {
    const program = join(packageRoot(), 'dist', 'medmake.js')
    const root = createWorkspace({ 'own/code.js': `import '${program}'; import './a.js'`, 'own/a.js': '' })
    expect(existsSync(program)).toBe(true)
    expect(await filesOf(root)).toEqual(['own/a.js', 'own/code.js'])
    const linked = createWorkspace({ 'own/code.ts': "import { defineMetric } from 'medmake'" })
    mkdirSync(join(linked, 'node_modules'))
    symlinkSync(packageRoot(), join(linked, 'node_modules/medmake'))
    expect(await filesOf(linked, 'own/code.ts')).toEqual(['own/code.ts'])
  })

  it('have one digest wherever they lie, and another with any of them', async () => {
    const files = { 'own/code.js': "import '../lib/a.js'", 'lib/a.js': 'export const a = 1' }
    const [one, other] = [createWorkspace(files), createWorkspace(files)]
    const of = (root: string): Promise<string> => codeDigest(join(root, 'own/code.js'), digest)
    expect(await of(one)).toBe(await of(other))
    writeFiles(other, { 'lib/a.js': 'export const a = 2' })
    expect(await of(one)).not.toBe(await of(other))
    rmSync(join(other, 'lib/a.js'))
    writeFiles(other, { 'lib/b.js': 'export const a = 1', 'own/code.js': "import '../lib/b.js'" })
    expect(await of(one)).not.toBe(await of(other))
  })
})

describe('loaded code', () => {
  it('is the code of now, or refused where an import of it was another before', async () => {
    const root = createWorkspace({
      'package.json': '{"type": "module"}',
      'code.js': "export { a } from './a.js'",
      'a.js': 'export const a = 1',
    })
    const file = join(root, 'code.js')
    expect(await loadCode(file, 'benchmarks')).toMatchObject({ a: 1 })
    writeFiles(root, { 'code.js': "export { a } from './a.js'\nexport const b = 2" })
    expect(await loadCode(file, 'benchmarks')).toMatchObject({ a: 1, b: 2 })
    writeFiles(root, { 'a.js': 'export const a = 3' })
    await expect(loadCode(file, 'benchmarks')).rejects.toThrow('was changed while it was in use')
  })

  it('is refused where it replaces, while it is loaded, what every result rests on', async () => {
    const root = createWorkspace({
      'package.json': '{"type": "module"}',
      'code.js': 'Math.max = () => 1\nexport const a = 1',
    })
    const file = join(root, 'code.js')
    await expect(loadCode(file, 'benchmarks')).rejects.toThrow('it replaced Math.max')
    expect(Math.max(1, 2)).toBe(2)
  })

  it('is not refused for what a call of other code replaced before, which stays to be told', async () => {
    const root = createWorkspace({
      'package.json': '{"type": "module"}',
      'first.js': 'export const one = () => { Math.max = () => 1 }',
      'second.js': 'export const a = 1',
    })
    const { one } = (await loadCode(join(root, 'first.js'), 'benchmarks')) as { one: () => void }
    boundedCall('first.js', one)
    expect(await loadCode(join(root, 'second.js'), 'benchmarks')).toMatchObject({ a: 1 })
    expect(restoreBuiltins()).toEqual(['Math.max'])
  })

  it('is refused where it changes, while it is loaded, what it rests on', async () => {
    const root = createWorkspace({
      'package.json': '{"type": "module"}',
      'code.js':
        "import { writeFileSync } from 'node:fs'\nwriteFileSync(new URL('./words.js', import.meta.url), 'other')\n",
      'words.js': 'export const words = 1',
    })
    await expect(loadCode(join(root, 'code.js'), 'benchmarks')).rejects.toThrow(
      'was changed while it was in use',
    )
  })

  it.each([
    ['a.js', 'medmakes'],
    ['a.ts', '@wards/lists'],
  ])('in %s that imports a package which is not installed is told which', async (name, absent) => {
    const root = createWorkspace({
      'package.json': '{"type": "module"}',
      [name]: `import { a } from '${absent}'\nexport const b = a\n`,
    })
    await expect(loadCode(join(root, name), 'metrics')).rejects.toMatchObject({
      problems: [
        { code: 'metrics/no-package', message: `${name} imports ${absent}, which is not installed` },
      ],
    })
  })

  it('is told where it imports by names of a tsconfig.json, which nobody follows', async () => {
    const root = createWorkspace({
      'tsconfig.json': '{"compilerOptions": {"paths": {"@lib/*": ["./lib/*"]}}}',
      'own/code.ts': "export { one } from '@lib/one'\n",
      'own/plain.ts': "export { one } from '../lib/one.js'\n",
      'lib/one.ts': 'export const one: number = 1\n',
    })
    await expect(loadCode(join(root, 'own/code.ts'), 'benchmarks')).rejects.toMatchObject({
      problems: [
        { code: 'benchmarks/no-package', remedy: expect.stringContaining('tsconfig.json') as unknown },
      ],
    })
    expect(await loadCode(join(root, 'own/plain.ts'), 'benchmarks')).toMatchObject({ one: 1 })
  })
})
