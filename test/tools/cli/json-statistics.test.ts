import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { fullYaml } from '../../rig/full-yaml.ts'
import { fakeServer, modelsYaml } from '../../rig/fake-server.ts'
import { medmake } from '../../rig/medmake.ts'
import { RUBRIC } from '../../rig/short-benchmark.ts'
import { createWorkspace, type Files } from '../../rig/workspace.ts'
import { answer } from '../../targets/statistics/oracle.ts'
import { departure } from '../../targets/statistics/oracle/departure.ts'

const MODELS = ['fake/a', 'fake/b', 'fake/c']
const JUDGES = ['fake/one', 'fake/two']
const ROWS = 24

/** Visits, six patients' where `cluster` says so. */
const visits = (name: string, cluster?: string): Files => ({
  [`benchmarks/${name}/data.csv`]: `question,answer,patient\n${Array.from(
    { length: ROWS },
    (_, row) => `visit ${row} of ${name}?,${row % 3 === 0 ? 'A' : 'B'},p${row % 6}\n`,
  ).join('')}`,
  [`benchmarks/${name}/benchmark.yaml`]: fullYaml({
    name,
    input: '{question}',
    ...(cluster === undefined ? {} : { cluster }),
  }),
})

const NOTES: Files = {
  'benchmarks/notes/benchmark.yaml': `name: notes
description: Short answers that a jury reads.
access: public
prompt_file: prompt.txt
dataset_file: data.csv
max_tokens: 20
coverage_floor: 0.5
metrics:
  - name: jury_score
    scale: [1, 5]
    prompt_file: rubric.txt
    judges: [${JUDGES.map((name) => `{name: ${name}, model_name: ${name}}`).join(', ')}]
`,
  'benchmarks/notes/prompt.txt': 'Read: {note}',
  'benchmarks/notes/rubric.txt': RUBRIC,
  'benchmarks/notes/data.csv': `note,correct_answer\n${Array.from({ length: ROWS }, (_, row) => `visit ${row} of notes,x\n`).join('')}`,
}

const rowOf = (text: string): number => Number(/visit (\d+)/.exec(text)?.[1])

/** What a model answers to a row, and what a judge gives it; undefined: nothing that could be read. */
const isRight = (model: string, row: number): boolean => (row * (3 + MODELS.indexOf(model))) % 7 < 4
const score = (judge: string, model: string, row: number): number | undefined =>
  model === 'fake/b' && judge === 'fake/two' && row % 8 === 0
    ? undefined
    : 1 + ((row * 3 + MODELS.indexOf(model) * 2 + JUDGES.indexOf(judge)) % 5)

let root = ''
const json = async <T>(...args: readonly string[]): Promise<T> => {
  const { stdout, stderr } = await medmake(args, { cwd: root })
  if (stdout === '') throw new Error(stderr)
  return JSON.parse(stdout) as T
}

beforeAll(async () => {
  const server = await fakeServer({
    answer: ({ model, prompt }) => {
      const row = rowOf(prompt)
      if (JUDGES.includes(model)) {
        const given = score(model, /fake\/\w/.exec(prompt)?.[0] ?? '', row)
        return given === undefined ? 'no JSON' : `{"accuracy": {"score": ${given}, "explanation": ""}}`
      }
      if (prompt.includes('of notes')) return `${model} on visit ${row}`
      return isRight(model, row) === (row % 3 === 0) ? 'A' : 'B'
    },
  })
  root = createWorkspace({
    'models/fake.yaml': modelsYaml(server, [...MODELS, ...JUDGES]),
    ...visits('plain'),
    ...visits('wards', 'patient'),
    ...visits('clinics', 'patient'),
    ...NOTES,
    'targets/main.conf': `entries: [${['plain', 'wards', 'clinics', 'notes'].flatMap((name) => MODELS.map((model) => `{description: "${name}:model=${model}"}`)).join('\n')}]`,
  })
  await medmake(['run', 'main'], { cwd: root })
})

