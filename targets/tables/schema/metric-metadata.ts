import type { ObjectSpec } from '../../../benchmarks/scenario/benchmark.ts'
import type { Measure } from '../../../benchmarks/scenario/measure.ts'
import { helmMeasures, measuresOf } from '../../metrics/measures-of.ts'
import type { SchemaField } from './schema.ts'

/** How a generated schema shows a metric, and in which metric group, if any. */
export interface MetricMetadata extends SchemaField {
  readonly group?: string
}

/** Metadata of the metrics that one metric object yields, in HELM's order. Unknown classes have none. */
export const metricMetadata = (
  spec: ObjectSpec,
  options: { readonly helmExact: boolean },
): readonly MetricMetadata[] => (options.helmExact ? helmMeasures(spec) : measuresOf(spec)).map(metadataOf)

const metadataOf = ({
  name,
  displayName,
  shortDisplayName,
  description,
  better,
  group,
}: Measure): MetricMetadata => ({
  name,
  displayName,
  ...(shortDisplayName === undefined ? {} : { shortDisplayName }),
  description,
  ...(better === 'neither' ? {} : { lowerIsBetter: better === 'lower' }),
  ...(group === undefined ? {} : { group }),
})
