import type { Instance } from '../../benchmarks/scenario/instance.ts'
import type { JsonObject } from '../../cache/json.ts'
import { overlayStore } from '../../cache/overlay-store.ts'
import { identityOf } from '../../models/clients/create-client.ts'
import type { ModelDeployment } from '../../models/registry/model.ts'
import { envFor } from '../access/restricted-env.ts'
import { completionRequest, helmRequest } from '../adapters/request.ts'
import { STAGES, type StageName } from '../event.ts'
import { dialectOf, PROFILES } from '../profile.ts'
import { annotationColumns, createAnnotationStage } from '../stages/annotations.ts'
import type { Annotator } from '../stages/annotator.ts'
import { completionPlace, createAsker } from '../stages/ask.ts'
import { judgeRequest, juryPrompt } from '../stages/jury-annotator.ts'
import type { StageEnv } from '../stages/env.ts'
import {
  chooseInstances,
  loadInstance,
  requireInstances,
  withInstances,
  type InstanceList,
  type InstanceRef,
} from '../stages/instances.ts'
import { createPromptStage, type PromptStage } from '../stages/prompts.ts'
import { answerOf, createReplyReader, type ReplyReader } from '../stages/reply-reader.ts'
import type { PlannedCall } from './planned-call.ts'
import type { Target } from '../record/target.ts'
import { targetKey, type TargetKey } from '../keys/target-key.ts'
import { freshRecord, readLastBuild } from '../scheduler/trace.ts'
import { trainSet } from './train-set.ts'

export interface StagePlan {
  /** Results to make; for annotations and metrics of answers that are not there yet, all of them. */
  readonly execute: number
  readonly cached: number
}

/** What building a target would do. */
export interface TargetPlan {
  readonly target: Target
  readonly key: TargetKey
  readonly fresh: boolean
  readonly stages: Readonly<Record<StageName, StagePlan>>
  /** Requests that would reach a server: model's and judges'. */
  readonly calls: number
}

/**
 * Finds out what would run. Reads data where the store lacks it; writes nothing, calls nothing.
 * @param onCall is given each request of a target that is not fresh, as far as it would reach a server
 */
export const planTarget = async (
  target: Target,
  shared: StageEnv,
  onCall: (call: PlannedCall) => void = () => undefined,
): Promise<TargetPlan> => {
  const key = await targetKey(target, shared.profile)
  const fresh = freshRecord(key.digest, shared.store)
  if (fresh !== undefined)
    return { target, key, fresh: true, stages: allCached(fresh.trace.counts), calls: 0 }
  const env = await envFor(target.spec.benchmark, shared)
  const planning: StageEnv = { ...env, store: overlayStore(env.store) }
  const sameMetrics = hasSameMetrics(target, key, env)
  const instances = key.key['instances'] as JsonObject
  const counts = await withInstances(target.spec.benchmark, instances, planning, (list) =>
    planStages(target, list, { env: planning, onCall, sameMetrics }),
  )
  return { target, key, fresh: false, stages: counts, calls: counts.calls }
}

/** @throws LostValueError before `onCall` is given anything */
const planStages = async (
  target: Target,
  list: InstanceList,
  plan: Pick<RequestPlan, 'env' | 'onCall' | 'sameMetrics'>,
): Promise<Counts> => {
  const { env } = plan
  const { adapter } = target.spec
  const { train, evaluated } = chooseInstances(list.refs, adapter.maxEvalInstances, adapter.evalSplits)
  if (list.cached) requireInstances([...train, ...evaluated], env.store)
  const counts = emptyCounts()
  add(counts, 'instances', list.cached, evaluated.length)
  const request: RequestPlan = {
    target,
    reader: await createReplyReader(target.deployment, helmRequest(adapter, ''), env),
    annotator: await createAnnotationStage(target, env),
    counts,
    ...plan,
  }
  for (let trial = 0; trial < adapter.numTrainTrials; trial += 1) {
    const prompts = createPromptStage(adapter, target.deployment, trainSet(target, train, trial, env), env)
    for (const ref of evaluated) await planRequest(ref, prompts, request)
  }
  return counts
}

