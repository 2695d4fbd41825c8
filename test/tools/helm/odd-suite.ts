import { float } from '../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { ADAPTER_DEFAULTS } from '../../../benchmarks/scenario/adapter-spec.ts'
import { type HelmAdapterSpec, NO_AUGMENTATION } from '../../../tools/helm/forms/run-spec.ts'
import type { HelmRequestState } from '../../../tools/helm/forms/request-state.ts'
import type {
  HelmPerInstanceStats,
  HelmStat,
  HelmStatName,
  OtherPerturbation,
} from '../../../tools/helm/forms/stat.ts'
import type { HelmFiles } from '../../../tools/helm/write/write-run.ts'
import { sampleState } from './sample-run.ts'

/** A run directory of the odd suites. */
export interface OddRun {
  readonly suite: string
  readonly directory: string
  readonly files: HelmFiles
}

const WORST = { name: 'robustness', robustness: true, fairness: false, computedOn: 'worst' } as const

const misspellings = (on: string): OtherPerturbation => ({
  name: 'misspellings',
  computedOn: on,
  fields: new Map<string, PyValue>([
    ['name', 'misspellings'],
    ['robustness', true],
    ['fairness', false],
    ['computed_on', on],
    ['prob', 0.5],
  ]),
})

const stat = (name: HelmStatName, values: readonly number[]): HelmStat => {
  if (values.length === 0) return { name, count: 0, sum: 0, sumSquared: 0, float: false }
  const sum = values.reduce((total, value) => total + value, 0)
  const sumSquared = values.reduce((total, value) => total + value * value, 0)
  const mean = sum / values.length
  const variance = Math.max(0, sumSquared / values.length - mean * mean)
  return {
    name,
    count: values.length,
    sum,
    sumSquared,
    min: Math.min(...values),
    max: Math.max(...values),
    mean,
    variance,
    stddev: Math.sqrt(variance),
    float: true,
  }
}

const test = (name: string, more: Partial<HelmStatName> = {}): HelmStatName => ({
  name,
  split: 'test',
  ...more,
})

const statsOf = (em: readonly number[], split: boolean): readonly HelmStat[] => {
  const part = (by: number): readonly number[] => em.map((value) => value / by)
  return [
    stat(test('exact_match'), em),
    stat(test('exact_match', { perturbation: WORST }), part(2)),
    stat(test('exact_match', { perturbation: misspellings('worst') }), part(4)),
    stat(test('exact_match', { perturbation: misspellings('original') }), part(3)),
    stat(test('exact_match', { subSplit: 'young' }), part(5)),
    stat(test('exact_match', { subSplit: 'old' }), part(7)),
    ...(split ? [stat({ name: 'exact_match', split: 'valid' }, part(3))] : []),
    stat(test('inference_runtime'), [1 / (1 + em.reduce((total, value) => total + value, 0))]),
    stat(test('num_instances'), [10, 10]),
    stat(test('num_references'), [3]),
    stat(test('num_prompt_tokens'), [33.3, 44]),
    stat(test('training_co2_cost'), []),
    stat({ name: 'num_requests' }, [2]),
    stat({ name: 'num_completion_tokens' }, [5]),
    stat({ name: 'num_prompt_tokens' }, [5]),
  ]
}

interface Wanted {
  readonly suite?: string
  readonly scenario: string
  readonly args?: readonly (readonly [string, PyValue])[]
  readonly model: string
  readonly groups: readonly string[]
  readonly em: readonly number[]
  readonly extra?: readonly HelmStat[]
  readonly adapter?: Partial<HelmAdapterSpec>
  readonly states?: readonly HelmRequestState[]
  readonly perInstance?: readonly HelmPerInstanceStats[]
}

