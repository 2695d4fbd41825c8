import type { PyValue } from '../../benchmarks/python/value.ts'
import type { MetricSpec } from '../../benchmarks/scenario/benchmark.ts'
import type { BuiltInMetric } from './metric.ts'

/** The metric object of a run spec, as HELM names it. */
export const metricObject = (
  { id, className }: Pick<BuiltInMetric, 'id' | 'className'>,
  args: Readonly<Record<string, PyValue>> = {},
): MetricSpec => ({
  metric: id,
  helm: { className: `helm.benchmark.metrics.${className}`, args: new Map(Object.entries(args)) },
})
