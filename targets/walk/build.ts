import type { Digest } from '../../cache/digest.ts'
import type { JsonObject } from '../../cache/json.ts'
import type { StageName } from '../event.ts'
import { putRecord, type RunRecord } from '../record/record.ts'
import { envFor } from '../access/restricted-env.ts'
import type { StageEnv } from '../stages/env.ts'
import {
  chooseInstances,
  requireInstances,
  withInstances,
  type InstanceList,
  type InstanceRef,
} from '../stages/instances.ts'
import { createCollector } from './collector.ts'
import { inOrder } from './in-order.ts'
import { createRequestPipeline, type RequestPipeline } from './walk-request.ts'
import type { Target } from '../record/target.ts'
import type { TargetKey } from '../keys/target-key.ts'
import { readLastBuild, traceOf, writeTrace } from '../scheduler/trace.ts'
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
  const wasBuilt = readLastBuild(spec.name, env.store)?.digest === targetDigest
  const built = await withInstances(spec.benchmark, key['instances'] as JsonObject, env, (list) =>
    runStages(target, list, { targetDigest, wasBuilt, env }),
  )
  if (built !== undefined)
    await writeTrace(spec.name, { key, digest: targetDigest }, traceOf(built.record, built.digest), env.store)
  return built
}

interface Building {
  readonly targetDigest: Digest<'target'>
  /** This very target was built before: it may be built again because something of it was lost. */
  readonly wasBuilt: boolean
  readonly env: StageEnv
}

const runStages = async (
  target: Target,
  list: InstanceList,
  { targetDigest, wasBuilt, env }: Building,
): Promise<Built | undefined> => {
  const { spec } = target
  const chosen = chooseInstances(list.refs, spec.adapter.maxEvalInstances, spec.adapter.evalSplits)
  // Where all later results are at hand nothing would ask for an instance.
  if (list.cached && wasBuilt) requireInstances([...chosen.train, ...chosen.evaluated], env.store)
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
