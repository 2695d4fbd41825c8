import { describe, expect, it } from 'vitest'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake, spawnMedmake } from '../../rig/medmake.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const BENCHMARK = `name: coded
description: Asks what its own code says.
access: public
protocols:
  - version: own-1
    data: { rows: { path: data.csv, format: csv } }
    adapter: { method: generation, max_train_instances: 0, max_tokens: 8 }
    metrics: [exact_match]
    main_metric: { name: exact_match, split: test }
`

const SCENARIO = `import { ask } from '../../lib/ask.js'
import { ending } from '#ending'

export const instances = (data) =>
  [...data.tables.get('rows').rows].map(({ cells }) => ({
    input: { text: ask(cells.get('question')) + ending },
    references: [{ output: { text: 'yes' }, text: 'yes', tags: ['correct'] }],
    split: 'test',
  }))
`

const workspace = async () => {
  const prompts: string[] = []
  const server = await fakeServer({
    answer: ({ prompt }) => {
      prompts.push(prompt.trim())
      return 'yes'
    },
  })
  const cwd = createWorkspace({
    'package.json': '{"type": "module", "imports": {"#ending": "./lib/ending.js"}}',
    'models/fake.yaml': modelsYaml(server, ['fake/a']),
    'benchmarks/coded/benchmark.yaml': BENCHMARK,
    'benchmarks/coded/scenario.js': SCENARIO,
    'benchmarks/coded/data.csv': 'question\nfirst\nsecond\n',
    'lib/ask.js': "import { start } from './start.js'\nexport const ask = (text) => `${start} ${text}`\n",
    'lib/start.js': "export const start = 'Say'\n",
    'lib/ending.js': "export const ending = '.'\n",
    'lib/other.js': "export const other = 'not imported'\n",
    'targets/main.conf': 'entries: [{description: "coded:model=fake/a"}]',
  })
  // In a process of its own: Node keeps what a scenario imported.
  const run = (...args: readonly string[]) => spawnMedmake(args, { cwd })
  // In this one, which takes a scenario that changed, but not another form of what it imports.
  const runHere = (...args: readonly string[]) => medmake(args, { cwd, isFresh: true })
  return { cwd, run, runHere, prompts: () => prompts.splice(0).toSorted() }
}

describe('a scenario.js of the workspace', () => {
  it('is told by a check where it gives other instances when it is called again', async () => {
    const { cwd, runHere } = await workspace()
    const check = () => runHere('benchmark', 'check', 'coded', '--models-to-run', 'fake/a')
    expect(await check()).toMatchObject({ code: 0, stderr: '' })
    writeFiles(cwd, { 'benchmarks/coded/scenario.js': SCENARIO.replace(' + ending', ' + Math.random()') })
    expect(await check()).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/^Its scenario gives other/),
    })
  })

  it('is part of the key, with all that it imports of the workspace', async () => {
    const { cwd, run, runHere, prompts } = await workspace()
    expect(await runHere('run')).toMatchObject({ code: 0 })
    expect(prompts()).toEqual(['Say first.', 'Say second.'])
    const explained = async (): Promise<string> => (await runHere('explain', 'coded')).stdout

    writeFiles(cwd, { 'benchmarks/coded/scenario.js': SCENARIO.replace(' + ending', " + ' now' + ending") })
    expect(await explained()).toMatch(/instances: miss .*instances\.code/)
    expect((await runHere('run')).code).toBe(0)
    expect(prompts()).toEqual(['Say first now.', 'Say second now.'])

    // Two imports away, and by a name that package.json gives.
    writeFiles(cwd, { 'lib/start.js': "export const start = 'Tell'\n" })
    expect((await run('run')).code).toBe(0)
    expect(prompts()).toEqual(['Tell first now.', 'Tell second now.'])
    writeFiles(cwd, { 'lib/ending.js': "export const ending = '!'\n" })
    expect((await run('run')).code).toBe(0)
    expect(prompts()).toEqual(['Tell first now!', 'Tell second now!'])

    // Another text that says the same is made anew and asks nobody; what nothing imports changes nothing.
    writeFiles(cwd, { 'lib/ending.js': "// loud\nexport const ending = '!'\n" })
    expect((await run('run')).stdout).toContain('1 built')
    writeFiles(cwd, { 'lib/other.js': "export const other = 'changed'\n" })
    expect(await explained()).toContain('fresh: every stage is a hit')
    expect(prompts()).toEqual([])
  })

  it('may be TypeScript on every Node, and may import it', async () => {
    const { cwd, run, runHere, prompts } = await workspace()
    writeFiles(cwd, {
      'benchmarks/coded/scenario.js': "export { instances } from './typed.ts'\n",
      'benchmarks/coded/typed.ts': SCENARIO.replace('(data)', '(data: any)'),
    })
    expect((await runHere('run')).code).toBe(0)
    expect(prompts()).toEqual(['Say first.', 'Say second.'])
    writeFiles(cwd, { 'lib/start.js': "export const start = 'Tell'\n" })
    expect((await run('run')).code).toBe(0)
    expect(prompts()).toEqual(['Tell first.', 'Tell second.'])
  })
})

describe('a scenario that goes wrong', () => {
  it.each<[what: string, code: string, told: string, problem?: string]>([
    ['throws', "() => { throw new Error('boom') }", 'after 0 instances it ended with: boom'],
    ['rejects', "async () => { throw new Error('boom') }", 'after 0 instances it ended with: boom'],
    [
      'rejects with what has no kind',
      'async () => { throw new Proxy({}, { getPrototypeOf() { throw 1 } }) }',
      'after 0 instances it ended with: what can’t be told in words',
    ],
    ['gives nothing', '() => undefined', 'it gave no list of instances'],
    ['gives none', '() => []', 'scenario.js gave no instance', 'benchmarks/no-instances'],
    [
      'ends half-way',
      "function* () { yield { input: { text: 'a' }, references: [], split: 'test' }; throw new Error('half') }",
      'after 1 instances it ended with: half',
    ],
    [
      'gives something else',
      "() => [{ input: { text: 'a' }, references: [], split: 'tset' }]",
      'instance 1: split: Invalid option',
    ],
    ['ends the process', '() => process.exit(0)', 'it called process.exit'],
    ['never answers', '() => new Promise(() => {})', 'it waits for something that never comes'],
    ['never gives what it lists', '() => [new Promise(() => {})]', 'it waits for something that never comes'],
    [
      'never comes to an end of its own',
      'async function* () { try { yield { split: 1 } } finally { await new Promise(() => {}) } }',
      'instance 1: input: Invalid input',
    ],
    [
      'is never loaded',
      '() => []\nawait new Promise(() => {})',
      "can't be used: it waits for something that never comes",
    ],
  ])(
    'is told by its file, and spoils no other benchmark: it %s',
    async (_, code, told, problem = 'benchmarks/scenario-code') => {
      const { cwd, run } = await workspace()
      writeFiles(cwd, {
        'benchmarks/coded/scenario.js': `export const instances = ${code}\n`,
        'targets/main.conf':
          'entries: [{description: "coded:model=fake/a"}, {description: "demo_multiple_choice:model=baseline/first-choice"}]',
      })
      // A process is ended, and seen to have nothing left to wait for, in one of its own alone.
      const ended = /new Promise|process\./.test(code) ? run('run') : medmake(['run'], { cwd, isFresh: true })
      const { code: exit, stdout, stderr } = await ended
      expect(exit).toBe(2)
      expect(stdout).toContain('1 built, 1 failed')
      expect(stderr).toContain(problem)
      expect(stderr).toContain(told)
      expect(stderr).not.toMatch(/\n\s+at /)
    },
  )

  it('is told where it leaves an error behind that has none of its files in it, and spoils no other', async () => {
    const { cwd, run } = await workspace()
    writeFiles(cwd, {
      'benchmarks/coded/scenario.js': SCENARIO.replace('[...', 'void fetch("http://127.0.0.1:1") ?? [...'),
    })
    const { code, stdout, stderr } = await run('run')
    expect(code, stderr).toBe(1)
    expect(stdout).toContain('1 built')
    expect(stderr).toContain('left an error behind: fetch failed [code/stray-error]')
  })

  it.each([
    [
      'a worker of a text',
      '(done) => new Worker(`throw new Error("left")`, { eval: true }).once("exit", done)',
    ],
    [
      'a worker of a file',
      '(done) => new Worker(new URL("../../lib/start.js", import.meta.url)).once("exit", done)',
    ],
    ['a file that it imports', '(done) => { setTimeout(fail); setTimeout(done) }'],
  ])('is told where %s leaves an error behind, and spoils no other', async (_, left) => {
    const { cwd, run } = await workspace()
    writeFiles(cwd, {
      'lib/start.js': `import { isMainThread } from 'node:worker_threads'
export const start = 'Say'
export const fail = () => { throw new Error('left') }
if (!isMainThread) fail()
`,
      'benchmarks/coded/scenario.js': `import { Worker } from 'node:worker_threads'
import { fail } from '../../lib/start.js'
${SCENARIO.replace('(data) =>', 'async (data) => {').replace('[...', `await new Promise(${left}); return [...`)}}
`,
    })
    const { code, stdout, stderr } = await run('run')
    expect(code, stderr).toBe(1)
    expect(stdout).toContain('1 built')
    expect(stderr).toContain('left an error behind: left [code/stray-error]')
  })

  it('tells no word of the error that it leaves behind where its texts are private', async () => {
    const { cwd, run } = await workspace()
    writeFiles(cwd, {
      'benchmarks/coded/benchmark.yaml': BENCHMARK.replace('access: public', 'access: private'),
      'benchmarks/coded/scenario.js': SCENARIO.replace(
        '[...',
        'void Promise.reject(new Error("first")) ?? [...',
      ),
    })
    const { code, stdout, stderr } = await run('run', '--json')
    expect(code, stderr).toBe(1)
    expect(stderr).toContain('left an error behind: [5 characters withheld] [code/stray-error]')
    expect(stdout).not.toContain('first')
  })
})
