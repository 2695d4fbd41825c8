import { beforeAll, describe, expect, it } from 'vitest'
import type { GoldReport } from '../../../targets/jury/gold-check.ts'
import type { ProbeEffect } from '../../../targets/jury/probe-effects.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { shortBenchmark } from '../../rig/short-benchmark.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const NOTES = ['fever', 'cough', 'rash', 'nausea']

type Server = Awaited<ReturnType<typeof fakeServer>>
let server: Server
let cwd = ''

const score = (accuracy: number, clarity: number): string =>
  `{"accuracy": {"score": ${accuracy}, "explanation": ""}, "clarity": {"score": ${clarity}, "explanation": ""}}`

/** fake/one likes length and all references; fake/two sees through all but the reference, and whatever criterion comes first. */
const judge = (model: string, prompt: string): string => {
  if (prompt.includes('<reference>'))
    return model === 'fake/two' && prompt.includes('reference of rash') ? '0' : '1'
  if (model === 'fake/two' && prompt.includes('beyond judgement')) return 'I would rather not say.'
  if (model === 'fake/one') return score(prompt.includes('In other words') ? 5 : 3, 3)
  const own = NOTES.filter((note) => prompt.includes(`summary of ${note}`))
  const isWhole = own.some((note) => prompt.includes(`${note} is plain`))
  return score(isWhole ? 4 : 1, prompt.indexOf('"clarity"') < prompt.indexOf('"accuracy"') ? 5 : 3)
}

beforeAll(async () => {
  server = await fakeServer({
    answer: ({ model, prompt }) => {
      if (model === 'fake/one' || model === 'fake/two') return judge(model, prompt)
      const note = NOTES.find((each) => prompt.includes(each)) ?? ''
      const end = model === 'fake/b' && note === 'nausea' ? ' beyond judgement' : ''
      return `summary of ${note} here and ${note} is plain${end}`
    },
  })
  cwd = createWorkspace({
    'models/fake.yaml': modelsYaml(server, ['fake/a', 'fake/b', 'fake/one', 'fake/two']),
    ...shortBenchmark(
      { name: 'summaries', judges: ['fake/one', 'fake/two'], metrics: ['jury_score', 'exact_match'] },
      {
        rubric:
          'Judge {RESPONSE} by {GOLD_RESPONSE}.\n<rubric_criteria>\n{"accuracy": {"score": 0, "explanation": "why"}, "clarity": {"score": 0, "explanation": "why"}}\n</rubric_criteria>\n',
        data: `note,correct_answer\n${NOTES.map((note) => `${note},reference of ${note}\n`).join('')}`,
      },
    ),
    'targets/main.conf': 'entries: [{description: "summaries:model=fake/a"}]',
    'targets/lost.conf': 'entries: [{description: "summaries:model=fake/b"}]',
  })
  const run = await medmake(['run', 'main'], { cwd })
  expect(run.code, run.stderr).toBe(0)
})

const asked = (): number => server.journal().requests

describe('medmake jury probe', () => {
  it('shows what moves each judge, and pays for a reply once', async () => {
    const before = asked()
    const dry = await medmake(['jury', 'probe', 'main', '--dry-run', '--json'], { cwd })
    // Four alterations of four answers, two judges; the answers as they came are in the store.
    expect(JSON.parse(dry.stdout)).toMatchObject({ calls: 32, judges: { 'fake/one': 16, 'fake/two': 16 } })
    expect(asked()).toBe(before)
    const { code, stdout, stderr } = await medmake(['jury', 'probe', 'main', '--json'], { cwd })
    expect(code, stderr).toBe(0)
    expect(asked()).toBe(before + 32)
    const { effects } = JSON.parse(stdout) as { readonly effects: readonly ProbeEffect[] }
    const change = new Map(effects.map(({ probe, judge: name, change: by }) => [`${probe} ${name}`, by]))
    expect(change).toEqual(
      new Map([
        ['lengthened fake/one', 1],
        ['lengthened fake/two', 0],
        ['turned fake/one', 0],
        ['turned fake/two', 1],
        ['withheld fake/one', 0],
        ['withheld fake/two', 0],
        ['corrupted fake/one', 0],
        ['corrupted fake/two', -1.5],
      ]),
    )
    const again = await medmake(['jury', 'probe', 'main', '--probes', 'corrupted'], { cwd })
    expect(again.stdout).toMatch(/corrupted +fake\/two +4 +−1\.500 /)
    expect(asked()).toBe(before + 32)
    const typo = await medmake(['jury', 'probe', 'main', '--probes', 'corupted'], { cwd })
    expect(typo.code).toBe(2)
    expect(typo.stderr).toContain('Did you mean "corrupted"?')
  })
})

describe('medmake jury gold', () => {
  it('finds references that a judge does not support, and scores the models without them', async () => {
    const before = asked()
    const { code, stdout, stderr } = await medmake(
      ['jury', 'gold', 'main', '--judge', 'fake/two', '--json'],
      { cwd },
    )
    expect(code, stderr).toBe(0)
    expect(asked()).toBe(before + NOTES.length)
    const [report] = (JSON.parse(stdout) as { readonly benchmarks: readonly GoldReport[] }).benchmarks
    expect(report).toMatchObject({ benchmark: 'summaries', judge: 'fake/two', checked: 4, unreadable: 0 })
    expect(report?.flagged).toHaveLength(1)
    expect(report?.rows).toMatchObject([{ model: 'fake/a', all: { answers: 4 }, kept: { answers: 3 } }])
    const text = await medmake(['jury', 'gold', 'main', '--judge', 'fake/two'], { cwd })
    expect(text.stdout.split('\n')).toEqual([
      'summaries: fake/two finds 1 of 4 references unsupported',
      '  model              all    without them   on them alone',
      '  fake/a  3.250 (1), n 4  3.250 (1), n 3  3.250 (1), n 1',
      '  no pair of models swaps without them',
      '  unsupported: id2',
    ])
    expect(asked()).toBe(before + NOTES.length)
    const typo = await medmake(['jury', 'gold', 'main', '--judge', 'fake/too'], { cwd })
    expect(typo.stderr).toContain('Did you mean "fake/two"?')
    const capped = await medmake(['jury', 'gold', 'main', '--max-calls', '3'], { cwd })
    expect(capped.code).toBe(4)
  })

  it('scores by what every judge could be read on, as the board and the study without each judge do', async () => {
    await medmake(['run', 'lost'], { cwd })
    const json = async (...args: readonly string[]): Promise<unknown> =>
      JSON.parse((await medmake(['jury', ...args, 'lost', '--json'], { cwd })).stdout)
    const { benchmarks } = (await json('gold')) as { readonly benchmarks: readonly GoldReport[] }
    expect(benchmarks[0]?.rows).toMatchObject([{ model: 'fake/b', all: { answers: 3, mean: 3.25 } }])
    // No reference is unsupported here, so none is scored on them alone.
    expect((await medmake(['jury', 'gold', 'lost'], { cwd })).stdout.split('\n')).toEqual([
      'summaries: fake/one finds 0 of 4 references unsupported',
      '  model              all    without them  on them alone',
      '  fake/b  3.250 (–), n 3  3.250 (–), n 3              –',
      '  Without a rank: under the floor of coverage, as on the board; in no pair that swaps.',
      '  no pair of models swaps without them',
    ])
    expect(await json('dropout')).toMatchObject({
      dropout: [{ models: [{ asked: 4, all: { score: 3.25, instances: 3 } }] }],
    })
  })
})