/** Embedded models answer without a call. */
const isRemote = (deployment: ModelDeployment): boolean => identityOf(deployment).protocol === 'chat'

type Counts = Record<StageName, { execute: number; cached: number }> & { calls: number }

const emptyCounts = (): Counts => ({
  instances: { execute: 0, cached: 0 },
  prompts: { execute: 0, cached: 0 },
  completions: { execute: 0, cached: 0 },
  annotations: { execute: 0, cached: 0 },
  metrics: { execute: 0, cached: 0 },
  calls: 0,
})

const allCached = (counts: Readonly<Record<StageName, number>>): Counts => {
  const result = emptyCounts()
  for (const stage of STAGES) add(result, stage, true, counts[stage])
  return result
}

const add = (counts: Counts, stage: StageName, cached: boolean, count = 1): void => {
  if (cached) counts[stage].cached += count
  else counts[stage].execute += count
}

interface RequestPlan {
  readonly target: Target
  readonly reader: ReplyReader
  readonly annotator: Annotator | undefined
  readonly env: StageEnv
  readonly counts: Counts
  readonly onCall: (call: PlannedCall) => void
  readonly sameMetrics: boolean
}

/** False when the last build took its values otherwise; other replies and judgements are counted by themselves. */
const hasSameMetrics = ({ spec }: Target, { key }: TargetKey, { store, profile }: StageEnv): boolean => {
  const last = readLastBuild(spec.name, store)?.key
  if (last === undefined) return true
  const before = PROFILES.find((each) => each === last['profile']) ?? profile
  const [then, now] = [before, profile].map((each) => dialectOf(each).retokenizes)
  return then === now && JSON.stringify(last['metrics']) === JSON.stringify(key['metrics'])
}

const planRequest = async (ref: InstanceRef, prompts: PromptStage, plan: RequestPlan): Promise<void> => {
  const { target, reader, annotator, env, counts, sameMetrics } = plan
  const load = () => loadInstance(ref, env.store)
  const prompt = await prompts.run({ digest: ref.digest, load })
  add(counts, 'prompts', prompt.cached)
  const asker = createAsker(target.deployment, target.spec, env)
  const request = completionRequest(helmRequest(target.spec.adapter, prompt.prompt.text))
  const { completion, digest } = asker.peek(request)
  add(counts, 'completions', completion !== undefined)
  if (isRemote(target.deployment)) {
    counts.calls += completion === undefined ? 1 : 0
    const { deployment } = target
    plan.onCall({
      target,
      judge: null,
      deployment,
      request,
      digest,
      ...(completion === undefined ? {} : { completion }),
    })
  }
  let judged = completion !== undefined
  if (completion === undefined) {
    add(counts, 'annotations', false, annotationColumns(target))
    counts.calls += target.judges.filter(({ deployment }) => isRemote(deployment)).length
    for (let judge = 0; judge < target.judges.length; judge += 1) planJudge(judge, load(), undefined, plan)
  } else {
    const answer = answerOf(reader.read(completion, false))
    for (const [index, cached] of (annotator?.peek(load(), answer) ?? []).entries()) {
      add(counts, 'annotations', cached)
      judged &&= cached
      const deployment = target.judges[index]?.deployment
      if (cached || deployment === undefined || !isRemote(deployment)) continue
      counts.calls += 1
      planJudge(index, load(), answer, plan)
    }
  }
  // A metric's values hang on everything before it; the store knows them by digests that a missing answer withholds.
  add(counts, 'metrics', judged && sameMetrics && completion !== undefined, target.spec.metrics.length)
}

/** @param answer undefined where it is not known yet */
const planJudge = (
  index: number,
  instance: Instance,
  answer: string | undefined,
  { target, onCall }: RequestPlan,
): void => {
  const judge = target.judges[index]
  const { jury } = target.spec.benchmark
  if (judge === undefined || jury === undefined || !isRemote(judge.deployment)) return
  const { deployment } = judge
  const request = judgeRequest(juryPrompt(jury, instance, answer ?? ''))
  const known = answer === undefined ? {} : { digest: completionPlace(deployment, request).digest }
  onCall({ target, judge: judge.judge.name, deployment, request, ...known })
}
