import { describe, expect, test } from 'vitest'
import { ADAPTER_DEFAULTS } from '../../../benchmarks/scenario/adapter-spec.ts'
import type { ObjectSpec } from '../../../benchmarks/scenario/benchmark.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { digestOf } from '../../../cache/values/digest.ts'
import {
  hasSourceKey,
  readComparedRun,
  type ComparedRun,
  type ComparisonOptions,
} from '../../../targets/compare/compared-run.ts'
import type { InstanceValues } from '../../../targets/record/coverage.ts'
import type { BoardMetric } from '../../../targets/runs/board-metric.ts'
import type { ReadState } from '../../../targets/runs/read-state.ts'
import type { AskedInstance, Run } from '../../../targets/runs/run.ts'

const EM: BoardMetric = {
  name: 'em',
  split: 'test',
  displayName: 'em',
  description: '',
  isBinary: false,
  lowerIsBetter: false,
  range: { low: 0, high: 1 },
}

const JURY: ObjectSpec = {
  className: 'helm.LLMJuryMetric',
  args: new Map<string, PyValue>([['metric_name', 'jury_score']]),
}

type Stat = InstanceValues['stats'][number]

const stat = (name: string, value: number, more: Partial<Stat['name']> = {}): Stat => ({
  name: { name, split: 'test', ...more },
  count: 1,
  sum: value,
})

const valuesOf = (id: string, trial: number, ...stats: readonly Stat[]): InstanceValues => ({
  instanceId: id,
  trainTrialIndex: trial,
  stats,
})

const asked = (
  id: string,
  more: Partial<AskedInstance> & { readonly ward?: PyValue } = {},
): AskedInstance => ({
  id,
  split: 'test',
  digest: digestOf(id),
  body: () => ({
    references: [],
    extraData: new Map<string, PyValue>(more.ward === undefined ? [] : [['ward', more.ward]]),
  }),
  ...more,
})

interface Sketch extends Partial<Omit<Run, 'benchmark' | 'requests' | 'asked'>> {
  readonly main?: BoardMetric
  readonly instances: readonly AskedInstance[]
  readonly values?: readonly InstanceValues[]
  readonly states?: readonly ReadState[]
  readonly trials?: number
  readonly unread?: readonly string[]
}

const runOf = ({ main = EM, instances, values = [], states = [], ...sketch }: Sketch): Run => ({
  name: 'ward:model=m',
  suite: 's',
  groups: [],
  scenario: { className: 'Ward', args: new Map() },
  metrics: [],
  adapter: { ...ADAPTER_DEFAULTS, method: 'generation', model: 'm', modelDeployment: 'm' },
  stats: [],
  ownStats: [],
  model: { name: 'm', deployment: 'm', displayName: 'm', creator: '', access: 'open' },
  benchmark: {
    name: 'ward',
    displayName: 'Ward',
    description: '',
    access: 'public',
    mainMetric: main,
    coverageFloor: 0.99,
  },
  causes: {},
  failures: [],
  source: '',
  coverage: async () => ({ evaluated: instances.length, measured: instances.length }),
  measured: () => Promise.reject(new Error('comparisons read values themselves')),
  ...sketch,
  requests: async () => ({ states: () => states, values: () => values, sources: new Map() }),
  asked: async () => ({
    instances,
    trials: sketch.trials ?? 1,
    unread: async () => new Set(sketch.unread),
    results: 'as recorded',
    resultsById: () => new Map(instances.map(({ id }) => [String(id), `of ${id}`])),
  }),
})

/** By instance, what is compared of it. */
const table = ({ ids, values }: ComparedRun): Readonly<Record<string, Readonly<Record<string, number>>>> =>
  Object.fromEntries(
    ids.map((id, at) => [
      id,
      Object.fromEntries(
        [...values].flatMap(([name, own]) => {
          const value = own[at] ?? NaN
          return Number.isNaN(value) ? [] : [[name, value]]
        }),
      ),
    ]),
  )

const two = [asked('a'), asked('b')]

