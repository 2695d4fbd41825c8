import { cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { fullYaml } from '../../rig/full-yaml.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { shared } from '../../rig/shared.ts'
import { shortBenchmark } from '../../rig/short-benchmark.ts'
import { createWorkspace } from '../../rig/workspace.ts'

interface Board {
  readonly benchmarks: readonly {
    readonly name: string
    readonly mainMetric: Readonly<Record<string, unknown>>
  }[]
  readonly rows: readonly { readonly cells: readonly { readonly value: number | null }[] }[]
}

const readJson = (...path: readonly string[]): unknown => JSON.parse(readFileSync(join(...path), 'utf8'))

/** Value by benchmark on a board. */
const boardValues = (site: string): Readonly<Record<string, unknown>> => {
  const [board] = readJson(site, 'board.json') as readonly Board[]
  return Object.fromEntries(
    (board?.benchmarks ?? []).map(({ name, mainMetric }, column) => [
      name,
      [mainMetric['name'], board?.rows[0]?.cells[column]?.value],
    ]),
  )
}

interface Schema {
  readonly run_groups: readonly {
    readonly name: string
    readonly environment: { readonly main_name?: string }
  }[]
}

/** Main metric by run group, as HELM's tables have it. */
const tableMetrics = (folder: string): Readonly<Record<string, unknown>> =>
  Object.fromEntries(
    (readJson(folder, 'schema.json') as Schema).run_groups.flatMap(({ name, environment }) =>
      environment.main_name === undefined ? [] : [[name, environment.main_name]],
    ),
  )

describe('a declared main metric', () => {
  let root = ''
  const run = (...args: readonly string[]): ReturnType<typeof medmake> => medmake(args, { cwd: root })

  beforeAll(async () => {
    // Right in two of three, with a word too many.
    const server = await fakeServer({
      answer: ({ prompt }) => (prompt.includes('third') ? 'No idea' : 'Yes, it does'),
    })
    root = createWorkspace({
      'models/fake.yaml': modelsYaml(server, ['fake/a']),
      'benchmarks/full/benchmark.yaml': fullYaml({
        name: 'full',
        input: '{question}',
        main: 'quasi_prefix_exact_match',
      }),
      'benchmarks/full/data.csv': 'question,answer\nthe first,yes\nthe second,yes\nthe third,yes\n',
      ...shortBenchmark(
        { name: 'short', access: 'public', metrics: ['rouge_l', 'exact_match'] },
        {
          prompt: '{question}',
          data: 'question,correct_answer\nthe first,does it yes\nthe second,does it yes\nthe third,does it yes\n',
        },
      ),
      'targets/main.conf':
        'entries: [{description: "full:model=fake/a"}, {description: "short:model=fake/a"}]',
    })
    expect((await run('run')).code).toBe(0)
    expect((await run('report')).code).toBe(0)
  })

  const declared = { full: 'quasi_prefix_exact_match', short: 'rouge_l' }

  it('heads the board and HELM’s tables of the same report', () => {
    const values = boardValues(join(root, 'benchmark_output/site'))
    expect(values['full']).toEqual([declared.full, 2 / 3])
    expect(values['short']?.toString()).toContain('rouge_l')
    const folder = join(root, 'benchmark_output/runs/main')
    expect(tableMetrics(folder)).toEqual(declared)
    const text = JSON.stringify(readJson(folder, 'groups/full.json'))
    expect(text).toContain('0.6666666666666666')
  })

  it('heads the tables of summarize, and the board that serve makes of the files', async () => {
    const output = 'copied/benchmark_output'
    cpSync(join(root, 'benchmark_output/runs/main'), join(root, output, 'runs/main'), {
      recursive: true,
      filter: (source) => !source.endsWith('schema.json'),
    })
    const exported = await run('serve', '--suite', 'main', '-o', output, '--export-path', 'out')
    expect(exported).toMatchObject({ code: 0, stderr: '' })
    expect(boardValues(join(root, 'out'))).toEqual(boardValues(join(root, 'benchmark_output/site')))
    expect(await run('summarize', '--suite', 'main', '-o', output)).toMatchObject({ code: 0 })
    expect(tableMetrics(join(root, output, 'runs/main'))).toEqual(declared)
    const described = () => JSON.stringify(readJson(join(root, output, 'runs/main'), 'groups/full.json'))
    expect(described()).not.toContain('Run specs:')
    await run('summarize', '--suite', 'main', '-o', output, '--debug')
    expect(described()).toContain(String.raw`\nRun specs:\n-- full:`)
  })

  it('heads the tables of a release', async () => {
    expect(await run('release', 'create', 'r')).toMatchObject({ code: 0, stderr: '' })
    const bundle = join(root, 'benchmark_output/releases/r/bundle')
    expect(tableMetrics(join(bundle, 'benchmark_output/releases/r'))).toEqual(declared)
  })
})

const published = shared('published/helm-run-medication_qa-gpt-4o')

describe.skipIf(published === undefined)(
  'a published run of HELM’s whose jury had a metric of its own class',
  () => {
    it('is headed by the jury, with its direction and scale, and its judgements are counted', async () => {
      const root = createWorkspace({})
      const { name } = readJson(published ?? '', 'run_spec.json') as { name: string }
      cpSync(published ?? '', join(root, 'benchmark_output/runs/v1', name), { recursive: true })
      const { code } = await medmake(['serve', '--suite', 'v1', '--export-path', 'out'], { cwd: root })
      expect(code).toBe(0)
      const [board] = readJson(root, 'out/board.json') as readonly Board[]
      expect(board?.benchmarks[0]?.mainMetric).toMatchObject({
        name: 'medication_qa_accuracy',
        lowerIsBetter: false,
        range: { low: 1, high: 5 },
      })
      expect(board?.rows[0]?.cells[0]).toMatchObject({ judgements: { wanted: 30, read: 30 } })
      await medmake(['summarize', '--suite', 'v1'], { cwd: root })
      expect(tableMetrics(join(root, 'benchmark_output/runs/v1'))).toEqual({
        medication_qa: 'medication_qa_accuracy',
      })
    })
  },
)

describe('what can not be computed', () => {
  it('is named by the run, fresh or built, its page and the board, with what to install', async () => {
    const server = await fakeServer({ answer: () => 'no fever' })
    const root = createWorkspace({
      'models/fake.yaml': modelsYaml(server, ['fake/a', 'fake/b']),
      ...shortBenchmark(
        { name: 'notes', access: 'public', metrics: ['rouge_l'] },
        { prompt: '{note}', data: 'note,correct_answer\nfever,no fever\n' },
      ),
      'targets/main.conf':
        'entries: [{description: "notes:model=fake/a"}, {description: "notes:model=fake/b"}]',
    })
    const encoder = 'Not computed: BERTScore-P, BERTScore-R, BERTScore-F: no encoder is configured.'
    for (const state of ['2 built', '2 fresh']) {
      const { stdout } = await medmake(['run'], { cwd: root })
      expect(stdout).toContain(state)
      expect(stdout).toContain(encoder)
      expect(stdout).toContain('npm install onnxruntime-node@1.30.0')
      expect(stdout).toContain('Not computed: summac: not built in')
    }
    const json = JSON.parse((await medmake(['run', '--json'], { cwd: root })).stdout) as {
      omitted: Readonly<Record<string, readonly string[]>>
    }
    expect(Object.values(json.omitted).map(({ length }) => length)).toEqual([2, 2])
    const report = await medmake(['report'], { cwd: root })
    expect(report.stdout).toContain(encoder)
    expect(report.stdout).toContain('(notes)')
    expect(report.stderr).not.toContain('schema')
    const pages = join(root, 'benchmark_output/site')
    expect(readFileSync(join(pages, 'index.html'), 'utf8')).toContain(encoder)
    const page = readdirSync(join(pages, 'runs'), { recursive: true, encoding: 'utf8' }).find((name) =>
      name.endsWith('.html'),
    )
    expect(readFileSync(join(pages, 'runs', page ?? ''), 'utf8')).toContain('no encoder is configured')
  })
})

describe('a report of runs in which nothing was measured', () => {
  it('says so, and nothing of a schema', async () => {
    const server = await fakeServer({ answer: () => ({ status: 400, body: { error: { message: 'no' } } }) })
    const root = createWorkspace({
      'models/fake.yaml': modelsYaml(server, ['fake/a']),
      'benchmarks/b/benchmark.yaml':
        'name: b\ndescription: B.\naccess: public\nprompt_file: p.txt\ndataset_file: d.csv\nmax_tokens: 5\nmetrics: [{name: exact_match}]\n',
      'benchmarks/b/p.txt': '{q}',
      'benchmarks/b/d.csv': 'q,correct_answer\nx,y\nz,w\n',
      'targets/main.conf': 'entries: [{description: "b:model=fake/a"}]',
    })
    await medmake(['run', '--allow-failures'], { cwd: root })
    const report = await medmake(['report', '--allow-failures'], { cwd: root })
    expect(report).toMatchObject({ code: 0, stderr: '' })
    expect(report.stdout).toContain('~ fake/a, b: unranked: 0.0 % measured, 2 provider errors')
    expect(tableMetrics(join(root, 'benchmark_output/runs/main'))).toEqual({ b: 'exact_match' })
  })
})
