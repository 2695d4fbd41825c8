import { readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { RUBRIC, shortBenchmark, shortYaml } from '../../rig/short-benchmark.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

const ROWS = 6
const csv = (rows: readonly string[]): string => `note,correct_answer\n${rows.join('\n')}\n`
const rows = Array.from({ length: ROWS }, (_, row) => `note number ${row},answer ${row}`)

const JURY_YAML = (judges: readonly string[]): string => shortYaml({ name: 'summaries', judges })

const EXACT = shortYaml({ name: 'exact' })

const suite = (temperature = ''): string =>
  `entries: [
  {description: "exact:${temperature}model=fake/a"}
  {description: "exact:${temperature}model=fake/b"}
  {description: "summaries:model=fake/a"}
]`

interface Json {
  readonly providerCalls: number
  readonly stages: Readonly<Record<string, { readonly executed: number; readonly cached: number }>>
  readonly failures: readonly { readonly instance: string; readonly code: string }[]
  readonly targets: Readonly<Record<string, number>>
}

let root: string
let server: Awaited<ReturnType<typeof fakeServer>>

const run = async (...flags: readonly string[]): Promise<Json & { readonly code: number }> => {
  const result = await medmake(['run', '--json', ...flags], { cwd: root })
  if (result.stdout === '') throw new Error(result.stderr)
  return { ...(JSON.parse(result.stdout) as Json), code: result.code }
}

const executed = ({ stages }: Json): Readonly<Record<string, number>> =>
  Object.fromEntries(Object.entries(stages).map(([stage, counts]) => [stage, counts.executed]))

beforeEach(async () => {
  server = await fakeServer()
  root = createWorkspace({
    'models/fake.yaml': modelsYaml(server, ['fake/a', 'fake/b', 'fake/judge', 'fake/judge2']),
    ...shortBenchmark({ name: 'exact' }, { prompt: 'Read: {note}', data: csv(rows) }),
    ...shortBenchmark({ name: 'summaries', judges: ['fake/judge'] }, { data: csv(rows) }),
    'targets/main.conf': suite(),
  })
  const first = await run()
  expect(first).toMatchObject({ code: 0, providerCalls: 4 * ROWS, failures: [] })
})

const NOTHING = { instances: 0, prompts: 0, completions: 0, annotations: 0, metrics: 0 }

describe('a rerun', () => {
  it('executes nothing when nothing changed', async () => {
    expect(executed(await run())).toEqual(NOTHING)
  })

  it('calls nobody for a comment, a reformatted file, another name of the suite or of the benchmark', async () => {
    writeFiles(root, {
      'benchmarks/exact/benchmark.yaml': `# a comment\n${EXACT.replace('description: Short answers.', "description:   'Short answers.'")}`,
      'targets/main.conf': '',
      'targets/other.conf': `// renamed\n${suite().replaceAll('\n', '\n\n')}`,
    })
    rmSync(join(root, 'targets/main.conf'))
    const again = await run()
    expect(again.providerCalls).toBe(0)
    expect(executed(again)).toEqual(NOTHING)
    expect(readdirSync(join(root, 'benchmark_output/runs/other'))).toHaveLength(3)
  })

  it('after a changed prompt runs that benchmark only', async () => {
    writeFiles(root, { 'benchmarks/exact/prompt.txt': 'Read again: {note}' })
    const again = await run()
    expect(again.providerCalls).toBe(2 * ROWS)
    expect(again.targets).toMatchObject({ fresh: 1, built: 2 })
  })

  it('after one changed row asks each model once', async () => {
    writeFiles(root, { 'benchmarks/exact/data.csv': csv(rows.with(2, 'another note,answer 2')) })
    const again = await run()
    expect(again.providerCalls).toBe(2)
    expect(again.stages['completions']).toEqual({ executed: 2, cached: 3 * ROWS - 2 })
  })

  it('after a row put in front asks each model once', async () => {
    writeFiles(root, { 'benchmarks/exact/data.csv': csv(['a new note,answer', ...rows]) })
    expect((await run()).providerCalls).toBe(2)
  })

  it('after another temperature asks again and keeps the prompts', async () => {
    writeFiles(root, { 'targets/main.conf': suite('temperature=0.7,') })
    const again = await run()
    expect(again.providerCalls).toBe(2 * ROWS)
    expect(again.stages['prompts']).toEqual({ executed: 0, cached: 3 * ROWS })
  })

  it('after a judge was added makes its calls only', async () => {
    writeFiles(root, { 'benchmarks/summaries/benchmark.yaml': JURY_YAML(['fake/judge', 'fake/judge2']) })
    const again = await run()
    expect(again.providerCalls).toBe(ROWS)
    expect(executed(again)).toMatchObject({ completions: 0, annotations: ROWS })
  })

  it('after another wording of the rubric asks the judges only', async () => {
    writeFiles(root, { 'benchmarks/summaries/rubric.txt': RUBRIC.replace('Judge', 'Please judge') })
    expect(executed(await run())).toMatchObject({ prompts: 0, completions: 0, annotations: ROWS })
  })

  it('after another server, key or limit of the same model calls nobody', async () => {
    const other = await fakeServer()
    writeFiles(root, {
      'models/fake.yaml': modelsYaml(other, ['fake/a', 'fake/b', 'fake/judge'], '{concurrency: 1}'),
    })
    expect((await run()).providerCalls).toBe(0)
    expect(other.journal().requests).toBe(0)
  })

  it('writes deleted, edited and otherwise described result files anew from the store', async () => {
    const folder = join(root, 'benchmark_output/runs/main/exact:model=fake_a')
    const before = readFileSync(join(folder, 'stats.json'), 'utf8')
    writeFileSync(join(folder, 'stats.json'), '[]')
    rmSync(join(folder, 'scenario.json'))
    writeFiles(root, { 'benchmarks/exact/benchmark.yaml': EXACT.replace('Short answers', 'Shorter') })
    const again = await run()
    expect(again.providerCalls).toBe(0)
    expect(readFileSync(join(folder, 'stats.json'), 'utf8')).toBe(before)
    expect(readdirSync(folder)).toContain('scenario.json')
    const other = join(root, 'benchmark_output/runs/main/exact:model=fake_b/scenario.json')
    expect(readFileSync(other, 'utf8')).toContain('Shorter.')
  })
})

describe('before a rerun', () => {
  it('--dry-run says what would run and writes nothing', async () => {
    writeFiles(root, { 'benchmarks/exact/data.csv': csv(rows.with(0, 'changed,answer 0')) })
    const stamp = (): string =>
      JSON.stringify((readdirSync(root, { recursive: true }) as string[]).toSorted())
    const before = stamp()
    const { stdout, code } = await medmake(['run', '--dry-run', '--json'], { cwd: root })
    expect(code).toBe(0)
    expect(JSON.parse(stdout)).toMatchObject({ calls: 2 })
    expect(stamp()).toBe(before)
    expect(server.journal().requests).toBe(4 * ROWS)
  })

  it('explain names the first field that differs, stage by stage', async () => {
    writeFiles(root, { 'targets/main.conf': suite('temperature=0.7,') })
    const { stdout } = await medmake(['explain', 'exact:model=fake_a'], { cwd: root })
    expect(stdout).toContain('prompts: hit (6)')
    expect(stdout).toContain('completions: miss (6 of 6): completions.temperature 0 → 0.7')
    const fresh = await medmake(['explain', 'summaries'], { cwd: root })
    expect(fresh.stdout).toContain('fresh')
  })
})

describe('a request that finally fails', () => {
  it('leaves the run incomplete and is tried again alone', async () => {
    const broken = await fakeServer({
      answer: ({ prompt }) =>
        prompt.includes('number 3') ? { status: 400, body: { error: { message: 'no' } } } : 'fine',
    })
    writeFiles(root, {
      'models/fake.yaml': modelsYaml(broken, ['fake/c']),
      'targets/main.conf': 'entries: [{description: "exact:model=fake/c"}]',
    })
    const first = await run()
    expect(first).toMatchObject({ code: 1, failures: [{ instance: 'id3', code: 'http/400' }] })
    expect(readdirSync(join(root, 'benchmark_output/runs/main'))).not.toContain('exact:model=fake_c')
    const again = await run()
    expect(again.code).toBe(1)
    expect(broken.journal().requests).toBe(ROWS + 1)
    const accepted = await run('--allow-failures')
    expect(accepted.code).toBe(0)
    expect(readdirSync(join(root, 'benchmark_output/runs/main'))).toContain('exact:model=fake_c')
  })
})