const wanted: Wanted[] = []
const models = [
  { model: 'fake/one', em: [0.1, 0.3] },
  { model: 'fake/two', em: [0.7, 0.2] },
  { model: 'fake/three', em: [0.7, 0.2] },
]
models.forEach(({ model, em }, i) => {
  const part = (by: number): readonly number[] => em.map((value) => value / by)
  const adapter = { maxTrainInstances: i }
  wanted.push(
    { scenario: 'Alpha', model, groups: ['alpha'], em },
    {
      scenario: 'Beta',
      args: [
        ['subject', 's/1'],
        ['n', 2],
      ],
      model,
      groups: ['beta', 'parent'],
      em: part(i + 1),
    },
    {
      scenario: 'Beta',
      args: [
        ['subject', 't'],
        ['n', null],
      ],
      model,
      groups: ['beta', 'parent'],
      em: part(i + 2),
    },
    {
      scenario: 'Gamma',
      args: [['a', [1, float(2)]]],
      model,
      groups: ['gamma', 'parent'],
      em: part(3),
      adapter,
    },
    { scenario: 'Gamma', args: [['a', true]], model, groups: ['gamma', 'parent'], em: part(3), adapter },
    { scenario: 'Hid', args: [['a', 1.5]], model, groups: ['hid', 'alpha'], em: part(3) },
  )
})
const oneCall = (
  deployment: string,
  maxTrainInstances: number,
  numOutputs = 1,
): Partial<HelmAdapterSpec> => ({
  modelDeployment: deployment,
  maxTrainInstances,
  numOutputs,
})
const p = (n: number): NonNullable<Wanted['args']> => [['p', n]]
wanted.push(
  { scenario: 'Alpha', model: 'fake/two', groups: ['alpha'], em: [0.5], adapter: oneCall('zzz/two', 0) },
  { scenario: 'Alpha', model: 'fake/two', groups: ['alpha'], em: [0.55], adapter: oneCall('aaa/two', 3) },
  { scenario: 'Alpha', model: 'fake/two', groups: ['alpha'], em: [0.55], adapter: oneCall('aaa/two', 4, 7) },
  { scenario: 'Alpha', model: 'nowhere/model', groups: ['alpha'], em: [0.15] },
  { scenario: 'Alpha', model: 'aaa/two', groups: ['alpha'], em: [0.16] },
  { scenario: 'Par', args: p(1), model: 'fake/one', groups: ['parent'], em: [0.15] },
  { scenario: 'Par', args: p(2), model: 'fake/one', groups: ['parent'], em: [0.15] },
  { scenario: 'Only', args: p(2), model: 'fake/one', groups: ['only'], em: [0.15] },
  { scenario: 'Only', args: p(2), model: 'fake/two', groups: ['only', 'unknown_group'], em: [0.15] },
  { scenario: 'No', args: p(2), model: 'fake/two', groups: ['no', 'alpha'], em: [0.15] },
  { suite: 'b', scenario: 'Alpha', model: 'fake/one', groups: ['alpha'], em: [0.9] },
  {
    suite: 'b',
    scenario: 'Alpha',
    args: [['x', 'y & z_%é!*()~']],
    model: 'fake/one',
    groups: ['alpha'],
    em: [0],
  },
  {
    suite: 'b',
    scenario: 'Valid',
    model: 'fake/one',
    groups: ['validg'],
    em: [0.9],
    extra: [stat(test('quasi_exact_match'), [0.1])],
  },
  { suite: 'b', scenario: 'Valid2', model: 'fake/one', groups: ['validg2'], em: [0.9] },
)

// Labels: which fields tell rows of one model apart.
const labelled = (model: string, modelDeployment: string, adapter: Partial<HelmAdapterSpec>): void => {
  const em = [wanted.length / 100]
  const groups = ['alpha', 'beta', 'gamma', 'delta']
  wanted.push({ suite: 's', scenario: 'Alpha', model, groups, em, adapter: { ...adapter, modelDeployment } })
}
const rows = [
  [1, 5, 0],
  [1, 6, 0],
  [2, 5, 0],
  [2, 5, 0.7],
] as const
for (const [maxTrainInstances, numOutputs, temperature] of rows) {
  labelled('fake/one', 'd/1', { maxTrainInstances, numOutputs, temperature: float(temperature) })
}
labelled('fake/two', 'd/2', { maxTrainInstances: 1, numOutputs: 5 })
labelled('fake/two', 'd/3', {
  maxTrainInstances: 1,
  numOutputs: 5,
  stopSequences: ['a', '"b'],
  method: 'chat',
})
labelled('fake/two', 'd/3', { maxTrainInstances: 1, numOutputs: 5, random: '7', method: 'chat' })
labelled('fake/three', 'fake/three', { instructions: 'x', temperature: 0 })
labelled('fake/three', 'fake/three', { instructions: '' })