describe('of a run are compared', () => {
  test('means of an instance where it was asked in several trials, and else its one value', async () => {
    const meansOf = async (numTrainTrials: number): Promise<boolean | undefined> => {
      const adapter = {
        ...ADAPTER_DEFAULTS,
        method: 'generation',
        model: 'm',
        modelDeployment: 'm',
        numTrainTrials,
      }
      const values = two.map(({ id }) => valuesOf(String(id), 0, stat('em', 1)))
      return (await readComparedRun(runOf({ instances: two, values, adapter }), { besides: [] })).areMeans
    }
    expect([await meansOf(1), await meansOf(2)]).toEqual([false, true])
  })

  test('values of the main metric’s split that no perturbation made, and instances of that split', async () => {
    const run = await readComparedRun(
      runOf({
        instances: [...two, asked('other', { split: 'valid' })],
        values: [
          valuesOf(
            'a',
            0,
            stat('em', 1),
            stat('em', 0, { split: 'valid' }),
            stat('em', 0, { perturbation: {} }),
          ),
          valuesOf('b', 0, stat('em', 0.5), stat('elsewhere', 1)),
          valuesOf('other', 0, stat('em', 1, { split: 'valid' })),
        ],
      }),
      { besides: [] },
    )
    expect(table(run)).toEqual({ a: { em: 1 }, b: { em: 0.5 } })
    expect(run).toMatchObject({ mainMetric: 'em', main: EM, results: 'as recorded', coverageFloor: 0.99 })
    expect([...run.coverage.keys()]).toEqual(['em'])
  })

  test('means over all trials, and none of an instance that lacks one or has one that is no number', async () => {
    const run = await readComparedRun(
      runOf({
        instances: [...two, asked('c')],
        trials: 2,
        values: [
          valuesOf('a', 0, stat('em', 1)),
          valuesOf('a', 1, stat('em', 0.5)),
          valuesOf('b', 0, stat('em', 1)),
          valuesOf('c', 0, stat('em', 1)),
          valuesOf('c', 1, stat('em', Infinity)),
        ],
      }),
      { besides: [] },
    )
    expect(table(run)).toEqual({ a: { em: 0.75 }, b: {}, c: {} })
  })

  test('ends of the scale where values passed them by rounding, and what is farther off as it is', async () => {
    const scores = { a: 1.000_000_1, b: -0.000_000_9, c: 1.000_002, d: 0.999_999_9 }
    const run = await readComparedRun(
      runOf({
        instances: Object.keys(scores).map((id) => asked(id)),
        values: Object.entries(scores).map(([id, score]) =>
          valuesOf(id, 0, stat('em', score), stat('open', 7)),
        ),
      }),
      { besides: ['open'] },
    )
    expect(table(run)).toEqual({
      a: { em: 1, open: 7 },
      b: { em: 0, open: 7 },
      c: { em: 1.000_002, open: 7 },
      d: { em: 0.999_999_9, open: 7 },
    })
  })

  test('no default for judges that could not be read, and what else is known of that answer', async () => {
    const judged = await readComparedRun(
      runOf({
        main: { ...EM, name: 'jury_score', range: { low: 1, high: 5 } },
        metrics: [JURY],
        instances: two,
        unread: ['b'],
        values: [
          valuesOf('a', 0, stat('jury_score', 4), stat('em', 1)),
          valuesOf('b', 0, stat('jury_score', 1), stat('em', 1)),
        ],
      }),
      { besides: ['em'] },
    )
    expect(table(judged)).toEqual({ a: { jury_score: 4, em: 1 }, b: { em: 1 } })
    // What could be read needs no more than its value.
    expect(judged.instances.map(({ results }) => results)).toEqual([undefined, 'of b'])
  })

  test('what came of an instance where a metric of any kind has no value of it, or of none', async () => {
    const told = async (...values: NonNullable<Sketch['values']>) =>
      (await readComparedRun(runOf({ instances: two, values }), { besides: [] })).instances.map(
        ({ results }) => results,
      )
    expect(await told(valuesOf('a', 0, stat('em', 1)))).toEqual([undefined, 'of b'])
    expect(await told(valuesOf('a', 0, stat('em', 1)), valuesOf('b', 0, stat('em', 0)))).toEqual([
      undefined,
      undefined,
    ])
    expect(await told()).toEqual(['of a', 'of b'])
  })

  test('a margin and what is declared of the main metric, unless another stands in its place', async () => {
    const run = runOf({
      margin: 0.1,
      instances: two,
      values: [valuesOf('a', 0, stat('em', 1), stat('f1', 0.5))],
    })
    expect(await readComparedRun(run, { besides: ['f1'] })).toMatchObject({ margin: 0.1, main: EM })
    const other = await readComparedRun(run, { metric: 'f1', besides: [] })
    expect(other.mainMetric).toBe('f1')
    expect(other.margin).toBeUndefined()
    expect(other.main).toBeUndefined()
    expect([...other.coverage]).toEqual([['f1', { evaluated: 2, measured: 1 }]])
  })

  test('a judged metric beside the main one as far as its judges count, no more than were asked', async () => {
    const run = runOf({
      metrics: [JURY],
      instances: two,
      coverage: async () => ({ evaluated: 2, measured: 2 }),
      trials: 2,
      ownStats: [{ name: { name: 'jury_coverage', split: 'test' }, count: 4, sum: 3 }],
      values: ['a', 'b'].flatMap((id) =>
        [0, 1].map((trial) => valuesOf(id, trial, stat('jury_score', 3), stat('em', 1))),
      ),
    })
    const { coverage } = await readComparedRun(run, { besides: ['jury_score'] })
    expect(coverage.get('jury_score')).toEqual({
      evaluated: 2,
      measured: 2,
      judgements: { wanted: 4, read: 3 },
    })
  })

  test('own values of judges where they are asked for, those that they gave', async () => {
    const state = (id: string, value: number | null): ReadState => ({
      instance: { id, split: 'test', input: { text: id }, references: [] },
      trainTrialIndex: 0,
      request: {
        model: 'm',
        modelDeployment: 'm',
        prompt: id,
        temperature: 0,
        numCompletions: 1,
        topKPerToken: 1,
        maxTokens: 1,
        stopSequences: [],
      },
      ownPoints: () => [{ name: 'jury_score_strict', value, float: true }],
    })
    const run = await readComparedRun(
      runOf({
        scale: { least: 1, most: 5 },
        instances: two,
        states: [
          state('a', 4),
          state('b', null),
          { ...state('a', 2), instance: { ...state('a', 2).instance, split: 'valid' } },
        ],
      }),
      { metric: 'jury_score_strict', besides: [] },
    )
    expect(table(run)).toEqual({ a: { jury_score_strict: 4 }, b: {} })
    expect(run.metrics[0]?.range).toEqual({ low: 1, high: 5 })
  })

  test('sources by the key that is asked for, else those that the benchmark names', async () => {
    const run = runOf({
      instances: [
        asked('a', { cluster: 'p1', ward: 'north' }),
        asked('b', { cluster: 'p2', ward: null }),
        asked('c'),
      ],
      values: [valuesOf('a', 0, stat('em', 1))],
    })
    const sourcesBy = async (clusterBy?: string) =>
      (await readComparedRun(run, { besides: [], ...(clusterBy && { clusterBy }) })).clusters
    expect(await sourcesBy()).toEqual(['source p1', 'source p2', 'id c'])
    expect(await sourcesBy('ward')).toEqual(['source ward north', 'id b', 'id c'])
    // A key that the run has not leaves it those that it has.
    expect(await sourcesBy('unit')).toEqual(['source p1', 'source p2', 'id c'])
    const by = (clusterBy: string) => readComparedRun(run, { besides: [], clusterBy })
    expect(hasSourceKey(await by('ward'), 'ward')).toBe(true)
    expect(hasSourceKey(await by('unit'), 'unit')).toBe(false)
  })
})

