import { toldMeasures } from '../../../benchmarks/metric-code/metric-spec.ts'
import type { ObjectSpec } from '../../../benchmarks/scenario/benchmark.ts'
import {
  BEFORE_MATCHES,
  MATCHES,
  AFTER_MATCHES,
  REFERENCE,
  INSTANCES,
  SUMMARIZATION,
  LOST_BY_HELM,
  EHR_SQL,
  MEDEC,
  MEDCALC,
  BILLING_CODES,
  SCT,
  jury,
} from './metric-descriptions.ts'
import type { SchemaField } from './schema.ts'

/** How a generated schema shows a metric, and in which metric group, if any. */
export interface MetricMetadata extends SchemaField {
  readonly group?: string
}

/** Metadata of the metrics that one metric object yields, in HELM's order. Unknown classes have none. */
export const metricMetadata = (
  spec: ObjectSpec,
  options: { readonly helmExact: boolean },
): readonly MetricMetadata[] => {
  const lost = options.helmExact ? [] : LOST_BY_HELM
  switch (spec.className.split('.').at(-1)) {
    case 'BasicGenerationMetric': {
      const names = spec.args.get('names')
      const asked = MATCHES.filter(({ name }) => Array.isArray(names) && names.includes(name))
      return [...BEFORE_MATCHES, ...asked, ...AFTER_MATCHES]
    }
    case 'BasicReferenceMetric':
      return REFERENCE
    case 'InstancesPerSplitMetric':
      return INSTANCES
    case 'SummarizationMetric':
      return [...SUMMARIZATION, ...lost]
    case 'EhrSqlMetric':
      return EHR_SQL
    case 'MedecMetric':
      return MEDEC
    case 'MedCalcBenchMetric':
      return MEDCALC
    case 'MIMICIVBillingCodeMetric':
      return BILLING_CODES
    case 'SCTBenchMetric':
      return SCT
    case 'LLMJuryMetric': {
      const name = spec.args.get('metric_name')
      return typeof name === 'string' ? [jury(name)] : []
    }
    default:
      return toldMeasures(spec).map(({ name, better, displayName = name, description = '' }) => ({
        name,
        displayName,
        description,
        ...(better === 'neither' ? {} : { lowerIsBetter: better === 'lower' }),
        group: 'accuracy',
      }))
  }
}
