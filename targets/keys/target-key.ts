import { numberOf } from '../../benchmarks/python/numbers/float.ts'
import { digestJson, type Digest } from '../../cache/values/digest.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import { identityOf } from '../../models/clients/create-client.ts'
import { metricFor } from '../metrics/catalog.ts'
import { annotationKey } from './annotation-key.ts'
import { metricKey } from './metric-key.ts'
import { promptKey } from './prompt-key.ts'
import type { Profile } from '../profile.ts'
import { STAGE_VERSIONS } from './versions.ts'
import type { Target } from '../record/target.ts'
import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'

/**
 * Everything that can alter a target's record, readable and grouped by stage: `explain` compares two of these.
 * Making one costs a stat per data file; no data is read.
 */
export interface TargetKey {
  readonly key: JsonObject
  readonly digest: Digest<'target'>
}

export const targetKey = async (target: Target, profile: Profile): Promise<TargetKey> => {
  const instances = await instancesKey(target.spec.benchmark)
  const declared = declarationKey(target, profile)
  const key = { instances, ...declared, ...(await databaseKey(target, declared)) }
  return { key, digest: digestJson<'target'>(key) }
}

/** The database that queries run on is data, too, though no question depends on it. */
const databaseKey = async (
  { spec }: Target,
  { annotations }: { readonly annotations: JsonObject | null },
): Promise<JsonObject> => {
  const database = await spec.benchmark.queries?.locate()
  return database === undefined ? {} : { annotations: { ...annotations, database: database.digest } }
}

/** The part of the key that declarations alone decide: it touches no data, so the build graph can use it offline. */
export const declarationKey = (
  target: Target,
  profile: Profile,
): JsonObject & { readonly annotations: JsonObject | null } => {
  const { spec, deployment } = target
  const { adapter } = spec
  const metrics = spec.metrics.map((metric) => metricKey(metricFor(metric), metric, adapter, profile))
  return {
    stage: 'record',
    version: STAGE_VERSIONS.record,
    name: spec.name,
    profile,
    ...(spec.benchmark.errata === undefined ? {} : { errata: { ...spec.benchmark.errata } }),
    sampling: {
      maxEvalInstances: adapter.maxEvalInstances ?? null,
      evalSplits: adapter.evalSplits ?? null,
      maxTrainInstances: adapter.maxTrainInstances,
      numTrainTrials: adapter.numTrainTrials,
      sampleTrain: adapter.sampleTrain,
    },
    prompts: promptKey(adapter, deployment, profile),
    completions: {
      version: STAGE_VERSIONS.completions,
      ...identityOf(deployment),
      temperature: numberOf(adapter.temperature),
      maxTokens: adapter.maxTokens,
      stopSequences: adapter.stopSequences,
      numOutputs: adapter.numOutputs,
      random: adapter.random ?? null,
    },
    annotations: annotationKey(target, profile),
    metrics,
  }
}

/** What decides a benchmark's instances: its declaration's version, arguments, loader, corrections, digests of its data. */
export const instancesKey = async (benchmark: Benchmark): Promise<JsonObject> => ({
  stage: 'instances',
  version: STAGE_VERSIONS.instances,
  ...(await benchmark.identity()),
})