// Pages: what becomes of odd request states.
const answers = ['The answer is B', 'A  ', ' B\n', 'none', 'answer IS a', 'x A y', '']
const base = answers.map((answer, i): HelmRequestState => sampleState(`id${i}`, answer))
const pages = base.map((state, i): HelmRequestState => {
  const [completion] = state.result?.completions ?? []
  if (i === 3) {
    const { result: _, ...rest } = state
    return rest
  }
  if (i === 4)
    return { ...state, instance: { ...state.instance, id: 7 }, referenceIndex: 2, requestMode: 'original' }
  if (i === 5) return { ...state, trainTrialIndex: 1 }
  if (i !== 6 || state.result === undefined || completion === undefined) return state
  return {
    ...state,
    request: { ...state.request, random: '3', temperature: 1, topP: 0.5, presencePenalty: 1 },
    result: { ...state.result, completions: [{ ...completion, thinking: 'hm' }, completion] },
    annotations: new Map([
      [
        'j',
        new Map<string, PyValue>([
          ['x', null],
          ['y', float(1)],
          ['z', 1e22],
          ['12', 1],
        ]),
      ],
    ]),
  }
})
const whole = (name: string, value: number): HelmStat => ({ ...stat(test(name), [value]), float: false })
const perInstance = [
  ...pages.map(({ instance, trainTrialIndex }, i): HelmPerInstanceStats => ({
    instanceId: instance.id ?? '',
    trainTrialIndex,
    stats: [stat(test('training_co2_cost'), []), whole('exact_match', i % 2), whole('num_instances', 1)],
  })),
  {
    instanceId: 'id0',
    trainTrialIndex: 0,
    stats: [stat(test('inference_runtime'), [0.25]), whole('exact_match', 5)],
  },
]
for (const outputMappingPattern of [undefined, '(?i)answer is ([A-C])|[A-C]', '[A-C]']) {
  wanted.push({
    suite: 'p',
    scenario: 'Alpha',
    model: 'fake/one',
    groups: ['alpha', 'gamma'],
    em: [0.5],
    adapter: outputMappingPattern === undefined ? {} : { outputMappingPattern },
    states: pages,
    perInstance,
  })
}

/** Suites a and b for ODD_SCHEMA, suite s for LABEL_SCHEMA, suite p for the files of a run's page. */
export const oddRuns = (): readonly OddRun[] =>
  wanted.map(
    (
      { suite = 'a', scenario, args = [], model, groups, em, extra = [], adapter, states, perInstance },
      i,
    ) => {
      // One run of suite b has the name of one of suite a.
      const number = suite === 'b' && args.length === 0 && scenario === 'Alpha' ? 0 : i
      const name = `${scenario}:${args.map(([key]) => key).join()},model=${model.replace('/', '_')},${number}`
      const adapterSpec: HelmAdapterSpec = {
        ...ADAPTER_DEFAULTS,
        method: 'generation',
        maxTrainInstances: 0,
        numOutputs: 1,
        temperature: float(0),
        model,
        modelDeployment: model,
        ...adapter,
      }
      return {
        suite,
        directory: name,
        files: {
          runSpec: {
            name,
            scenarioSpec: { className: `x.y.${scenario}`, args: new Map(args) },
            adapterSpec,
            metricSpecs: [],
            dataAugmenterSpec: NO_AUGMENTATION,
            groups,
          },
          scenario: { name: scenario, description: '', tags: [], definitionPath: '' },
          stats: [...statsOf(em, suite !== 's'), ...extra],
          states: () => states ?? [],
          perInstanceStats: () => perInstance ?? [],
        },
      }
    },
  )
