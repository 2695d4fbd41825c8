import type { BuiltInMetric } from './metric.ts'
import { CONFIDENCE } from './scoring/reference-scores.ts'

/**
 * HELM's BasicReferenceMetric: it scores references that were asked for one by one, which no adapter here does, so it
 * has no values (HELM.md T19). It stays in the list so that run specs equal HELM's.
 */
export const basicReference: BuiltInMetric = {
  id: 'basic_reference',
  version: '1.0.0',
  source: 'crfm-helm 0.5.16 BasicReferenceMetric',
  className: 'basic_metrics.BasicReferenceMetric',
  sets: [],
  measures: [],
  // HELM's schemas take it for this class's; `basic_generation` gives it.
  described: [CONFIDENCE],
  lead: null,
  reads: [],
  evaluate: () => [],
}
