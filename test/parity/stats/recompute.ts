import type { PyValue } from '../../../benchmarks/python/value.ts'
import {
  perInstanceStats,
  RunAggregator,
  type Omission,
} from '../../../targets/metrics/scoring/aggregate-run.ts'
import { metricOf } from '../../../targets/metrics/catalog.ts'
import type { MetricPoint } from '../../../targets/metrics/metric.ts'
import { DEFAULT_PROFILE, type Profile } from '../../../targets/profile.ts'
import { perInstanceStatsForm, statForm } from '../../../tools/helm/forms/stat.ts'
import type { SavedRun } from './saved-run.ts'

/** Elements of stats.json and of per_instance_stats.json in HELM's order, and what is not computed here. */
export interface RecomputedStats {
  readonly stats: readonly PyValue[]
  readonly perInstance: readonly PyValue[]
  readonly omitted: readonly Omission[]
}

/** A run's stats made anew from its completions and annotations. */
export const recomputeStats = (
  { adapter, metrics, states }: SavedRun,
  profile: Profile = DEFAULT_PROFILE,
): RecomputedStats => {
  const loaded = metrics.map(({ metric }) => metricOf(metric))
  const aggregator = new RunAggregator(loaded)
  const values = states.map((state) => {
    const points = metrics.map((spec, index) => loaded[index]?.evaluate(state, spec, adapter, profile) ?? [])
    aggregator.add(state, points)
    return { state, points }
  })
  const perInstance = metrics.flatMap((_, index) =>
    values.flatMap(({ state, points }) => {
      const stats = perInstanceStats(state, points[index] as readonly MetricPoint[])
      return stats === undefined ? [] : [perInstanceStatsForm.write(stats)]
    }),
  )
  const { stats, omitted } = aggregator.result()
  return { stats: stats.map(statForm.write), perInstance, omitted }
}
