import { count, type BuiltInMetric } from './metric.ts'

/**
 * HELM's InstancesPerSplitMetric: `num_instances`, how many instances of a split were evaluated, per trial.
 * No value belongs to one instance: the aggregation counts them (HELM.md T15).
 */
export const instancesPerSplit: BuiltInMetric = {
  id: 'instances_per_split',
  version: '1.0.0',
  source: 'crfm-helm 0.5.16 InstancesPerSplitMetric',
  className: 'basic_metrics.InstancesPerSplitMetric',
  measures: [
    count('num_instances', {
      of: 'split',
      displayName: 'Instances',
      description: 'How many instances were evaluated.',
    }),
  ],
  ofSplit: 'instances',
  lead: null,
  reads: [],
  evaluate: () => [],
}
