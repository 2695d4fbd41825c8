import { cpSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const ROWS = 40
const data = `question,correct_answer,patient\n${Array.from({ length: ROWS }, (_, row) => `question ${row},A,p${row % 8}`).join('\n')}\n`
const benchmark = (name: string): Readonly<Record<string, string>> => ({
  [`benchmarks/${name}/benchmark.yaml`]: `name: ${name}\ndescription: Letters.\nprompt_file: prompt.txt\ndataset_file: data.csv\nmax_tokens: 5\nmetrics: [{name: exact_match}]\n`,
  [`benchmarks/${name}/prompt.txt`]: `${name}: {question}`,
  [`benchmarks/${name}/data.csv`]: data,
})

interface Row {
  readonly scenario: string
  readonly metric: string
  readonly result: {
    readonly n: number
    readonly meanA: number
    readonly meanB: number
    readonly difference: number
    readonly interval: { readonly low: number; readonly high: number }
    readonly test: string
    readonly p: number
    readonly holm: number
  }
}

let root = ''
const compare = (...args: readonly string[]): ReturnType<typeof medmake> =>
  medmake(['compare', ...args], { cwd: root })

beforeAll(async () => {
  // good is always right; fair is wrong on every fourth question; bad answers only every fourth one.
  const server = await fakeServer({
    answer: ({ model, prompt }) => {
      const fourth = Number(/question (\d+)/.exec(prompt)?.[1]) % 4 === 0
      return model === 'fake/good' || (model === 'fake/bad') === fourth ? 'A' : 'B'
    },
  })
  const models = ['fake/good', 'fake/fair', 'fake/bad']
  root = createWorkspace({
    'models/fake.yaml': modelsYaml(server, [...models, 'fake/unbuilt']),
    ...benchmark('one'),
    ...benchmark('two'),
    'targets/main.conf': `entries: [${models.flatMap((model) => ['one', 'two'].map((name) => `{description: "${name}:model=${model}"}`)).join('\n')}]`,
    'targets/other.conf': 'entries: [{description: "one:model=fake/unbuilt"}]',
  })
  expect((await medmake(['run', 'main'], { cwd: root })).code).toBe(0)
})

describe('two models', () => {
  it('are compared on the same instances, benchmark by benchmark', async () => {
    const { code, stdout } = await compare('fake/good', 'fake/fair', '--suite', 'main', '--format', 'json')
    expect(code).toBe(0)
    const found = JSON.parse(stdout) as { comparisons: readonly Row[]; winRate: unknown }
    expect(found.comparisons.map(({ scenario, metric }) => [scenario, metric])).toEqual([
      ['one', 'exact_match'],
      ['two', 'exact_match'],
    ])
    // Ten of forty are lost: McNemar's mid-p is 1 / 2^10, doubled by Holm for two tests.
    for (const { result } of found.comparisons) {
      expect(result).toMatchObject({
        n: ROWS,
        meanA: 1,
        meanB: 0.75,
        difference: -0.25,
        test: 'mid-p',
      })
      expect(result.p).toBeCloseTo(1 / 1024, 12)
      expect(result.holm).toBeCloseTo(2 / 1024, 12)
      expect(result.interval.low).toBeLessThan(-0.25)
      expect(result.interval.high).toBeLessThan(0)
    }
    expect(found.winRate).toMatchObject({ winRateA: 1, winRateB: 0, difference: -1, benchmarks: 2 })
  })

  it('give the same bytes each time', async () => {
    const flags = ['fake/fair', 'fake/bad', '--suite', 'main']
    const once = await compare(...flags)
    expect(once.stdout).toMatch(/one +exact_match ↑ +40.*−0\.500/)
    expect((await compare(...flags)).stdout).toBe(once.stdout)
  })

  it('can be named by their runs', async () => {
    const { stdout } = await compare('one:model=fake_good', 'two:model=fake_good', '--format', 'json')
    const found = JSON.parse(stdout) as { comparisons: readonly { result: unknown; unpairedA: number }[] }
    // The same answers are right, in another benchmark's words.
    expect(found.comparisons).toMatchObject([{ result: { n: ROWS, difference: 0, p: 1 } }])
  })

  it('fail a clause that holds and pass one that does not', async () => {
    const sides = ['fake/good', 'fake/fair', '--suite', 'main', '--fail-if']
    const failed = await compare(...sides, 'exact_match drops > 0.1, p < 0.05', '--format', 'junit')
    expect(failed.code).toBe(3)
    expect(failed.stdout).toContain('<failure message="exact_match drops &gt; 0.1, p &lt; 0.05"/>')
    expect((await compare(...sides, 'any worsens > 0.3')).code).toBe(0)
    expect((await compare(...sides, 'any rises > 0')).code).toBe(0)
  })
})

describe('all models', () => {
  it('are ranked with the doubt that few benchmarks leave', async () => {
    const { code, stdout } = await compare('--suite', 'main', '--format', 'markdown')
    expect(code).toBe(0)
    expect(stdout).toMatch(/\| fake\/good \| 1\.000 \|.*\| 1 \|.*\| > 0\.99 \|/)
    expect(stdout).toMatch(/fake\/good.*\n.*fake\/fair.*\n.*fake\/bad/)
  })
})

describe('a mistake', () => {
  it.each([
    [['fake/good'], 'compare/wrong-count'],
    [['fake/good', 'fake/goof', '--suite', 'main'], 'compare/unknown-model'],
    [['fake/good', 'fake/fair', '--suite', 'main', '--metric', 'rouge_9'], 'compare/unknown-metric'],
    [
      ['fake/good', 'fake/fair', '--suite', 'main', '--fail-if', 'rouge_9 drops > 0'],
      'compare/unknown-metric',
    ],
    [['fake/good', 'fake/fair', '--fail-if', 'it gets worse'], 'compare/bad-clause'],
    [['fake/unbuilt', 'one:model=fake_good'], 'compare/not-built'],
    [['--suite', 'other'], 'compare/not-built'],
    [['--models-to-run', 'fake/god'], 'cli/nothing-to-run'],
    [['--suite', 'main', '--metric', 'rouge_9'], 'compare/unknown-metric'],
    [['--suite', 'main', '--cluster-by', 'patient'], 'compare/unknown-source'],
    [['fake/good', 'fake/fair', '--suite', 'main', '--cluster-by', 'patient'], 'compare/unknown-source'],
    [['fake/good', 'fake/fair', '--format', 'xml'], 'cli/bad-flag'],
    [['benchmark_output', 'fake/fair'], 'compare/one-place'],
    [['fake/good', 'fake/fair', '--from', 'nowhere'], 'compare/no-runs'],
    [['./nowhere', './else'], 'compare/no-runs'],
    [['fake/good', 'fake/fair', '--from', 'benchmark_output', '--suite', 'mian'], 'compare/no-such-suite'],
    [['fake/good', 'fake/goof', '--from', 'benchmark_output'], 'compare/unknown-model'],
  ])('%j is named %s', async (args, problem) => {
    const { code, stderr } = await compare(...args)
    expect(code).toBe(problem === 'compare/not-built' ? 1 : 2)
    expect(stderr).toContain(problem)
  })
})

describe('runs of other places', () => {
  const FILES = 'benchmark_output/runs/main'
  const sides = ['fake/good', 'fake/fair', '--suite', 'main', '--format', 'json'] as const
  const comparisonsOf = (stdout: string): readonly Row[] =>
    (JSON.parse(stdout) as { comparisons: readonly Row[] }).comparisons
  let elsewhere = ''

  beforeAll(async () => {
    expect(
      await medmake(['release', 'create', 'v1', '--suites', 'main', '--include-text', 'one', 'two'], {
        cwd: root,
      }),
    ).toMatchObject({
      code: 0,
    })
    elsewhere = createWorkspace()
    cpSync(join(root, 'benchmark_output'), join(elsewhere, 'old'), { recursive: true })
  })

  it.each([
    ['a folder of HELM’s files', FILES],
    ['a release by name', 'v1'],
    ['a release by folder', 'benchmark_output/releases/v1'],
    ['a release by archive', 'benchmark_output/releases/v1/v1.tar.gz'],
  ])('give the numbers of the store: %s', async (_, place) => {
    const stored = comparisonsOf((await compare(...sides)).stdout)
    const { code, stdout } = await compare(...sides, '--from', place)
    expect(code).toBe(0)
    expect(comparisonsOf(stdout)).toEqual(stored)
  })

  it('need no workspace that knows them, and are ranked there', async () => {
    const other = { cwd: elsewhere }
    const { code, stdout } = await medmake(['compare', '--from', 'old', '--format', 'json'], other)
    expect(code).toBe(0)
    const [found] = JSON.parse(stdout) as readonly { ranking: { models: readonly { name: string }[] } }[]
    expect(found?.ranking.models.map(({ name }) => name)).toEqual(['fake/good', 'fake/fair', 'fake/bad'])
  })

  it('stand in for one side, and know its instances again', async () => {
    // Of the models only one is in the folder: the other comes from the store.
    const half = join(temporaryFolder(), 'main')
    for (const name of ['one', 'two'])
      cpSync(join(root, FILES, `${name}:model=fake_good`), join(half, `${name}:model=fake_good`), {
        recursive: true,
      })
    const { code, stdout } = await compare(...sides, '--from', half)
    expect(code).toBe(0)
    expect(comparisonsOf(stdout).map(({ result }) => [result.n, result.difference])).toEqual([
      [ROWS, -0.25],
      [ROWS, -0.25],
    ])
  })

  it('are compared run by run, and what only one has is named', async () => {
    const later = join(temporaryFolder(), 'later')
    cpSync(join(root, FILES), later, { recursive: true })
    rmSync(join(later, 'two:model=fake_bad'), { recursive: true })
    // A run of the same name with another model's answers.
    rmSync(join(later, 'one:model=fake_good'), { recursive: true })
    cpSync(join(later, 'one:model=fake_fair'), join(later, 'one:model=fake_good'), { recursive: true })
    const spec = join(later, 'one:model=fake_good', 'run_spec.json')
    writeFileSync(spec, readFileSync(spec, 'utf8').replaceAll('fair', 'good'))
    const { code, stdout, stderr } = await compare(FILES, later, '--format', 'json')
    expect(code).toBe(0)
    expect(stderr).toContain('1 run is in one place alone, two:model=fake_bad of')
    const rows = comparisonsOf(stdout) as readonly (Row & { readonly runB: string })[]
    expect(rows).toHaveLength(5)
    expect(
      rows
        .filter(({ result }) => result.difference !== 0)
        .map(({ runB, result }) => [runB, result.difference]),
    ).toEqual([['one:model=fake_good', -0.25]])
    // No win rate of several models at once.
    expect(JSON.parse(stdout)).toMatchObject({ runs: 5, sameRuns: 4, winRate: null })
    const gate = await compare(FILES, later, '--fail-if', 'any worsens > 0.1')
    expect(gate.code).toBe(3)
    expect(gate.stdout).toMatch(/^model +scenario .*\nfake\/bad +one /m)
    expect(gate.stdout).toContain('Equal in the value of every instance: 4 of 5 runs.')
    expect(gate.stdout).not.toContain('Win rate')
  })

  it.each([
    ['lacks its stats', 'stats.json', undefined],
    ['has torn values', 'per_instance_stats.json', '[{"instance_id": "id0", '],
    ['has a spec that is no JSON', 'run_spec.json', 'damaged'],
  ])('that can’t be read are named, and nothing passes: %s', async (_, file, text) => {
    const damaged = join(temporaryFolder(), 'damaged')
    cpSync(join(root, FILES), damaged, { recursive: true })
    const path = join(damaged, 'two:model=fake_fair', file)
    if (text === undefined) rmSync(path)
    else writeFileSync(path, text)
    const { code, stdout, stderr } = await compare(FILES, damaged)
    expect(code).toBe(1)
    expect(stdout).toMatch(/one +exact_match/)
    expect(stderr).toContain('two:model=fake_fair')
    if (file === 'per_instance_stats.json') return
    // Also where nothing that is compared needs it.
    const unneeded = await compare('fake/good', 'fake/bad', '--from', damaged)
    expect(unneeded.code).toBe(1)
    expect(unneeded.stderr).toContain('two:model=fake_fair')
  })

  it.each(['NaN', 'Infinity', '-Infinity'])('that say %s measured nothing there', async (value) => {
    const folder = join(temporaryFolder(), 'odd')
    cpSync(join(root, FILES), folder, { recursive: true })
    const path = join(folder, 'one:model=fake_good', 'per_instance_stats.json')
    const text = readFileSync(path, 'utf8')
    const odd = text.replace(
      /("name": "exact_match",\s+"split": "test"\s+\},\s+"count": 1,\s+"sum": )[\d.]+/,
      `$1${value}`,
    )
    expect(odd).not.toBe(text)
    writeFileSync(path, odd)
    const { code, stdout } = await compare('fake/good', 'fake/fair', '--from', folder, '--format', 'json')
    expect(code).toBe(1)
    expect((JSON.parse(stdout) as { comparisons: readonly object[] }).comparisons[0]).toMatchObject({
      lostA: 1,
      result: null,
      unranked: { n: ROWS - 1, a: { evaluated: ROWS, measured: ROWS - 1 }, b: null },
    })
  })

  it('that have no value at all of the main metric are told to be lost, and pass for nothing', async () => {
    const folder = join(temporaryFolder(), 'bare')
    cpSync(join(root, FILES), folder, { recursive: true })
    for (const file of ['per_instance_stats.json', 'stats.json']) {
      const path = join(folder, 'one:model=fake_fair', file)
      writeFileSync(path, readFileSync(path, 'utf8').replaceAll('"exact_match"', '"other"'))
    }
    const sides = ['fake/good', 'fake/fair', '--from', folder]
    const { code, stdout } = await compare(...sides, '--format', 'json')
    expect(code).toBe(1)
    expect(comparisonsOf(stdout)).toMatchObject([
      { scenario: 'one', lostA: 0, lostB: ROWS, result: null, unranked: { n: 0, b: { measured: 0 } } },
      { scenario: 'two', lostB: 0, result: { n: ROWS } },
    ])
    const text = await compare(...sides, '--fail-if', 'any worsens > 0.3')
    expect(text.code).toBe(1)
    expect(text.stdout).toContain('not compared: one, exact_match of one:model=fake_fair')
  })

  it('of a release that was changed are not read', async () => {
    const bundle = join(temporaryFolder(), 'bundle')
    cpSync(join(root, 'benchmark_output/releases/v1/bundle'), bundle, { recursive: true })
    const stats = join(bundle, 'benchmark_output/runs/main/one:model=fake_good/per_instance_stats.json')
    writeFileSync(stats, readFileSync(stats, 'utf8').replace('"sum": 1.0', '"sum": 0.0'))
    const { code, stdout, stderr } = await compare(...sides, '--from', bundle)
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' })
    expect(stderr).toContain('release/changed-file')
  })

  it('do not tell which instances share a source: the reader is told, until a key names it', async () => {
    const name = 'sharing'
    const declaration = `name: ${name}
description: Letters of patients.
cluster: patient
protocols:
  - version: medmake-1
    data: { letters: { path: data.csv, format: csv } }
    instances:
      - from: letters
        split: test
        cluster: '{patient}'
        input: "sharing: {question}"
        references: [{ text: '{correct_answer}', correct: true }]
        extra_data: { ward: '{patient}' }
    adapter: { method: generation, max_train_instances: 0, max_tokens: 5 }
    metrics: [exact_match]
    main_metric: { name: exact_match, split: test }
`
    writeFiles(root, {
      [`benchmarks/${name}/benchmark.yaml`]: declaration,
      [`benchmarks/${name}/data.csv`]: data,
      'targets/shared.conf': `entries: [${['fake/good', 'fake/fair'].map((model) => `{description: "${name}:model=${model}"}`).join(', ')}]`,
    })
    expect(await medmake(['run', 'shared'], { cwd: root })).toMatchObject({ code: 0 })
    expect(
      (
        await medmake(['release', 'create', 'v2', '--suites', 'shared', '--include-text', name], {
          cwd: root,
        })
      ).code,
    ).toBe(0)
    const of = ['fake/good', 'fake/fair', '--suite', 'shared', '--format', 'json'] as const
    const stored = await compare(...of)
    expect(comparisonsOf(stored.stdout)).toMatchObject([{ result: { n: ROWS, sources: 8 } }])
    const files = await compare(...of, '--from', 'benchmark_output/runs/shared')
    expect(comparisonsOf(files.stdout)).toMatchObject([{ result: { n: ROWS, sources: ROWS } }])
    expect(files.stderr).toContain("sharing: instances share a patient, and HELM's files do not tell which")
    // A release names them.
    const released = await compare(...of, '--from', 'v2')
    expect(released.stderr).toBe('')
    expect(comparisonsOf(released.stdout)).toEqual(comparisonsOf(stored.stdout))
    const named = await compare(...of, '--from', 'benchmark_output/runs/shared', '--cluster-by', 'ward')
    expect(named.stderr).toBe('')
    expect(comparisonsOf(named.stdout)).toMatchObject([{ result: { n: ROWS, sources: 8 } }])
  })

  it('of a benchmark in the short form do not tell either: the reader is told', async () => {
    const files = benchmark('short')
    const yaml = 'benchmarks/short/benchmark.yaml'
    writeFiles(root, {
      ...files,
      [yaml]: `${files[yaml]}cluster: patient\n`,
      'targets/short.conf': `entries: [${['fake/good', 'fake/fair'].map((model) => `{description: "short:model=${model}"}`).join(', ')}]`,
    })
    expect(await medmake(['run', 'short'], { cwd: root })).toMatchObject({ code: 0 })
    const of = [
      'fake/good',
      'fake/fair',
      '--suite',
      'short',
      '--from',
      'benchmark_output/runs/short',
    ] as const
    expect((await compare(...of)).stderr).toContain('short: instances share a patient')
  })
})
