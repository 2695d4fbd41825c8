import { counts } from './measure.ts'
import type { Metric } from './metric.ts'

/**
 * HELM's InstancesPerSplitMetric: `num_instances`, how many instances of a split were evaluated, per trial.
 * No value belongs to one instance: the aggregation counts them (HELM.md T15).
 */
export const instancesPerSplit: Metric = {
  id: 'instances_per_split',
  version: '1.0.0',
  source: 'crfm-helm 0.5.16 InstancesPerSplitMetric',
  measures: counts(['num_instances'], { of: 'split' }),
  reads: [],
  evaluate: () => [],
}
