import { beforeAll, describe, expect, it } from 'vitest'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { createWorkspace } from '../../rig/workspace.ts'

const ROWS = 12

const JUDGE = 'fake/judge'

/** Answers are right or wrong; their judge gives them 5 and 1. */
const benchmark = (main: string): string => `name: visits
description: Invented.
access: public
coverage_floor: 0.5
protocols:
  - version: medmake-1
    arguments: { words: { default: plain } }
    data:
      letters: { path: letters.csv, format: csv }
    instances:
      - from: letters
        split: test
        input: "{words}: {question}\\n"
        references: [{ text: yes, correct: true }]
    adapter: { method: generation, max_train_instances: 0, max_tokens: 4 }
    metrics: [exact_match, llm_jury]
    main_metric: { name: ${main}, split: test }
    jury:
      rubric: judge.txt
      scale: [1, 5]
      criteria: { accuracy: [score, explanation] }
`

/** Of twelve answers in these words the first so many are right; undefined: none could be judged. */
type Right = Readonly<Record<string, Readonly<Record<string, number | undefined>>>>

const workspace = async (right: Right, main = 'exact_match'): Promise<string> => {
  const server = await fakeServer({
    answer: ({ model, prompt }) => {
      if (model === JUDGE)
        return prompt.includes('unclear')
          ? 'no JSON'
          : `{"accuracy": {"score": ${prompt.includes('yes') ? 5 : 1}, "explanation": ""}}`
      const [, words = '', row = ''] = /(\w+): visit (\d+)/.exec(prompt) ?? []
      const known = right[model]?.[words]
      return known === undefined ? 'unclear' : Number(row) < known ? 'yes' : 'no'
    },
  })
  const entries = Object.entries(right).flatMap(([model, own]) =>
    Object.keys(own).map((words) => `{description: "visits:words=${words},model=${model}"}`),
  )
  const rows = Array.from({ length: ROWS }, (_, row) => `visit ${row}`)
  const root = createWorkspace({
    'benchmarks/visits/benchmark.yaml': benchmark(main),
    'benchmarks/judges.yaml': `judges: [{name: judge, model: ${JUDGE}, model_deployment: ${JUDGE}}]\n`,
    'benchmarks/visits/judge.txt':
      'Of {QUESTION}, is {RESPONSE} right?\n{"accuracy": {"score": 0, "explanation": "why"}}\n',
    'benchmarks/visits/letters.csv': `question\n${rows.join('\n')}\n`,
    'models/fake.yaml': modelsYaml(server, [...Object.keys(right), JUDGE]),
    'targets/main.conf': `entries: [${entries.join(', ')}]`,
  })
  expect(await medmake(['run'], { cwd: root })).toMatchObject({ code: 0 })
  return root
}

interface Told {
  /** By model. */
  readonly board: Readonly<Record<string, readonly [score: number | null, place: number | undefined]>>
  readonly compared: readonly string[]
  readonly texts: string
  readonly ranking: string
}

const told = async (cwd: string): Promise<Told> => {
  const [json, texts, compared, ranking] = [
    await medmake(['report', '--json'], { cwd }),
    await medmake(['report'], { cwd }),
    await medmake(['compare', '--format', 'json'], { cwd }),
    await medmake(['compare'], { cwd }),
  ]
  const { boards } = JSON.parse(json.stdout) as {
    boards: readonly {
      rows: readonly {
        model: { deployment: string }
        cells: readonly { score: number | null; place: { rank: number } | null }[]
      }[]
    }[]
  }
  const [found] = JSON.parse(compared.stdout) as readonly {
    ranking: { models: readonly { name: string }[] }
  }[]
  return {
    board: Object.fromEntries(
      boards[0]?.rows.map(({ model, cells: [cell] }) => [
        model.deployment,
        [cell?.score ?? null, cell?.place?.rank],
      ]) ?? [],
    ),
    compared: found?.ranking.models.map(({ name }) => name) ?? [],
    texts: texts.stdout,
    ranking: ranking.stdout,
  }
}

describe('models that were run on different parts of a benchmark', () => {
  it('are ranked by what more than half of them have, and a further prompt of one unranks nobody', async () => {
    const found = await told(
      await workspace({
        'fake/a': { plain: 6, long: 12 },
        'fake/b': { plain: 9 },
        'fake/c': { plain: 3 },
      }),
    )
    expect(found.board).toEqual({ 'fake/b': [0.75, 1], 'fake/a': [0.5, 2], 'fake/c': [0.25, 3] })
    expect(found.compared).toEqual(['fake/b', 'fake/a', 'fake/c'])
    expect(found.texts).toContain('fake/a, visits: 1 run left out, which too few models have')
    expect(found.ranking).toContain('Left out of visits, as too few models have it: visits:words=long.')
  })

  it('are not ranked side by side where each lacks another one', async () => {
    const found = await told(
      await workspace({ 'fake/a': { plain: 6, long: 12 }, 'fake/b': { plain: 9, short: 12 } }),
    )
    expect(found.board).toEqual({ 'fake/b': [0.75, 1], 'fake/a': [0.5, 2] })
    const apart = await told(await workspace({ 'fake/a': { plain: 6 }, 'fake/b': { short: 12 } }))
    expect(apart.board).toEqual({ 'fake/a': [0.5, undefined], 'fake/b': [1, undefined] })
    expect(apart.compared).toEqual([])
    expect(apart.texts).toContain('~ fake/b, visits: unranked: 1 run of the benchmark missing')
    expect(apart.ranking).toContain('Not ranked: fake/a in visits: 1 run of the benchmark missing.')
  })
})

describe('a model of which one of several runs has no answer that could be read', () => {
  let found: Told
  beforeAll(async () => {
    const whole = { plain: 6, long: 6, short: 6 }
    found = await told(
      await workspace(
        { 'fake/a': { ...whole, long: undefined }, 'fake/b': whole, 'fake/c': { ...whole, plain: 12 } },
        'visits_accuracy',
      ),
    )
  })

  it('is not ranked at a low floor: a mean over the others is over other questions', () => {
    expect(found.board).toEqual({ 'fake/c': [11 / 3, 1], 'fake/b': [3, 2], 'fake/a': [null, undefined] })
    expect(found.texts).toContain('1 run without an answer that could be read')
  })

  it('is not ranked by compare either, which says why', () => {
    expect(found.compared).toEqual(['fake/c', 'fake/b'])
    expect(found.ranking).toContain(
      'Not ranked: fake/a in visits: 1 run without an answer that could be read.',
    )
  })
})
