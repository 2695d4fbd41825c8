import { describe, expect, it } from 'vitest'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { shortBenchmark, shortYaml } from '../../rig/short-benchmark.ts'
import { createWorkspace, writeFiles, type Files } from '../../rig/workspace.ts'

const ROWS = 20
const JUDGES = ['fake/one', 'fake/two', 'fake/three']

const judgedBy = (judges: readonly string[]) => ({
  name: 'summaries',
  access: 'public',
  judges,
  metrics: ['exact_match', 'jury_score'],
})

const benchmark = (data: string): Files => shortBenchmark(judgedBy(JUDGES.slice(0, 2)), { data })

interface Stage {
  readonly executed: number
  readonly cached: number
}

interface Plan {
  readonly stages: Readonly<Record<string, { readonly execute: number; readonly cached: number }>>
  readonly calls: number
}

describe('medmake explain', () => {
  it('counts what a run then does, result by result', async () => {
    const server = await fakeServer({
      answer: ({ model, prompt }) => {
        // One answer is blank, and one judgement can't be read: neither is a result of the stage.
        if (!JUDGES.includes(model)) return prompt.includes('note 3.') ? ' ' : `${model}: ${prompt}`
        return model === 'fake/one' && prompt.includes('note 5.')
          ? 'no JSON'
          : `{"accuracy": {"score": 4, "explanation": "${/note \d+/.exec(prompt)?.[0] ?? ''}"}}`
      },
    })
    const cwd = createWorkspace({
      'models/fake.yaml': modelsYaml(server, ['fake/a', ...JUDGES]),
      ...benchmark(
        `note,correct_answer\n${Array.from({ length: ROWS }, (_, row) => `note ${row}.,yes`).join('\n')}\n`,
      ),
      'targets/main.conf': 'entries: [{description: "summaries:model=fake/a"}]',
    })
    const explained = async (): Promise<Plan> => {
      const { code, stdout, stderr } = await medmake(['explain', 'summaries', '--json'], { cwd })
      expect(code, stderr).toBe(0)
      return JSON.parse(stdout) as Plan
    }
    const run = async (): Promise<{ stages: Readonly<Record<string, Stage>>; providerCalls: number }> =>
      JSON.parse((await medmake(['run', '--json'], { cwd })).stdout) as never
    await run()
    // A third judge: his judgements and the jury's metric, and none of the other metrics.
    writeFiles(cwd, { 'benchmarks/summaries/benchmark.yaml': shortYaml(judgedBy(JUDGES)) })
    const judged = await explained()
    const added = await run()
    expect(judged.calls).toBe(ROWS - 1)
    expect(added.providerCalls).toBe(ROWS - 1)
    // The jury's metric alone, of the answer that nobody judges, too.
    expect(judged.stages['metrics']?.execute).toBe(ROWS)
    expect(added.stages['metrics']?.executed).toBe(ROWS)
    expect(judged.stages['metrics']?.cached).toBe(added.stages['metrics']?.cached)

    // One more metric: only its values are made.
    writeFiles(cwd, {
      'benchmarks/summaries/benchmark.yaml': shortYaml({
        ...judgedBy(JUDGES),
        metrics: ['exact_match', 'rouge_l', 'jury_score'],
      }),
    })
    const plan = await explained()
    const told = await run()
    for (const stage of ['prompts', 'completions', 'annotations', 'metrics'])
      expect([stage, plan.stages[stage]?.execute, plan.stages[stage]?.cached]).toEqual([
        stage,
        told.stages[stage]?.executed,
        told.stages[stage]?.cached,
      ])
    expect(told.stages['metrics']?.executed).toBe(2 * ROWS)
  })

  it('counts judges’ replies that another run paid for, and tells all runs of a suite', async () => {
    const server = await fakeServer({
      answer: ({ model }) =>
        JUDGES.includes(model) ? '{"accuracy": {"score": 4, "explanation": "."}}' : 'the same answer',
    })
    const price = (name: string): string =>
      `  - { deployment: ${name}, input: 1000000, output: 0, date: 2026-01-01, source: contract }\n`
    const cwd = createWorkspace({
      'models/fake.yaml': modelsYaml(server, ['fake/a', 'fake/ab', ...JUDGES]),
      'models/prices.yaml': `prices:\n${['fake/a', 'fake/ab', ...JUDGES].map(price).join('')}`,
      ...benchmark('note,correct_answer\none,yes\ntwo,yes\n'),
      'targets/main.conf':
        'entries: [{description: "summaries:model=fake/a"}, {description: "summaries:model=fake/ab"}]',
    })
    expect(await medmake(['run'], { cwd })).toMatchObject({ code: 0 })
    // Two answers a model, and each answer's two judgements once.
    expect(server.journal().requests).toBe(8)
    const { stdout, stderr } = await medmake(['explain', 'main', '--json'], { cwd })
    const told = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line) as { readonly run: string; readonly cost: Record<string, number> })
    expect(
      told.map(({ run }) => run),
      stderr,
    ).toEqual(['summaries:model=fake_a', 'summaries:model=fake_ab'])
    for (const { cost } of told) {
      expect(cost).toMatchObject({ calls: 6, unrecorded: 0 })
      expect(cost['usd']).toBeCloseTo(cost['again'] ?? NaN, 6)
    }
    // A name that another one begins with is that run's alone.
    const one = await medmake(['explain', 'summaries:model=fake_a', '--json'], { cwd })
    expect(one.stdout.trim().split('\n')).toEqual(stdout.split('\n').slice(0, 1))
  })
})
