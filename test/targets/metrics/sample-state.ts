import { ADAPTER_DEFAULTS, type AdapterSpec } from '../../../benchmarks/scenario/adapter-spec.ts'
import type { MetricSpec } from '../../../benchmarks/scenario/benchmark.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { Float } from '../../../benchmarks/python/numbers/number.ts'
import type { MetricPoint } from '../../../targets/metrics/metric.ts'
import type { HelmCompletion, RequestState } from '../../../targets/record/request-state.ts'

export const adapter = (change: Partial<AdapterSpec> = {}): AdapterSpec => ({
  ...ADAPTER_DEFAULTS,
  method: 'generation',
  numOutputs: 1,
  ...change,
})

export const metricSpec = (metric: string, args: Readonly<Record<string, PyValue>> = {}): MetricSpec => ({
  metric,
  helm: { className: `helm.${metric}`, args: new Map(Object.entries(args)) },
})

export const completion = (text: string, change: Partial<HelmCompletion> = {}): HelmCompletion => ({
  text,
  logprob: 0,
  tokens: [],
  finishReason: 'stop',
  ...change,
})

interface Sample {
  readonly id?: string | number
  readonly input?: string
  /** Texts of the references; only the first is correct unless `correct` says otherwise. */
  readonly golds?: readonly string[]
  readonly correct?: readonly boolean[]
  readonly answers?: readonly (string | HelmCompletion)[]
  readonly options?: ReadonlyMap<string, string>
  readonly extraData?: ReadonlyMap<string, PyValue>
  readonly annotations?: ReadonlyMap<string, PyValue>
}

/** A request state with what the metrics read; the rest is of no account. */
export const sampleState = (sample: Sample): RequestState => ({
  instance: {
    id: sample.id ?? 'id0',
    input: { text: sample.input ?? 'What helps?' },
    references: (sample.golds ?? []).map((text, index) => ({
      text,
      tags: (sample.correct?.[index] ?? index === 0) ? ['correct'] : [],
    })),
    split: 'test',
    ...(sample.extraData === undefined ? {} : { extraData: sample.extraData }),
  },
  trainTrialIndex: 0,
  ...(sample.options === undefined ? {} : { outputMapping: sample.options }),
  request: {
    modelDeployment: 'fake/one',
    model: 'fake/one',
    prompt: 'What helps?',
    temperature: 0,
    numCompletions: 1,
    topKPerToken: 1,
    maxTokens: 100,
    stopSequences: [],
  },
  result: {
    success: true,
    completions: (sample.answers ?? ['Rest.']).map((answer) =>
      typeof answer === 'string' ? completion(answer) : answer,
    ),
    cached: false,
    requestTime: 0.5,
    requestDatetime: 0,
  },
  numTrainInstances: 0,
  promptTruncated: false,
  numPromptTokens: 3,
  ...(sample.annotations === undefined ? {} : { annotations: sample.annotations }),
})

/** Values as Python types them, to compare with golden rows. */
export const typed = (points: readonly MetricPoint[]): readonly PyValue[] =>
  points.map(({ name, value, float }) => [
    name,
    value !== null && float && Number.isInteger(value) ? new Float(value) : value,
  ])
