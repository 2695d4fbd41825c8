import { numberOf } from '../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { ADAPTER_DEFAULTS, type AdapterSpec } from '../../../benchmarks/scenario/adapter-spec.ts'
import type { MetricSpec } from '../../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../../benchmarks/scenario/instance.ts'
import { metricOfClass } from '../../../targets/metrics/catalog.ts'
import type { RequestState } from '../../../targets/record/request-state.ts'
import { readPerInstanceStats, readRequestStates, readRunSpec } from '../../../tools/helm/read-run.ts'
import type { HelmRequestState } from '../../../tools/helm/forms/request-state.ts'

/** The jury metric's class of its first releases; later ones take as arguments what it had fixed. */
const FIRST_JURY = 'MedicationQAMetric'
const FIRST_JURY_ARGS: ReadonlyMap<string, PyValue> = new Map<string, PyValue>([
  ['metric_name', 'medication_qa_accuracy'],
  ['scenario_name', 'medication_qa'],
  ['annotator_models', new Map(['gpt', 'llama', 'claude'].map((judge) => [judge, null]))],
])

/** What HELM saved of a run, as the metrics read it. */
export interface SavedRun {
  readonly adapter: AdapterSpec
  readonly metrics: readonly MetricSpec[]
  readonly states: readonly RequestState[]
}

/** Why a run's stats cannot be recomputed. */
export interface Incomputable {
  readonly reason: string
}

/** A run that helm-run saved; its completions, annotations and measured times are taken as they are. */
export const readSavedRun = async (directory: string): Promise<SavedRun | Incomputable> => {
  const { adapterSpec, metricSpecs, dataAugmenterSpec } = await readRunSpec(directory)
  const metrics = metricSpecs.map((helm) => {
    const name = helm.className.slice(helm.className.lastIndexOf('.') + 1)
    if (name === FIRST_JURY) return { name, metric: 'llm_jury', helm: { ...helm, args: FIRST_JURY_ARGS } }
    return { name, metric: metricOfClass(name)?.id ?? '', helm }
  })
  const foreign = metrics.filter(({ metric }) => metric === '')
  if (foreign.length > 0)
    return { reason: `${foreign.map(({ name }) => name).join(', ')}: no metric of ours` }
  if (dataAugmenterSpec.perturbationSpecs.length > 0) return { reason: 'its instances are perturbed' }
  const counts = await readTokenCounts(directory)
  const states: RequestState[] = []
  for await (const state of readRequestStates(directory)) {
    if (state.result === undefined) return { reason: 'a dry run: it holds no completions' }
    states.push(ourState(state, counts.get(`${state.instance.id} ${state.trainTrialIndex}`) ?? 1))
  }
  return { adapter: { ...ADAPTER_DEFAULTS, ...adapterSpec } as AdapterSpec, metrics, states }
}

/** HELM's own counts of the prompts' tokens: a run's files do not name its tokenizer. */
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
