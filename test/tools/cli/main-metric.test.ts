import { cpSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { shared } from '../../rig/shared.ts'
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
      'benchmarks/full/benchmark.yaml': `name: full
description: Says yes.
access: public
protocols:
  - version: own-1
    data: { rows: { path: data.csv, format: csv } }
    instances:
      - { from: rows, split: test, input: '{question}', references: [{ text: '{answer}', correct: true }] }
    adapter: { method: generation, max_train_instances: 0, max_tokens: 8 }
    metrics: [exact_match]
    main_metric: { name: quasi_prefix_exact_match, split: test }
`,
      'benchmarks/full/data.csv': 'question,answer\nthe first,yes\nthe second,yes\nthe third,yes\n',
      'benchmarks/short/benchmark.yaml': `name: short
description: Says yes.
access: public
prompt_file: prompt.txt
dataset_file: data.csv
max_tokens: 8
metrics: [{name: rouge_l}, {name: exact_match}]
`,
      'benchmarks/short/prompt.txt': '{question}',
      'benchmarks/short/data.csv':
        'question,correct_answer\nthe first,does it yes\nthe second,does it yes\nthe third,does it yes\n',
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
