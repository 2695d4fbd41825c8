import type { AdapterSpec } from '../../benchmarks/scenario/adapter-spec.ts'
import type { MetricSpec } from '../../benchmarks/scenario/benchmark.ts'
import type { MetricCode } from '../../benchmarks/scenario/metric-code.ts'
import { dumps } from '../../benchmarks/python/json.ts'
import { digestOf } from '../../cache/values/digest.ts'
import type { Json, JsonObject } from '../../cache/values/json.ts'
import type { Metric } from '../metrics/metric.ts'
import type { Profile } from '../profile.ts'

/** The adapter fields that metrics read. */
const adapterFields = ({
  method,
  numOutputs,
  numTrainTrials,
  outputMappingPattern,
}: AdapterSpec): JsonObject => ({
  method,
  numOutputs,
  numTrainTrials,
  outputMappingPattern: outputMappingPattern ?? null,
})

/** The metric as a part of a key; profile and corrections only where they alter its values. */
export const metricKey = (
  metric: Metric,
  spec: MetricSpec,
  adapter: AdapterSpec,
  profile: Profile,
): JsonObject => ({
  stage: 'metrics',
  metric: metric.id,
  version: metric.version,
  args: digestOf<'text'>(
    dumps(spec.code === undefined ? spec.helm.args : (spec.helm.args.get('args') ?? null)),
  ),
  adapter: adapterFields(adapter),
  ...(spec.bertScore === undefined ? {} : { bertScore: spec.bertScore }),
  ...(metric.dialects === true ? { profile } : {}),
  ...(spec.code === undefined ? {} : { code: spec.code.digest, measures: measured(spec.code) }),
  ...correctedKey(metric, spec),
})

/** Names and numbers of its measures; how they are shown decides nothing. */
const measured = ({ measures }: MetricCode): Json =>
  measures.map(({ name, unit, least, most }) => ({ name, unit, least, most }))

const correctedKey = ({ corrects = [] }: Metric, { corrected = [] }: MetricSpec): JsonObject => {
  const own = corrected.filter((id) => corrects.includes(id))
  return own.length === 0 ? {} : { corrected: own }
}
