import { beforeAll, describe, expect, it } from 'vitest'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { shortBenchmark } from '../../rig/short-benchmark.ts'
import { createWorkspace, writeFiles } from '../../rig/workspace.ts'

interface Line {
  readonly model: string
  readonly benchmark: string
  readonly judge: string | null
  readonly usage: { readonly calls: number; readonly inputTokens: number; readonly outputTokens: number }
  readonly usd: number | null
  readonly ceiling: number | null
}

const ROWS = 3
const prices = (...names: readonly string[]): string =>
  `prices:\n${names
    .map(
      (name) =>
        `  - { deployment: ${name}, input: 1000, output: 2000, date: 2026-04-05, source: contract }\n`,
    )
    .join('')}`

let root = ''
const costs = (...args: readonly string[]): ReturnType<typeof medmake> =>
  medmake(['costs', ...args], { cwd: root })

beforeAll(async () => {
  const server = await fakeServer()
  root = createWorkspace({
    ...shortBenchmark(
      { name: 'notes', maxTokens: 50, judges: ['fake/judge'] },
      {
        prompt: 'Note {question}',
        data: `question,correct_answer\n${Array.from({ length: ROWS }, (_, row) => `q${row},a\n`).join('')}`,
      },
    ),
    'models/fake.yaml': modelsYaml(server, ['fake/one', 'fake/judge']),
    'models/prices.yaml': prices('fake/one', 'fake/judge'),
    'targets/main.conf': 'entries: [{ description: "notes:model=fake/one", priority: 1 }]\n',
  })
})

describe('medmake costs', () => {
  it('says what to run where nothing is built', async () => {
    const { code, stderr } = await costs('main')
    expect(code).toBe(1)
    expect(stderr).toContain('cli/nothing-built')
    expect(stderr).toContain('medmake run main')
  })

  it('charges the recorded tokens of answers and judges at the prices of the workspace', async () => {
    await medmake(['run', 'main'], { cwd: root })
    const { stdout } = await costs('main', '--json')
    const { lines } = JSON.parse(stdout) as { lines: readonly Line[] }
    expect(lines.map(({ model, benchmark, judge }) => [model, benchmark, judge])).toEqual([
      ['fake/one', 'notes', null],
      ['fake/one', 'notes', 'fake/judge'],
    ])
    for (const { usage, usd, ceiling, judge } of lines) {
      expect(usage.calls).toBe(ROWS)
      expect(usage.inputTokens).toBeGreaterThan(0)
      expect(usd).toBeCloseTo((usage.inputTokens * 1000 + usage.outputTokens * 2000) / 1e6, 9)
      const longest = judge === null ? 50 : 4096
      expect(ceiling).toBeCloseTo((usage.inputTokens * 1000 + ROWS * longest * 2000) / 1e6, 9)
    }
  })

  it('shows an unpriced deployment as unknown and says where its price goes', async () => {
    writeFiles(root, { 'models/prices.yaml': prices('fake/one') })
    const { stdout, stderr } = await costs('main')
    expect(stdout).toMatch(/^fake\/one .* unknown .*unknown .*unknown$/m)
    expect(stdout).toContain('fake/one: 1000 in, 2000 out per million tokens, 2026-04-05, contract')
    expect(stderr).toContain('No price is declared for fake/judge')
  })

  it('prints a row for each model, benchmark and judge as CSV', async () => {
    const { stdout } = await costs('main', '--csv')
    const [head, own, judge] = stdout.split('\n')
    expect(head).toBe(
      'model,benchmark,judge,deployment,calls,calls_without_usage,input_tokens,cached_input_tokens,output_tokens,reasoning_tokens,seconds,usd,usd_at_max_tokens',
    )
    expect(own).toMatch(/^fake\/one,notes,,fake\/one,3,0,/)
    expect(judge).toMatch(/^fake\/one,notes,fake\/judge,fake\/judge,3,0,.*,,$/)
  })

  it('tells the runs that are not built beside those that are, and ends with 1', async () => {
    const entries = ['fake/one', 'baseline/lead'].map((model) => `{ description: "notes:model=${model}" }`)
    writeFiles(root, { 'targets/more.conf': `entries: [${entries.join(', ')}]\n` })
    const { code, stdout } = await costs('more', '--json')
    expect(code).toBe(1)
    expect(JSON.parse(stdout)).toMatchObject({ missing: ['more: notes:model=baseline_lead'] })
  })

  it('refuses two forms at once', async () => {
    const { code, stderr } = await costs('main', '--csv', '--json')
    expect(code).toBe(2)
    expect(stderr).toContain('--json and --csv exclude each other')
  })
})
