import { existsSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { expect, test } from 'vitest'
import { argumentChoices } from '../../../benchmarks/lookup/argument-choices.ts'
import { dataStatus } from '../../../benchmarks/lookup/data-status.ts'
import { fetchData, sourceHosts } from '../../../benchmarks/lookup/fetch-data.ts'
import { catalogEntries, catalogEntry, findBenchmark } from '../../../benchmarks/lookup/find.ts'
import { describeBenchmark } from '../../../benchmarks/lookup/list.ts'
import { lockFile } from '../../../benchmarks/sources/fetch/remote-file.ts'
import { rowGuard } from '../../../benchmarks/sources/table.ts'
import { coverageOf } from '../../../benchmarks/lookup/taxonomy-coverage.ts'
import { benchmarkContext } from '../../rig/benchmark-context.ts'
import { problemOf } from '../../rig/problem-of.ts'
import { createWorkspace, type Files } from '../../rig/workspace.ts'

const inWorkspace = (files: Files) => {
  const workspace = createWorkspace(files)
  return benchmarkContext({ workspace, cwd: workspace, dataPath: `${workspace}/benchmarks/data` })
}

const declaration = (name: string, data: string, more = ''): string => `name: ${name}
description: Of the workspace.
${more}protocols:
  - version: own
    data: { rows: { ${data}, format: csv } }
    instances: [{ from: rows, split: test, input: '{q}', references: [{ text: '{a}', correct: true }] }]
    adapter: { method: generation }
    metrics: [basic]
    main_metric: { name: exact_match, split: test }
`

test('A benchmark of the workspace hides a built-in one of its name wherever benchmarks are listed.', async () => {
  const context = inWorkspace({
    'benchmarks/pubmed_qa/benchmark.yaml': declaration('pubmed_qa', 'path: rows.csv'),
  })
  const listed = (await catalogEntries(context)).filter(({ name }) => name === 'pubmed_qa')
  expect(listed).toEqual([catalogEntry('pubmed_qa', context)])
  expect(listed[0]?.origin).toBe('workspace')
})

test.each(['gated', 'private'] as const)(
  'Who reads the data of a %s benchmark is no more open than that, whatever it declares.',
  async (access) => {
    const context = inWorkspace({
      'benchmarks/closed/benchmark.yaml': declaration('closed', 'path: rows.csv', `access: ${access}\n`),
      'benchmarks/closed/rows.csv': 'q,a\none,two\n',
      'benchmarks/open/benchmark.yaml': declaration('open', 'path: ../closed/rows.csv', 'access: public\n'),
    })
    expect((await findBenchmark('open', new Map(), context)).access).toBe(access)
  },
)

test('The hosts of data are told, the Hub’s among them, and of the user’s own files none.', async () => {
  const context = inWorkspace({
    'benchmarks/web/benchmark.yaml': declaration('web', 'url: "https://data.example/rows.csv"'),
    'benchmarks/hub/benchmark.yaml': declaration('hub', 'hugging_face: { dataset: a/b, split: test }'),
    'benchmarks/own/benchmark.yaml': declaration('own', 'path: rows.csv'),
  })
  const hosts = await Promise.all(['web', 'hub', 'own'].map((name) => sourceHosts(name, context)))
  expect(hosts).toEqual([['data.example'], ['huggingface.co'], []])
})

test('Data is ready, missing, or not what it should be; what is wrong with a part is said of the whole.', async () => {
  const choice = `    arguments: { part: { choices: [good, other] } }\n    data:`
  const parts = (name: string): string => declaration(name, "path: '{part}.csv'").replace('    data:', choice)
  const context = inWorkspace({
    'benchmarks/ready/benchmark.yaml': declaration('ready', 'path: rows.csv'),
    'benchmarks/ready/rows.csv': 'q,a\none,two\n',
    'benchmarks/half/benchmark.yaml': parts('half'),
    'benchmarks/half/good.csv': 'q,a\none,two\n',
    'benchmarks/odd/benchmark.yaml': parts('odd'),
    'benchmarks/odd/other.csv': 'q\none\n',
  })
  const told = async (full: boolean) => {
    const found = await dataStatus(context, { full })
    const byName = new Map(found.map(({ name, condition, variants }) => [name, [condition, variants.length]]))
    return ['ready', 'half', 'odd'].map((name) => byName.get(name))
  }
  expect(await told(true)).toEqual([
    ['ready', 1],
    ['missing', 2],
    ['mismatched', 2],
  ])
  // What lies elsewhere may be of any size: it is read through only where that is asked for.
  expect((await told(false))[2]).toEqual(['missing', 2])
})

test('Of arguments those that must be given have variants, in all combinations.', () => {
  const argument = (choices: readonly string[], more = {}) => ({
    type: 'text' as const,
    kind: 'value' as const,
    choices,
    ...more,
  })
  const found = argumentChoices({
    arguments: {
      a: argument(['x', 'y']),
      b: argument(['1', '2']),
      c: argument(['p', 'q'], { default: 'p' }),
    },
  } as unknown as Parameters<typeof argumentChoices>[0])
  expect(found.map((each) => Object.fromEntries(each))).toEqual([
    { a: 'x', b: '1' },
    { a: 'x', b: '2' },
    { a: 'y', b: '1' },
    { a: 'y', b: '2' },
  ])
})

test('A benchmark is named by one word, never by a path that leads elsewhere.', () => {
  const context = inWorkspace({ 'benchmarks/own/benchmark.yaml': declaration('own', 'path: rows.csv') })
  const found = ['own', '../benchmarks/own', 'x/../own', String.raw`x\own`].map((name) =>
    catalogEntry(name, context),
  )
  expect(found.map((entry) => entry?.name)).toEqual(['own', undefined, undefined, undefined])
})

test('A look at the data writes no word of what it saw.', async () => {
  const context = inWorkspace({
    'benchmarks/web/benchmark.yaml': declaration('web', 'url: "https://data.example/rows.csv"'),
    'benchmarks/data/data.example/rows.csv': 'q,a\none,two\n',
  })
  const web = (await dataStatus(context)).find(({ name }) => name === 'web')
  expect(web?.condition).toBe('ready')
  expect(existsSync(lockFile(context.workspace))).toBe(false)
})

test('A jury that grades the items of each instance’s own rubric is told apart.', async () => {
  const juryIn = async (name: string) => (await describeBenchmark(name, inWorkspace({})))?.jury
  expect([(await juryIn('health_bench'))?.isGraded, (await juryIn('medi_qa'))?.isGraded]).toEqual([
    true,
    false,
  ])
})

test('A floor of coverage is a share: 2 is none, and 1 is all.', async () => {
  const at = (floor: string) =>
    describeBenchmark(
      'own',
      inWorkspace({
        'benchmarks/own/benchmark.yaml': declaration('own', 'path: rows.csv', `coverage_floor: ${floor}\n`),
      }),
    )
  expect((await at('1'))?.coverageFloor).toBe(1)
  expect(JSON.stringify(await problemOf(() => at('2')))).toContain('a share from 0 to 1')
})

test('Data is fetched of all benchmarks on the web, or of those that are named, and a fault of one is its own.', async () => {
  const context = {
    ...inWorkspace({
      'benchmarks/web/benchmark.yaml': declaration('web', 'url: "https://data.example/rows.csv"'),
      'benchmarks/own/benchmark.yaml': declaration('own', 'path: rows.csv'),
      'benchmarks/own/rows.csv': 'q,a\none,two\n',
    }),
    mirror: '/nowhere',
  }
  const all = await fetchData(context, [])
  expect(all.map(({ name }) => name)).toContain('web')
  expect(all.map(({ name }) => name)).not.toContain('own')
  const ended = { ...context, signal: AbortSignal.abort() }
  await expect(fetchData(ended, ['web'])).rejects.toThrow()
  const [own, web] = await fetchData(context, ['web', 'own'])
  expect([own?.name, own?.problems]).toEqual(['own', []])
  expect(web?.problems[0]?.code).toBe('benchmarks/not-mirrored')
})

test('A subcategory is covered by benchmarks of its own category that can be run and are in a suite.', async () => {
  const some = await describeBenchmark('pubmed_qa', inWorkspace({}))
  if (some === undefined) throw new Error('it is built in')
  const subcategories = [{ name: 'Notes', tasks: [] }]
  const taxonomy = { categories: ['A', 'B'].map((name) => ({ name, subcategories })) }
  const benchmark = (name: string, category: string, more = {}) => ({
    ...some,
    name,
    category,
    subcategory: 'Notes',
    ...more,
  })
  const found = coverageOf(
    taxonomy,
    [benchmark('one', 'A'), benchmark('two', 'B'), benchmark('three', 'B', { needs: 'images' })],
    new Set(['two', 'three']),
  )
  expect(found.map(({ benchmarks }) => benchmarks.map(({ name, inSuites }) => [name, inSuites]))).toEqual([
    [['one', false]],
    [
      ['two', true],
      ['three', false],
    ],
  ])
})

test('What a database holds is no part of what is asked.', async () => {
  const files = (database: string): Files => ({
    'benchmarks/own/benchmark.yaml': declaration('own', 'path: rows.csv').replace(
      'format: csv }',
      'format: csv }, db: { path: x.sqlite, format: sqlite }',
    ),
    'benchmarks/own/rows.csv': 'q,a\none,two\n',
    'benchmarks/own/x.sqlite': database,
  })
  const identity = async (database: string) =>
    (await findBenchmark('own', new Map(), inWorkspace(files(database)))).identity()
  expect(await identity('one')).toEqual(await identity('other'))
})

test('A benchmark’s own code gives no sources that its declaration does not name.', async () => {
  const code = `export const scenario = { instances: () => [{ input: { text: 'q' }, references: [], split: 'test', cluster: 'ann' }] }
export default scenario
export const instances = scenario.instances\n`
  const own = declaration('own', 'path: rows.csv').replace(/    instances: .*\n/, '')
  const read = async (more: string) => {
    const context = inWorkspace({
      'benchmarks/own/benchmark.yaml': own.replace('protocols:', `${more}protocols:`),
      'benchmarks/own/rows.csv': 'q,a\none,two\n',
      'benchmarks/own/scenario.mjs': code,
    })
    const found: unknown[] = []
    for await (const { cluster } of (await findBenchmark('own', new Map(), context)).instances())
      found.push(cluster)
    return found
  }
  expect(await read('cluster: patient\n')).toEqual(['ann'])
  expect((await problemOf(() => read('')))?.code).toBe('benchmarks/unnamed-cluster')
})

test('A declaration that can’t be read is in nobody’s way but its own.', async () => {
  const context = inWorkspace({
    'benchmarks/own/benchmark.yaml': declaration('own', 'path: rows.csv', 'access: public\n'),
    'benchmarks/own/rows.csv': 'q,a\none,two\n',
    'benchmarks/broken/benchmark.yaml': 'name: [',
    'benchmarks/broken/rows.csv': 'q,a\nthree,four\n',
    'benchmarks/near/benchmark.yaml': declaration('near', 'path: ../broken/rows.csv', 'access: public\n'),
  })
  expect((await findBenchmark('own', new Map(), context)).access).toBe('public')
  // What lies beside it may be of anybody.
  expect((await findBenchmark('near', new Map(), context)).access).toBe('private')
  expect((await problemOf(() => findBenchmark('broken', new Map(), context)))?.where?.line).toBeDefined()
})

test('An unknown benchmark is told what is near, all that begins alike, or how to make one of that name.', async () => {
  const context = inWorkspace({})
  const remedyOf = async (name: string) =>
    (await problemOf(() => findBenchmark(name, new Map(), context)))?.remedy
  expect(await remedyOf('pubmed_q')).toMatch(
    /^Did you mean "pubmed_qa"\? Known with that first letter: .*pubmed_qa\.$/,
  )
  expect(await remedyOf('xray_triage')).toBe(
    '`medmake data status` lists all. `medmake benchmark new xray_triage` makes one of your own.',
  )
  expect(await remedyOf('med_dialog,subset=icliniq')).toMatch(
    /^In a run entry arguments follow a colon: `med_dialog:subset=icliniq,…`\. Known/,
  )
  expect(await remedyOf('x y')).toBe('`medmake data status` lists all.')
})

test('What datasets.lock says of data counts for data that the declaration does not pin.', async () => {
  const url = 'url: "https://data.example/rows.csv"'
  const context = inWorkspace({
    'benchmarks/web/benchmark.yaml': declaration('web', url),
    'benchmarks/pinned/benchmark.yaml': declaration('pinned', `${url}, sha256: ${'ab'.repeat(32)}`),
    'benchmarks/own/benchmark.yaml': declaration('own', 'path: rows.csv'),
  })
  const isInput = async (name: string): Promise<boolean> =>
    (await findBenchmark(name, new Map(), context)).files.includes(
      relative(context.workspace, lockFile(context.workspace)),
    )
  expect([await isInput('web'), await isInput('pinned'), await isInput('own')]).toEqual([true, false, false])
})

test('A benchmark of which no row is left is refused: nobody would be asked anything.', async () => {
  const context = inWorkspace({
    'benchmarks/own/benchmark.yaml': declaration('own', 'path: rows.csv'),
    'benchmarks/own/rows.csv': 'q,a\n',
  })
  const read = async (): Promise<void> => {
    for await (const _ of (await findBenchmark('own', new Map(), context)).instances());
  }
  expect((await problemOf(read))?.code).toBe('benchmarks/no-instances')
})

test('Data that is changed after a run told its key is refused once it is read, and taken under its own key.', async () => {
  const context = inWorkspace({
    'benchmarks/own/benchmark.yaml': declaration('own', 'path: rows.csv'),
    'benchmarks/own/rows.csv': 'q,a\nbefore,x\n',
  })
  const benchmark = await findBenchmark('own', new Map(), context)
  const read = async (): Promise<void> => {
    for await (const _ of benchmark.instances());
  }
  await benchmark.identity()
  await read()
  writeFileSync(join(context.workspace, 'benchmarks/own/rows.csv'), 'q,a\nafterwards,x\n')
  expect((await problemOf(read))?.code).toBe('benchmarks/data-changed')
  await benchmark.identity()
  await read()
})

test('Data that is to be brought is sought from where a run was begun where its path was given, and told once.', async () => {
  const local = "local: '{data_path}'"
  const context = {
    ...inWorkspace({
      'benchmarks/own/benchmark.yaml': declaration('own', local)
        .replace('    data:', '    arguments: { data_path: { kind: data, default: rows.csv } }\n    data:')
        .replace('format: csv }', `format: csv }, more: { ${local}, format: csv }`),
    }),
    cwd: createWorkspace({ 'here/rows.csv': 'q,a\none,two\n' }),
  }
  const identity = async (path?: string) =>
    (await findBenchmark('own', new Map(path === undefined ? [] : [['data_path', path]]), context)).identity()
  expect(await identity('here/rows.csv')).toMatchObject({ benchmark: 'own' })
  await expect(identity('rows.csv')).rejects.toMatchObject({
    problems: [{ code: 'benchmarks/missing-data', where: { file: join(context.cwd, 'rows.csv') } }],
  })
  await expect(identity()).rejects.toMatchObject({ problems: { length: 1 } })
})

test('Where bad rows are skipped, a line that is no text costs itself alone.', async () => {
  const told: unknown[] = []
  const context = {
    ...inWorkspace({
      'benchmarks/own/benchmark.yaml': declaration('own', 'path: rows.csv'),
    }),
    skipBadRows: true,
  }
  const rows = Buffer.from('q,a\none,1\ntw\xff,2\nthree,3\n', 'latin1')
  writeFileSync(join(context.workspace, 'benchmarks/own/rows.csv'), rows)
  const found: unknown[] = []
  const benchmark = await findBenchmark('own', new Map(), context)
  for await (const { input } of benchmark.instances((row) => told.push(row))) found.push(input.text)
  expect(found).toEqual(['one', 'three'])
  expect(told).toMatchObject([{ line: 3, reason: 'not-utf8' }])
})

test('Of a row that is left out no folder is told in which its file lies, unless that is the workspace’s.', () => {
  const told: unknown[] = []
  const rows = rowGuard({ workspace: '/work/space' }, ({ file }) => told.push(file))
  for (const file of ['/work/space/data/rows.csv', '/work/patients/rows.csv'])
    rows.leaveOut({ file, row: 1 }, 'none')
  expect(told).toEqual(['data/rows.csv', 'rows.csv'])
})

test('A declaration of which only some rows have ids is refused.', async () => {
  const own = declaration('own', 'path: rows.csv')
  const [, one = ''] = /instances: \[(.*)\]\n/.exec(own) ?? []
  const context = inWorkspace({
    'benchmarks/own/benchmark.yaml': own.replace(
      one,
      `${one}, ${one.replace('{ from', "{ id: '{q}', from")}`,
    ),
  })
  expect(await problemOf(() => findBenchmark('own', new Map(), context))).toMatchObject({
    code: 'benchmarks/mixed-ids',
    where: { field: 'protocols[0].instances[1]' },
  })
})
