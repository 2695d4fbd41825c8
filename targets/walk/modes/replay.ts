import type { Instance } from '../../../benchmarks/scenario/instance.ts'
import { digestJson } from '../../../cache/values/digest.ts'
import type { Store } from '../../../cache/store.ts'
import { perInstanceStats } from '../../metrics/scoring/aggregate-run.ts'
import type { RunRecord } from '../../record/record.ts'
import type { RequestState } from '../../record/request-state.ts'
import type { PerInstanceStats } from '../../record/stat.ts'
import { instanceDigest, storedInstance, type InstanceRef } from '../../record/instance-ref.ts'
import type { Target } from '../../record/target.ts'
import type { StageEnv } from '../../env/env.ts'
import type { Prompt } from '../../stages/prompts.ts'
import { buildMode } from '../build.ts'
import { createCollector } from '../collect/collector.ts'
import { type Mode, type RequestAt, type RequestResult, walkAll } from '../walk.ts'
import { openStages } from '../run.ts'

/** A request exactly as a run of a release made it. */
export interface ReleasedRequest {
  readonly instance: Instance
  readonly prompt: Prompt
}

export interface Replayed {
  readonly record: RunRecord
  readonly states: () => Iterable<RequestState>
  readonly perInstanceStats: () => Iterable<PerInstanceStats>
  /** The instances, in the order of each trial's requests. */
  readonly asked: readonly InstanceRef[]
  /** Where the replies are. */
  readonly replies: Store
}

/**
 * Asks, judges and scores the requests of a run again: no data set is read, no prompt is made. Replies that the store
 * has cost nothing.
 *
 * @param requests in the run's order, trial by trial
 * @returns undefined when it was stopped half-way
 */
export const replayRun = async (
  target: Target,
  requests: readonly ReleasedRequest[],
  env: StageEnv,
): Promise<Replayed | undefined> => {
  const { spec } = target
  const perTrial = requests.length / spec.adapter.numTrainTrials
  const at = requests.map(({ instance }, row): RequestAt => {
    const ref = { ...instance, digest: instanceDigest(storedInstance(instance)) }
    return { row, trial: Math.floor(row / perTrial), ref, instance: () => instance }
  })
  const stages = await openStages(target, env)
  const mode: Mode = {
    ...buildMode(stages, { prompts: noPrompts }),
    prompt: ({ row }) => releasedPrompt(requests[row]),
  }
  const refs = at.slice(0, perTrial).map(({ ref }) => ref)
  const collector = createCollector(target, requests.length, refs, env.profile)
  const results: RequestResult[] = []
  const walked = { count: requests.length, at: (row: number) => at[row] as RequestAt, stages, mode }
  const isWhole = await walkAll(walked, env, (result, own) => {
    results.push(result)
    collector.take(result, own)
  })
  if (!isWhole) return undefined
  return {
    record: collector.record({
      target: digestJson<'target'>([spec.name]),
      instances: digestJson<'instances'>([]),
    }),
    states: () => statesOf(results),
    perInstanceStats: () => statsOf(results, at, spec.metrics.length),
    asked: refs,
    replies: env.store,
  }
}

const noPrompts = (): never => {
  throw new TypeError('a replay makes no prompts')
}

/** Two runs may count one prompt's tokens differently, and a metric reads the count. */
const releasedPrompt = (request: ReleasedRequest | undefined) => {
  if (request === undefined) throw new RangeError('no such request in the release')
  const { prompt } = request
  return { digest: digestJson<'prompt'>({ ...prompt }), prompt, cached: true }
}

/** HELM's `cached`: the same request was answered before in this run. */
function* statesOf(results: readonly RequestResult[]): Generator<RequestState> {
  const seen = new Set<string>()
  for (const { completion, state: stateOf } of results) {
    const cached = completion !== undefined && seen.has(completion.digest)
    if (completion !== undefined) seen.add(completion.digest)
    const state = stateOf()
    yield state.result === undefined ? state : { ...state, result: { ...state.result, cached } }
  }
}

/** All requests of the first metric object, then of the next, as HELM orders them. */
function* statsOf(
  results: readonly RequestResult[],
  at: readonly RequestAt[],
  metrics: number,
): Generator<PerInstanceStats> {
  for (let metric = 0; metric < metrics; metric += 1)
    for (const [row, { metrics: measured }] of results.entries()) {
      const points = measured?.[metric]?.points
      const place = at[row]
      if (points === undefined || place === undefined) continue
      const stats = perInstanceStats({ instance: place.instance(), trainTrialIndex: place.trial }, points)
      if (stats !== undefined) yield stats
    }
}
