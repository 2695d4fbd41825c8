import { beforeAll, describe, expect, it } from 'vitest'
import type { Analysis } from '../../../targets/analysis/analysis.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const ROWS = 8
const MODELS = ['fake/good', 'fake/fair']

let root = ''
const analyze = (...args: readonly string[]): ReturnType<typeof medmake> =>
  medmake(['analyze', ...args], { cwd: root })
const suite = (name: string): Readonly<Record<string, string>> => ({
  [`targets/${name}.conf`]: `entries: [${MODELS.map((model) => `{ description: "letters:model=${model}", priority: 1 }`).join(', ')}]\n`,
})

beforeAll(async () => {
  // good is always right, fair on every other question.
  const server = await fakeServer({
    answer: ({ model, prompt }) =>
      model === 'fake/good' || Number(/question (\d+)/.exec(prompt)?.[1]) % 2 === 0 ? 'A' : 'B',
  })
  root = createWorkspace({
    'benchmarks/letters/benchmark.yaml':
      'name: letters\ndescription: Letters.\nprompt_file: prompt.txt\ndataset_file: data.csv\nmax_tokens: 5\nmetrics: [{ name: exact_match }]\n',
    'benchmarks/letters/prompt.txt': '{question}',
    'benchmarks/letters/data.csv': `question,correct_answer\n${Array.from({ length: ROWS }, (_, row) => `question ${row},A\n`).join('')}`,
    'models/fake.yaml': modelsYaml(server, MODELS),
    ...suite('main'),
    ...suite('other'),
    'board.csv': 'Model,Mean win rate,MedQA - EM,ACI-Bench - Jury Score\nx & y,1,0.5,4\nz,0,0.25,2\n',
  })
  expect((await medmake(['run'], { cwd: root })).code).toBe(0)
})

