import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dumps, type PyJson } from '../../../benchmarks/python/json.ts'
import { numberOf } from '../../../benchmarks/python/float.ts'
import { ADAPTER_DEFAULTS, type AdapterSpec } from '../../../benchmarks/scenario/adapter-spec.ts'
import type { MetricSpec } from '../../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../../benchmarks/scenario/instance.ts'
import { perInstanceStats, RunAggregator } from '../../../targets/metrics/aggregate-run.ts'
import { metricOf } from '../../../targets/metrics/catalog.ts'
import type { MetricPoint } from '../../../targets/metrics/metric.ts'
import { DEFAULT_PROFILE, type Profile } from '../../../targets/profile.ts'
import type { RequestState } from '../../../targets/record/request-state.ts'
import { readPerInstanceStats, readRequestStates, readRunSpec } from '../../../tools/helm/read-run.ts'
import type { HelmRequestState } from '../../../tools/helm/request-state.ts'
import { perInstanceStatsForm, statForm } from '../../../tools/helm/stat.ts'

/** HELM's metric classes that are computed here. */
const IDS: ReadonlyMap<string, string> = new Map([
  ['BasicGenerationMetric', 'basic_generation'],
  ['BasicReferenceMetric', 'basic_reference'],
  ['InstancesPerSplitMetric', 'instances_per_split'],
  ['SummarizationMetric', 'summarization'],
  ['LLMJuryMetric', 'llm_jury'],
  ['MedCalcBenchMetric', 'medcalc_bench'],
  ['MedecMetric', 'medec'],
  ['EhrSqlMetric', 'ehr_sql'],
  ['MIMICIVBillingCodeMetric', 'mimiciv_billing_code'],
])

/** Directories below `root` that hold a run. */
export const goldenRuns = (root: string): readonly string[] =>
  readdirSync(root, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('scenario_state.json'))
    .map((file) => join(root, dirname(file)))
    .toSorted()

interface Run {
  readonly adapter: AdapterSpec
  readonly metrics: readonly MetricSpec[]
  readonly states: readonly RequestState[]
}

const readTokenCounts = async (directory: string): Promise<ReadonlyMap<string, number>> => {
  const counts = new Map<string, number>()
  for await (const { instanceId, trainTrialIndex, stats } of readPerInstanceStats(directory))
    for (const { name, sum } of stats)
      if (name.name === 'num_prompt_tokens') counts.set(`${instanceId} ${trainTrialIndex}`, sum)
  return counts
}

const ourState = (state: HelmRequestState, numPromptTokens: number): RequestState => {
  const { result } = state
  return {
    ...state,
    instance: state.instance as Instance,
    numPromptTokens,
    ...(result === undefined
      ? {}
      : {
          result: {
            ...result,
            requestTime: result.requestTime ?? 0,
            requestDatetime: 0,
            completions: result.completions.map((completion) => ({
              ...completion,
              logprob: numberOf(completion.logprob),
              tokens: completion.tokens.map(({ text, logprob }) => ({ text, logprob: numberOf(logprob) })),
            })),
          },
        }),
  } as RequestState
}

/** A golden run in our types; undefined where a metric or a perturbation is none of ours, and for a dry run. */
export const readGoldenRun = async (directory: string): Promise<Run | undefined> => {
  const { adapterSpec, metricSpecs, dataAugmenterSpec } = await readRunSpec(directory)
  const metrics = metricSpecs.map((helm) => ({
    metric: IDS.get(helm.className.slice(helm.className.lastIndexOf('.') + 1)) ?? '',
    helm,
  }))
  if (metrics.some(({ metric }) => metric === '') || dataAugmenterSpec.perturbationSpecs.length > 0)
    return undefined
  const counts = await readTokenCounts(directory)
  const states: RequestState[] = []
  for await (const state of readRequestStates(directory))
    states.push(ourState(state, counts.get(`${state.instance.id} ${state.trainTrialIndex}`) ?? 1))
  if (states.some(({ result }) => result === undefined)) return undefined
  return { adapter: { ...ADAPTER_DEFAULTS, ...adapterSpec } as AdapterSpec, metrics, states }
}

export interface Recomputed {
  readonly stats: string
  readonly perInstance: string
  readonly omitted: number
}

/** stats.json and per_instance_stats.json, recomputed from a run's states. */
export const recompute = async (
  { adapter, metrics, states }: Run,
  profile: Profile = DEFAULT_PROFILE,
): Promise<Recomputed> => {
  const loaded = await Promise.all(metrics.map(({ metric }) => metricOf(metric)))
  const aggregator = new RunAggregator(metrics.map(({ metric }) => metric))
  const values = states.map((state) => {
    const points = metrics.map((spec, index) => loaded[index]?.evaluate(state, spec, adapter, profile) ?? [])
    aggregator.add(state, points)
    return { state, points }
  })
  const rows = metrics.flatMap((_, index) =>
    values.flatMap(({ state, points }) => {
      const stats = perInstanceStats(state, points[index] as readonly MetricPoint[])
      return stats === undefined ? [] : [perInstanceStatsForm.write(stats)]
    }),
  )
  const { stats, omitted } = aggregator.result()
  const print = (value: PyJson): string => dumps(value, { indent: 2 })
  return { stats: print(stats.map(statForm.write)), perInstance: print(rows), omitted: omitted.length }
}

export const readText = (directory: string, file: string): string =>
  readFileSync(join(directory, file), 'utf8')
