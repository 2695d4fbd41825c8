import { float } from '../../../benchmarks/python/numbers/number.ts'
import { ADAPTER_DEFAULTS } from '../../../benchmarks/scenario/adapter-spec.ts'
import type { Benchmark } from '../../../benchmarks/scenario/benchmark.ts'
import type { RequestState } from '../../../targets/record/request-state.ts'
import type { PerInstanceStats, Stat } from '../../../targets/record/stat.ts'
import type { ResultFiles } from '../../../tools/helm/write/write-run.ts'

const adapter = {
  ...ADAPTER_DEFAULTS,
  method: 'generation',
  model: 'a/b',
  modelDeployment: 'a/b',
  temperature: float(0),
  maxTokens: 5,
} as const

const benchmark: Benchmark = {
  name: 'sums',
  runName: 'sums',
  displayName: 'Sums',
  description: 'Adds numbers.',
  access: 'public',
  scenario: {
    spec: { className: 'x.SumsScenario', args: new Map([['digits', 2]]) },
    name: 'sums',
    description: 'Adds numbers.',
    tags: ['biomedical'],
    definitionPath: 'https://example.org/sums.py',
  },
  adapter,
  metrics: [],
  groups: ['sums'],
  mainMetric: { name: 'exact_match', split: 'test' },
  files: [],
  identity: async () => ({}),
  instances: async function* () {},
}

export const sampleState = (id: string, answer = 'two'): RequestState => ({
  instance: {
    id,
    input: { text: 'What is 1 + 1? é😀 "{}[]\\' },
    references: [{ text: 'two', tags: ['correct'] }],
    split: 'test',
    extraData: new Map([['level', null]]),
  },
  trainTrialIndex: 0,
  outputMapping: new Map([
    ['B', 'three'],
    ['A', 'two'],
  ]),
  request: {
    modelDeployment: 'a/b',
    model: 'a/b',
    prompt: 'What is 1 + 1?',
    temperature: float(0),
    numCompletions: 1,
    topKPerToken: 1,
    maxTokens: 5,
    stopSequences: ['\n'],
  },
  result: {
    success: true,
    completions: [{ text: answer, logprob: 0, tokens: [], finishReason: 'stop' }],
    cached: false,
    requestTime: 0.25,
    requestDatetime: 1767225600,
  },
  numTrainInstances: 0,
  promptTruncated: false,
  numPromptTokens: 7,
  annotations: new Map([['jury', new Map([['prompt_text', null]])]]),
})

const stat: Stat = {
  name: { name: 'exact_match', split: 'test' },
  count: 1,
  sum: 1,
  sumSquared: 1,
  min: 1,
  max: 1,
  mean: 1,
  variance: 0,
  varianceIsInt: true,
  stddev: 0,
  float: true,
}

const empty: Stat = { name: { name: 'training_co2_cost' }, count: 0, sum: 0, sumSquared: 0, float: false }

/** A run of one instance, invented. */
export const sampleRun = (): ResultFiles => ({
  runSpec: {
    name: 'sums:digits=2,model=a_b',
    benchmark,
    adapter,
    metrics: [],
    groups: ['sums'],
    annotators: [],
  },
  states: () => [sampleState('id0')],
  stats: [stat, empty],
  perInstanceStats: (): PerInstanceStats[] => [{ instanceId: 'id0', trainTrialIndex: 0, stats: [stat] }],
})