/** A run's values by row, as HELM's files hold them; null where a judge could not be read. */
const valuesOf = (benchmark: string, model: string): readonly (number | null)[] => {
  const name = `${benchmark}:model=${model.replace('/', '_')}`
  const file = (of: string): string =>
    readFileSync(join(root, 'benchmark_output/runs/main', name, `${of}.json`), 'utf8')
  const states = JSON.parse(file('scenario_state')) as {
    readonly request_states: readonly {
      readonly instance: { readonly id: string; readonly input: { readonly text: string } }
    }[]
  }
  const stats = JSON.parse(file('per_instance_stats')) as readonly {
    readonly instance_id: string
    readonly stats: readonly { readonly name: { readonly name: string }; readonly mean: number }[]
  }[]
  const metric = benchmark === 'notes' ? 'jury_score' : 'exact_match'
  const values: (number | null)[] = []
  for (const { instance } of states.request_states) {
    const own = stats.find(({ instance_id: id }) => id === instance.id)
    const row = rowOf(instance.input.text)
    const isUnread = benchmark === 'notes' && JUDGES.some((judge) => score(judge, model, row) === undefined)
    values[row] = isUnread ? null : (own?.stats.find(({ name }) => name.name === metric)?.mean ?? NaN)
  }
  return values
}

const SOURCES = Array.from({ length: ROWS }, (_, row) => `p${row % 6}`)
const count = (values: readonly unknown[], wanted: unknown): number =>
  values.filter((value) => value === wanted).length

interface Ends {
  readonly low: number
  readonly high: number
}
const answers = Array.from({ length: 60 }, (_, at) => at)
const HEADER = 'rater,instance_id,benchmark,model,accuracy,jury_accuracy'
type Fields = Parameters<typeof departure>[0]

const near = (got: Ends | null | undefined, wanted: unknown): void => {
  const { low, high } = wanted as Ends
  expect(got?.low).toBeCloseTo(low, 11)
  expect(got?.high).toBeCloseTo(high, 11)
}

interface Board {
  readonly boards: readonly {
    readonly benchmarks: readonly { readonly name: string }[]
    readonly rows: readonly {
      readonly model: { readonly deployment: string }
      readonly cells: readonly {
        readonly interval: Ends | null
        readonly strict: number | null
        readonly bounds: Ends | null
      }[]
      readonly rank: { readonly average: { readonly interval: Ends | null } | null } | null
    }[]
  }[]
}

