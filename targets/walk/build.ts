import type { Digest } from '../../cache/digest.ts'
import type { StageName } from '../event.ts'
import { putRecord, type RunRecord } from '../record/record.ts'
import { envFor } from '../access/restricted-env.ts'
import type { StageEnv } from '../stages/env.ts'
import { chooseInstances, listInstances, type InstanceRef } from '../stages/instances.ts'
import { createCollector } from './collector.ts'
import { inOrder } from './in-order.ts'
import { createRequestPipeline, type RequestPipeline } from './walk-request.ts'
import type { Target } from '../record/target.ts'
import type { TargetKey } from '../keys/target-key.ts'
import { traceOf, writeTrace } from '../scheduler/trace.ts'
import { trainSet } from './train-set.ts'

export interface Built {
  readonly record: RunRecord
  readonly digest: Digest<'record'>
}

/** Requests of one target under way at once, beyond what its limiter lets through: the others wait for judges or the disk. */
const AHEAD = 2

/**
 * Runs every stage of a target and stores its record.
 * Undefined when the run was stopped half-way: what was done is in the store, and a rerun goes on from there.
 *
 * @throws ProblemError from data, prompts or the store
 */
export const buildTarget = async (
  target: Target,
  { key, digest: targetDigest }: TargetKey,
  shared: StageEnv,
): Promise<Built | undefined> => {
  const { spec } = target
  const env = await envFor(spec.benchmark, shared)
  env.listener({ type: 'target-stale', target: spec.name })
  const list = await listInstances(
    spec.benchmark,
    key['instances'] as Parameters<typeof listInstances>[1],
    env,
  )
  const chosen = chooseInstances(list.refs, spec.adapter.maxEvalInstances, spec.adapter.evalSplits)
  const requests = chosen.evaluated.length * spec.adapter.numTrainTrials
  env.listener({
    type: 'target-started',
    target: spec.name,
    instances: chosen.evaluated.length,
    work: requests,
  })
  env.listener(stageEvent(spec.name, 'instances', chosen.evaluated.length, list.cached))
  const pipelines = await Promise.all(
    Array.from({ length: spec.adapter.numTrainTrials }, (_, trial) =>
      createRequestPipeline(target, trial, trainSet(target, chosen.train, trial, env), env),
    ),
  )
  const collector = createCollector(target, requests, chosen.evaluated, env.profile)
  const limit = env.limiter(target.deployment).concurrency * AHEAD
  const taken = await inOrder(
    requests,
    limit,
    (index) => {
      const { pipeline, ref } = requestAt(index, pipelines, chosen.evaluated)
      return pipeline.run(ref)
    },
    (result, index) => collector.take(result, index),
    () => env.stop.aborted,
  )
  if (taken < requests || env.stop.aborted) return undefined
  const record = collector.record({
    target: targetDigest,
    instances: list.digest,
    ...(list.skipped === undefined ? {} : { skippedRows: list.skipped }),
  })
  for (const failure of record.failures)
    env.listener({ type: 'instance-failed', target: spec.name, ...failure })
  const digest = await putRecord(record, collector.rows, env.store)
  await writeTrace(spec.name, { key, digest: targetDigest }, traceOf(record, digest), env.store)
  return { record, digest }
}

const stageEvent = (target: string, stage: StageName, count: number, cached: boolean) =>
  ({
    type: 'stage-results',
    target,
    stage,
    executed: cached ? 0 : count,
    cached: cached ? count : 0,
  }) as const

const requestAt = (
  index: number,
  pipelines: readonly RequestPipeline[],
  refs: readonly InstanceRef[],
): { pipeline: RequestPipeline; ref: InstanceRef } => {
  const pipeline = pipelines[Math.floor(index / refs.length)]
  const ref = refs[index % refs.length]
  if (pipeline === undefined || ref === undefined) throw new RangeError(`no request ${index}`)
  return { pipeline, ref }
}
