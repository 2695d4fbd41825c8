import { beforeAll, describe, expect, it } from 'vitest'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

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
    expect(stdout).toMatch(/\| fake\/good \| 1\.000 \|.*\| 1 \|.*\| 100 % \|/)
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
    [['fake/good', 'fake/fair', '--suite', 'main', '--cluster-by', 'patient'], 'compare/unknown-source'],
    [['fake/good', 'fake/fair', '--format', 'xml'], 'cli/bad-flag'],
  ])('%j is named %s', async (args, problem) => {
    const { code, stderr } = await compare(...args)
    expect(code).toBe(2)
    expect(stderr).toContain(problem)
  })
})