const DECLARED: NonNullable<ComparisonOptions['acrossSources']> = {
  deployment: {
    name: 'm',
    modelName: 'm',
    client: { className: 'medmake.chat', args: { model: 'm' } },
    deprecated: false,
    limits: {},
    file: '',
  },
  key: { annotations: null, metrics: [] },
}

test('runs of two sources have one digest where they were asked and answered the same, in whatever order', async () => {
  const state = (id: string, text: string): ReadState => ({
    instance: { id, split: 'test', input: { text: `question ${id}` }, references: [] },
    trainTrialIndex: 0,
    request: {
      model: 'm',
      modelDeployment: 'm',
      prompt: '',
      temperature: 0,
      numCompletions: 1,
      topKPerToken: 1,
      maxTokens: 1,
      stopSequences: [],
    },
    result: { success: true, completions: [{ text }] },
  })
  const digest = async (
    states: readonly ReadState[],
    value = 1,
    declared: Partial<NonNullable<ComparisonOptions['acrossSources']>> = {},
  ): Promise<string | undefined> => {
    const values = [valuesOf('a', 0, stat('em', value)), valuesOf('b', 0, stat('em', 0))]
    return (
      await readComparedRun(runOf({ instances: two, states, values }), {
        besides: [],
        acrossSources: { ...DECLARED, ...declared },
      })
    ).results
  }
  const whole = await digest([state('a', 'yes'), state('b', 'no')])
  expect(await digest([state('b', 'no'), state('a', 'yes')])).toBe(whole)
  expect(await digest([state('a', 'no'), state('b', 'yes')])).not.toBe(whole)
  expect(await digest([state('a', 'yes'), state('b', 'no')], 0)).not.toBe(whole)
  // What was asked for in another way was asked anew, though it reads the same.
  const long = { ...state('a', 'yes'), request: { ...state('a', 'yes').request, maxTokens: 2 } }
  expect(await digest([long, state('b', 'no')])).not.toBe(whole)
  const as = (declared: Partial<typeof DECLARED>) =>
    digest([state('a', 'yes'), state('b', 'no')], 1, declared)
  expect(await as({ deployment: { ...DECLARED.deployment, name: 'n' } })).not.toBe(whole)
  expect(await as({ key: { annotations: { judges: ['j'] }, metrics: [] } })).not.toBe(whole)
  expect(await as({ key: { ...DECLARED.key, completions: { maxTokens: 1 } } })).toBe(whole)
})
