import type { Metric } from './metric.ts'

/**
 * HELM's BasicReferenceMetric: it scores references that were asked for one by one, which no adapter here does, so it
 * has no values (HELM.md T19). It stays in the list so that run specs equal HELM's.
 */
export const basicReference: Metric = {
  id: 'basic_reference',
  version: '1.0.0',
  source: 'crfm-helm 0.5.16 BasicReferenceMetric',
  measures: [],
  reads: [],
  evaluate: () => [],
}
