import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { createRegistry } from '../../../models/registry/registry.ts'
import { helmContent } from '../../../tools/site/content/helm-content.ts'
import { fullYaml } from '../../rig/full-yaml.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

/** 60 letters: 30 women, 24 men, four of a sex that would name them, two that do not say. */
const letters = (): string => {
  const rows = Array.from({ length: 60 }, (_, row) => {
    const sex = row < 30 ? 'female' : row < 54 ? 'male' : row < 58 ? 'rare-canary' : ''
    return `Was visit ${row} planned?,${row % 3 === 0 || row >= 30 ? 'A' : 'B'},${sex},${row}`
  })
  return `question,answer,sex,age\n${rows.join('\n')}\n`
}

const benchmark = (
  access: string,
  attributes = '{ sex: sex, age: { column: age, bands: [20, 40] } }',
): string => fullYaml({ name: 'visits', access, top: [`attributes: ${attributes}`] })

const MODEL =
  'model_deployments:\n  - name: own/first\n    client_spec: {class_name: medmake.baseline, args: {name: first-choice}}\n'

const workspace = (access: string): string =>
  createWorkspace({
    'benchmarks/visits/benchmark.yaml': benchmark(access),
    'benchmarks/visits/data.csv': letters(),
    'models/first.yaml': MODEL,
    'targets/main.conf': 'entries: [{description: "visits:model=own/first", priority: 1}]\n',
  })

interface Told {
  readonly subgroups: readonly (readonly {
    readonly attribute: string
    readonly groups: readonly string[]
    readonly withheld: number
    readonly rows: readonly {
      readonly scores: readonly { readonly n: number; readonly value: number }[]
      readonly widest: { readonly difference: number; readonly interval: { readonly low: number } } | null
    }[]
  }[])[]
}

const report = async (cwd: string): Promise<Told['subgroups'][number]> => {
  const { code, stderr } = await medmake(['run'], { cwd })
  expect([code, stderr]).toEqual([0, ''])
  const { stdout } = await medmake(['report', '--json'], { cwd })
  return (JSON.parse(stdout) as Told).subgroups[0] ?? []
}

const siteText = (cwd: string): string => {
  const site = join(cwd, 'benchmark_output/site')
  return readdirSync(site, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:html|js|json|csv)$/.test(file))
    .map((file) => readFileSync(join(site, file), 'utf8'))
    .join('\n')
}

