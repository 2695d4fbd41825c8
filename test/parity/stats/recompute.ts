import type { PyValue } from '../../../benchmarks/python/value.ts'
import { digestJson } from '../../../cache/values/digest.ts'
import { done } from '../../../cache/problems/problem.ts'
import { metricOf } from '../../../targets/metrics/catalog.ts'
import {
  perInstanceStats,
  StatsAggregator,
  type Omission,
} from '../../../targets/metrics/scoring/aggregate-run.ts'
import { DEFAULT_PROFILE, type Profile } from '../../../targets/profile.ts'
import { completionOf } from '../../../targets/record/completion.ts'
import type { RequestState } from '../../../targets/record/request-state.ts'
import type { Target } from '../../../targets/record/target.ts'
import { instanceDigest, storedInstance } from '../../../targets/record/instance-ref.ts'
import { type Mode, type RequestAt, readRequest, type WalkedStages } from '../../../targets/walk/walk.ts'
import { perInstanceStatsForm, statForm } from '../../../tools/helm/forms/stat.ts'
import type { SavedRun } from './saved-run.ts'

/** Elements of stats.json and of per_instance_stats.json in HELM's order, and what is not computed here. */
export interface RecomputedStats {
  readonly stats: readonly PyValue[]
  readonly perInstance: readonly PyValue[]
  readonly omitted: readonly Omission[]
}

/** A run's stats made anew: what HELM saved of each request goes through the product's own walk to the metrics. */
export const recomputeStats = (saved: SavedRun, profile: Profile = DEFAULT_PROFILE): RecomputedStats => {
  const aggregator = new StatsAggregator(saved.metrics.map(({ metric }) => metricOf(metric)))
  const values = saved.states.map((state, row) => {
    const at = requestAt(state, row)
    const result = readRequest(at, savedStages(saved, state), savedMode(saved, state, profile))
    const points = (result.metrics ?? []).map((metric) => metric.points)
    aggregator.add(result.state(), points)
    return { context: { instance: at.instance(), trainTrialIndex: at.trial }, points }
  })
  const perInstance = saved.metrics.flatMap((_, index) =>
    values.flatMap(({ context, points }) => {
      const stats = perInstanceStats(context, points[index] ?? [])
      return stats === undefined ? [] : [perInstanceStatsForm.write(stats)]
    }),
  )
  const { stats, omitted } = aggregator.result()
  return { stats: stats.map(statForm.write), perInstance, omitted }
}

const requestAt = ({ instance, trainTrialIndex: trial }: RequestState, row: number): RequestAt => ({
  row,
  trial,
  ref: { ...instance, digest: instanceDigest(storedInstance(instance)) },
  instance: () => instance,
})

/** The reply and the annotations as HELM read them. */
const savedStages = ({ adapter }: SavedRun, { result, annotations }: RequestState): WalkedStages => ({
  target: { spec: { adapter } } as Target,
  reader: {
    read: () => (result === undefined ? { kind: 'absent', reason: 'no reply' } : done(result)),
    content: ({ content }) => content,
  },
  ...(annotations && {
    annotator: {
      columns: 1,
      run: () => Promise.resolve([]),
      peek: () => [],
      assemble: () => annotations,
    },
  }),
})

/** Replays what was saved; the metrics alone are measured. */
const savedMode = ({ adapter, metrics }: SavedRun, state: RequestState, profile: Profile): Mode => ({
  prompt: () => {
    const { request, promptTruncated: truncated, numTrainInstances, numPromptTokens: tokens } = state
    const prompt = { text: request.prompt, truncated, numTrainInstances, tokens }
    return { digest: digestJson<'prompt'>(prompt), prompt, cached: true }
  },
  completion: () => ({
    outcome: done(
      completionOf(digestJson<'completion'>(state.request.prompt), {
        key: {},
        reply: { choices: [] },
        requestTime: state.result?.requestTime ?? 0,
        requestDatetime: 0,
        attempts: 0,
      }),
    ),
    cached: true,
  }),
  metrics: (_, digests, read) =>
    metrics.map((spec) => ({
      points: metricOf(spec.metric).evaluate(read(), spec, adapter, profile),
      failures: [],
      digest: digestJson<'metric'>({ ...digests }),
      cached: false,
    })),
})