describe('the numbers that users read are those of the reference’s methods', () => {
  it('on the board', async () => {
    const { boards } = await json<Board>('report', 'main', '--json')
    const [board] = boards
    expect(board?.rows).toHaveLength(MODELS.length)
    for (const { model, cells } of board?.rows ?? [])
      for (const [column, { name }] of (board?.benchmarks ?? []).entries()) {
        const values = valuesOf(name, model.deployment)
        const cell = cells[column]
        const common = { confidence: 0.95, ...(name === 'notes' ? { lo: 1, hi: 5 } : { lo: 0, hi: 1 }) }
        if (name === 'plain')
          near(cell?.interval, answer('mean.binary', { successes: count(values, 1), n: ROWS, ...common }))
        else if (name === 'notes') near(cell?.interval, answer('missing.mean', { values, ...common }))
        else near(cell?.interval, answer('mean.clustered', { values, sources: SOURCES, ...common }))
      }
  })

  it('of a comparison', async () => {
    interface Compared {
      readonly comparisons: readonly {
        readonly benchmark: string
        readonly result: { readonly p: number; readonly holm: number; readonly interval: Ends } | null
      }[]
    }
    const [a, b] = ['fake/a', 'fake/b'] as const
    const { comparisons } = await json<Compared>('compare', a, b, '--suite', 'main', '--format', 'json')
    expect(comparisons).toHaveLength(4)
    for (const { benchmark, result } of comparisons) {
      const [left, right] = [valuesOf(benchmark, a), valuesOf(benchmark, b)]
      const pair = { a: left, b: right, confidence: 0.95 }
      const wanted =
        benchmark === 'plain'
          ? answer('paired.binary', {
              only_a: left.filter((value, at) => value === 1 && right[at] === 0).length,
              only_b: left.filter((value, at) => value === 0 && right[at] === 1).length,
              n: ROWS,
              confidence: 0.95,
            })
          : benchmark === 'notes'
            ? answer('missing.difference', { ...pair, lo: 1, hi: 5 })
            : answer('paired.runs', {
                runs: [{ benchmark, lo: 0, hi: 1, ...pair, sources: SOURCES }],
                confidence: 0.95,
              })
      near(result?.interval, wanted)
      const { p = NaN, p_mid: mid = p } = wanted as { readonly p?: number; readonly p_mid?: number }
      expect(result?.p).toBeCloseTo(mid, 11)
    }
    const { adjusted } = answer('holm', { p: comparisons.map(({ result }) => result?.p) }) as {
      readonly adjusted: readonly number[]
    }
    for (const [at, { result }] of comparisons.entries())
      expect(result?.holm).toBeCloseTo(adjusted[at] ?? NaN, 11)
  })

  it('of agreement with clinicians', async () => {
    const raters = ['r1', 'r2', 'r3']
    const given = (rater: number, at: number): number => 1 + ((at * (rater + 2) + (at % 4)) % 5)
    const jury = Object.fromEntries(answers.map((at) => [`${at}`, 1 + ((at * 3) % 5)]))
    const ratings = Object.fromEntries(
      raters.map((name, rater) => [
        name,
        Object.fromEntries(
          answers.flatMap((at) => (at % 7 === rater ? [] : [[`${at}`, given(rater, at)] as const])),
        ),
      ]),
    )
    const lines = raters.flatMap((rater) =>
      Object.entries(ratings[rater] ?? {}).map(
        ([at, value]) => `${rater},${at},notes,m,${value},${jury[at]}`,
      ),
    )
    writeFileSync(join(root, 'ratings.csv'), `${HEADER}\n${lines.join('\n')}\n`)
    interface Agreement {
      readonly agreement: readonly {
        readonly clinicians: { readonly icc: { readonly value: number }; readonly pairs: object }
        readonly jury: { readonly icc: { readonly value: number }; readonly lead: { readonly value: number } }
        readonly replacement: object
      }[]
    }
    const { agreement } = await json<Agreement>('agreement', 'ratings.csv', '--json')
    const wanted = answer('agreement.pairwise_icc', { ratings, jury }) as Fields
    const [found] = agreement
    const flat = {
      clinicians: found?.clinicians.icc.value,
      pairs: found?.clinicians.pairs,
      jury: found?.jury.icc.value,
      difference: found?.jury.lead.value,
    }
    expect(departure(wanted, flat)).toBeUndefined()
    const replaced = answer('alternative_annotator', {
      ratings,
      jury,
      epsilon: 0.2,
      score: 'neg_rmse',
      q: 0.05,
      least: 30,
    }) as Fields
    const { raters: tested, winning_rate: winningRate, passes } = replaced
    expect(departure({ raters: tested, winningRate, passes }, found?.replacement)).toBeUndefined()
    expect(winningRate).not.toBeNull()
  })

  it('of a jury that a few labels put right', async () => {
    const labelled = 10
    const label = (model: string, row: number): number => 1 + ((row * 5 + MODELS.indexOf(model)) % 4)
    const rows = MODELS.flatMap((model) =>
      answers
        .slice(0, labelled)
        .map((row) => `r1,id${row},notes,${model.replace('/', '_')},${label(model, row)}`),
    )
    writeFileSync(
      join(root, 'labels.csv'),
      `rater,instance_id,benchmark,model,accuracy\n${rows.join('\n')}\n`,
    )
    interface Calibrated {
      readonly value: number
      readonly interval: Ends | null
      readonly lambda: number
    }
    const { calibrations } = await json<{
      readonly calibrations: readonly {
        readonly models: readonly (Calibrated & { readonly model: string })[]
        readonly pairs: readonly (Calibrated & { readonly a: string; readonly b: string })[]
      }[]
    }>('jury', 'calibrate', 'labels.csv', '--suite', 'main', '--json')
    const [found] = calibrations
    const sideOf = (model: string) => {
      const values = valuesOf('notes', model)
      const [rated, open] = [answers.slice(0, labelled), answers.slice(labelled, ROWS)]
      return {
        labels: rated.map((row) => label(model, row)),
        predictions: rated.map((row) => values[row]),
        unlabelled: open.map((row) => values[row]),
      }
    }
    type Corrected = Readonly<Record<'estimate' | 'lam' | 't_low' | 't_high', number>>
    const held = (got: Calibrated | undefined, wanted: Corrected): void => {
      expect([got?.value, got?.lambda]).toEqual([
        expect.closeTo(wanted.estimate, 11),
        expect.closeTo(wanted.lam, 11),
      ])
      near(got?.interval, { low: wanted.t_low, high: wanted.t_high })
    }
    // Of b's answers some were read by one judge alone, which HELM's files fill.
    const whole = (model: string): boolean => model !== 'fake/b'
    for (const each of found?.models.filter(({ model }) => whole(model)) ?? [])
      held(each, answer('ppi.plus', { ...sideOf(each.model), confidence: 0.95 }) as Corrected)
    expect(found?.pairs).toHaveLength(3)
    for (const each of found?.pairs.filter((pair) => whole(pair.a) && whole(pair.b)) ?? []) {
      const [a, b] = [sideOf(each.a), sideOf(each.b)]
      const wanted = answer('ppi.paired', {
        labels_a: a.labels,
        labels_b: b.labels,
        predictions_a: a.predictions,
        predictions_b: b.predictions,
        unlabelled_a: a.unlabelled,
        unlabelled_b: b.unlabelled,
        confidence: 0.95,
      })
      held(each, wanted as Corrected)
    }
  })

  it('of an analysis', async () => {
    const { analyses } = await json<{
      readonly analyses: readonly {
        readonly models: readonly string[]
        readonly standings: readonly { readonly model: string; readonly winRate: number }[]
        readonly heatmap: readonly { readonly benchmark: string; readonly values: readonly number[] }[]
      }[]
    }>('analyze', 'main', '--json')
    const [found] = analyses
    const { win_rate: wanted } = answer('win_rate.shares', {
      scores: found?.models.map((_, at) => found.heatmap.map(({ values }) => values[at] ?? null)),
    }) as { readonly win_rate: readonly number[] }
    expect(found?.heatmap).toHaveLength(4)
    for (const [at, { winRate }] of (found?.standings ?? []).entries())
      expect(winRate).toBeCloseTo(wanted[at] ?? NaN, 11)
    for (const { benchmark, values } of found?.heatmap ?? [])
      if (benchmark !== 'notes')
        for (const [at, model] of (found?.models ?? []).entries()) {
          const own = valuesOf(benchmark, MODELS.find((name) => model.includes(name.slice(5))) ?? '')
          expect(values[at]).toBeCloseTo(count(own, 1) / ROWS, 11)
        }
  })

  it('of a plan', async () => {
    const { plans } = await json<{ readonly plans: readonly { readonly detectable: number }[] }>(
      'power',
      '--json',
      '--instances',
      '200',
      '--discordant',
      '0.15',
    )
    const wanted = answer('power.mid_p', { n: 200, discordant: 0.15, alpha: 0.05, power: 0.8 }) as {
      readonly mde: number
    }
    expect(plans[0]?.detectable).toBeCloseTo(wanted.mde, 9)
  })
})