describe('scores by declared attributes', () => {
  let open = ''
  let closed = ''
  beforeAll(() => {
    open = workspace('public')
    closed = workspace('private')
  })

  it('of a public benchmark show every group, with the widest gap of those of ten and more', async () => {
    const [sex, age] = await report(open)
    expect(sex).toMatchObject({
      attribute: 'sex',
      groups: ['female', 'male', 'rare-canary', ''],
      withheld: 0,
    })
    expect(sex?.rows[0]?.scores.map(({ n }) => n)).toEqual([30, 24, 4, 2])
    expect(sex?.rows[0]?.scores[0]?.value).toBeCloseTo(1 / 3, 12)
    expect(sex?.rows[0]?.widest?.difference).toBeCloseTo(2 / 3, 12)
    expect(sex?.rows[0]?.widest?.interval.low).toBeGreaterThan(0)
    expect(age?.groups).toEqual(['under 20', '20 to under 40', '40 and over'])
    expect(siteText(open)).toContain('rare-canary')
  })

  it('of a private one withhold groups under ten, and no label of theirs reaches the site', async () => {
    const [sex, age] = await report(closed)
    // Four and two are not ten together, so the men are withheld, too.
    expect(sex).toMatchObject({ groups: ['female'], withheld: 3 })
    expect(age).toMatchObject({ withheld: 0 })
    expect(age?.rows[0]?.scores.map(({ n }) => n)).toEqual([20, 20, 20])
    const text = siteText(closed)
    expect(text).not.toContain('rare-canary')
    expect(text).toContain('3 groups of this benchmark, which is not public, are')
  })

  it('name a column that is not there, with the one that was meant, and a cell that is no number', async () => {
    const cwd = workspace('public')
    writeFiles(cwd, { 'benchmarks/visits/benchmark.yaml': benchmark('public', '{ sex: sx }') })
    const missing = await medmake(['run'], { cwd })
    expect(missing.code).not.toBe(0)
    expect(missing.stderr).toContain('the attribute sex needs a column "sx"')
    expect(missing.stderr).toContain('"sex"')
    writeFiles(cwd, {
      'benchmarks/visits/benchmark.yaml': benchmark('public', '{ age: { column: sex, bands: [20] } }'),
    })
    const words = await medmake(['run'], { cwd })
    expect(words.stderr).toContain('benchmarks/attribute-number')
    writeFiles(cwd, {
      'benchmarks/visits/benchmark.yaml': benchmark('public', '{ age: { colum: age } }'),
    })
    expect((await medmake(['run'], { cwd })).stderr).toContain('column')
  })

  it('are tables of an analysis, too', async () => {
    const [sex] = await report(open)
    const { stdout } = await medmake(['analyze', '--table', 'subgroups', '--csv'], { cwd: open })
    const [head, ...rows] = stdout.trim().split(/\r?\n/)
    expect(head).toBe('Benchmark,Attribute,Group,Model,Score,Low,High,n,Asked')
    expect(rows).toHaveLength(4 + 3)
    const [female] = sex?.rows[0]?.scores ?? []
    expect(rows[0]?.split(',').slice(1, 5)).toEqual(['sex', 'female', 'own/first', String(female?.value)])
    const text = await medmake(['analyze'], { cwd: open })
    expect(text.stdout).toMatch(/visits +sex +own\/first +0\.667 .* male +female +0/)
    const hidden = await medmake(['analyze', '--json'], { cwd: closed })
    expect(hidden.stdout).toContain('"attribute":"sex"')
    expect(hidden.stdout).not.toContain('rare-canary')
  })

  it('take a part of a cell by a pattern, and a run’s argument by its name', async () => {
    const cwd = createWorkspace({
      'benchmarks/visits/benchmark.yaml': benchmark(
        'public',
        `
  half: { column: question, pattern: 'visit (\\d+)', bands: [30] }
  told: { column: sex, pattern: '^(f|m)' }
  clinic: clinic`,
      ).replace(
        '    data:',
        '    arguments: { clinic: { choices: { heart: { place: one }, lung: { place: two } } } }\n    data:',
      ),
      'benchmarks/visits/data.csv': letters(),
      'models/first.yaml': MODEL,
      'targets/main.conf': `entries: [
        {description: "visits:clinic=heart,model=own/first"}, {description: "visits:clinic=lung,model=own/first"}]\n`,
    })
    const [half, told, clinic] = await report(cwd)
    expect(half?.groups).toEqual(['under 30', '30 and over'])
    expect(half?.rows[0]?.scores.map(({ n }) => n)).toEqual([60, 60])
    expect(told?.groups).toEqual(['f', 'm', ''])
    expect(clinic?.groups).toEqual(['heart', 'lung'])
    expect(clinic?.rows[0]?.scores.map(({ n }) => n)).toEqual([60, 60])
    writeFiles(cwd, {
      'benchmarks/visits/benchmark.yaml': benchmark('public', "{ sex: { column: sex, pattern: '(' } }"),
    })
    expect((await medmake(['run'], { cwd })).stderr).toContain('It must be a regular expression')
  })

  it('and by sub-splits are read from HELM’s files as they were reckoned from the store', async () => {
    const cwd = createWorkspace({
      'benchmarks/visits/benchmark.yaml': benchmark('public', '{}').replace(
        '        input:',
        "        sub_split: '{sex}'\n        input:",
      ),
      'benchmarks/visits/data.csv': letters(),
      'models/first.yaml': MODEL,
      'targets/main.conf': 'entries: [{description: "visits:model=own/first", priority: 1}]\n',
    })
    const stored = await report(cwd)
    expect(stored[0]).toMatchObject({
      attribute: 'sub_split',
      groups: expect.arrayContaining(['female', 'male']) as unknown,
    })
    const { suite } = await helmContent(
      { kind: 'suite', name: 'main' },
      {
        outputPath: join(cwd, 'benchmark_output'),
        registry: createRegistry([], []),
        accessOf: () => Promise.resolve('local'),
      },
    )
    expect(suite.subgroups).toEqual(stored)
  })

  it('of a benchmark’s own code are those that it gives by name', async () => {
    const cwd = createWorkspace({
      'package.json': '{"type": "module"}',
      'benchmarks/coded/benchmark.yaml': `name: coded
description: Invented.
access: public
attributes: { clinic: clinic }
protocols:
  - version: own-1
    data: {}
    adapter: { method: generation, max_train_instances: 0, max_tokens: 4 }
    metrics: [exact_match]
    main_metric: { name: exact_match, split: test }
`,
      'benchmarks/coded/scenario.js': `export const instances = () => Array.from({ length: 12 }, (_, at) => ({
  input: { text: 'Now?\\nA. yes\\nB. no\\n' }, references: [{ text: 'A', tags: ['correct'] }], split: 'test',
  attributes: { clinic: at % 2 ? 'heart' : 'lung', other: 'x' },
}))\n`,
      'models/first.yaml': MODEL,
      'targets/main.conf': 'entries: [{description: "coded:model=own/first", priority: 1}]\n',
    })
    const [clinic, ...others] = await report(cwd)
    expect(clinic).toMatchObject({ attribute: 'clinic', groups: ['heart', 'lung'] })
    expect(others).toEqual([])
  })
})