describe('medmake analyze', () => {
  it('takes the models and benchmarks of a file that are asked for, and refuses what the file does not have', async () => {
    const args = ['board.csv', '--json', '--models-to-run', 'z', 'x & y', '--groups-to-run', 'aci_bench']
    const { code, stdout } = await analyze(...args)
    expect(code).toBe(0)
    const [found] = (JSON.parse(stdout) as { analyses: readonly Analysis[] }).analyses
    expect(found?.heatmap.map(({ benchmark, values }) => [benchmark, values])).toEqual([
      ['ACI-Bench', [0.75, 0.25]],
    ])
    expect(found?.winRateGap).toBeNull()
    const one = await analyze('board.csv', '--json', '--models-to-run', 'z')
    expect((JSON.parse(one.stdout) as { analyses: readonly Analysis[] }).analyses[0]?.models).toEqual(['z'])
    for (const [flag, name, problem] of [
      ['--models-to-run', 'zz', 'analysis/unknown-model'],
      ['--groups-to-run', 'aci_bensh', 'analysis/unknown-group'],
      ['--max-eval-instances', '3', 'cli/unsupported-flag'],
    ] as const) {
      const refused = await analyze('board.csv', flag, name)
      expect(refused.code).toBe(2)
      expect(refused.stderr).toContain(problem)
    }
  })

  it('reads what was built of a suite', async () => {
    const { stdout, code } = await analyze('main', '--json')
    expect(code).toBe(0)
    const [found] = (JSON.parse(stdout) as { analyses: readonly Analysis[] }).analyses
    expect(found).toMatchObject({ name: 'main', models: MODELS, winRateGap: null })
    expect(found?.standings.map(({ winRate, macroAverage }) => [winRate, macroAverage])).toEqual([
      [1, 1],
      [0, 0.5],
    ])
    // Differences are 0 and 1, four times each: their deviation is 0.5.
    expect(found?.detectable).toMatchObject([{ benchmark: 'letters', pairs: 1, instances: [ROWS, ROWS] }])
    expect(found?.detectable?.[0]?.mean).toBeCloseTo((2.8 * 0.5) / Math.sqrt(ROWS), 12)
  })

  it('is part of the report as JSON, with what the runs took', async () => {
    const { stdout } = await medmake(['report', 'main', '--json'], { cwd: root })
    const found = JSON.parse(stdout) as {
      readonly analyses: readonly Analysis[]
      readonly costs: { readonly unpriced: readonly string[]; readonly models: readonly object[] }
    }
    expect(found.analyses).toMatchObject([{ name: 'main', models: MODELS, detectable: null }])
    expect(found.costs.unpriced).toEqual(['fake/fair', 'fake/good'])
    expect(found.costs.models).toMatchObject([
      { name: 'fake/fair', usage: { calls: ROWS }, usd: null },
      { name: 'fake/good', usage: { calls: ROWS }, usd: null },
    ])
  })

  it('reads a leaderboard file and holds its win rates against its own', async () => {
    const { stdout, code } = await analyze('board.csv')
    expect(code).toBe(0)
    expect(stdout).toMatch(/^x & y +1\.000 +0\.000 +0\.625 +0\.177$/m)
    expect(stdout).toContain('Its own win rates are at most 0.0000 away from these.')
  })

  it('prints one table as CSV or LaTeX', async () => {
    const csv = await analyze('board.csv', '--table', 'heatmap', '--csv')
    expect(csv.stdout.split('\n')).toEqual([
      'Benchmark,Category,x & y,z',
      'MedQA,Clinical Decision Support,0.5,0.25',
      'ACI-Bench,Clinical Note Generation,0.75,0.25',
    ])
    const latex = await analyze('board.csv', '--latex')
    expect(latex.stdout).toContain(String.raw`x \& y & 1.00 & 0.00 & 0.63 & 0.18 \\`)
  })

  it('says beside a file what is not in it', async () => {
    const { stdout, stderr } = await analyze(
      'main',
      '--table',
      'mde',
      '--csv',
      '--models-to-run',
      'fake/good',
    )
    expect(stdout.split('\n')).toHaveLength(1)
    expect(stderr).toContain('Without an MDE, as no two models share instances: letters.')
  })

  it.each([
    [['--csv'], 'cli/bad-argument', 'main, other'],
    [['board.csv', 'main'], 'cli/bad-argument', 'Name one file'],
    [['board.csv', '--table', 'mde'], 'analysis/no-instances', 'Name a suite'],
    [['board.csv', '--csv', '--json'], 'cli/bad-flag', 'Give one'],
    [['main', '--table', 'standing'], 'cli/bad-flag', 'Did you mean "standings"'],
  ])('refuses %j and says what to do', async (args, code, remedy) => {
    const found = await analyze(...args)
    expect(found.code).toBe(2)
    expect(found.stderr).toContain(code)
    expect(found.stderr).toContain(remedy)
  })

  it('shows what can be detected of a scale of one’s own, too, as a share of its length', async () => {
    const cwd = createWorkspace({
      'targets/metrics/points.js':
        "export const metric = { measures: [{ name: 'points', unit: 'points', least: -5, most: 5 }], evaluate: ({ completion }) => ({ points: Number(completion) }) }\n",
      'benchmarks/marks/benchmark.yaml':
        'name: marks\ndescription: Marks.\nprompt_file: prompt.txt\ndataset_file: data.csv\nmax_tokens: 5\nmetrics: [{ name: points }]\n',
      'benchmarks/marks/prompt.txt': '{question}',
      'benchmarks/marks/data.csv': 'question,correct_answer\n4,A\n-3,A\n2,A\n',
      'models/own.yaml': modelsYaml(
        await fakeServer({
          answer: ({ model, prompt }) => (model === 'fake/good' ? '4' : String(Number(prompt))),
        }),
        MODELS,
      ),
      'targets/main.conf': `entries: [${MODELS.map((model) => `{ description: "marks:model=${model}" }`).join(', ')}]\n`,
    })
    expect(await medmake(['run'], { cwd, isFresh: true })).toMatchObject({ code: 0 })
    const { stdout } = await medmake(['analyze', '--json'], { cwd, isFresh: true })
    const [found] = (JSON.parse(stdout) as { analyses: readonly Analysis[] }).analyses
    // Differences of 0, 7 and 2 of 10 points.
    const sd = Math.sqrt((0 + 0.49 + 0.04) / 3 - 0.3 ** 2)
    expect(found?.detectable).toMatchObject([
      { benchmark: 'marks', pairs: 1, mean: expect.closeTo((2.8 * sd) / Math.sqrt(3), 12) as number },
    ])
  })
})
