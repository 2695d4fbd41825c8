import { envFor, layered, type SharedEnv, type StageEnv } from '../env/env.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import { targetKey, type TargetKey } from '../keys/keys.ts'
import type { Target } from '../record/target.ts'
import { nothingToDo, planWork, type PlanOptions, type WorkPlan } from '../walk/modes/plan.ts'
import { callPlace, type PlannedCall } from '../spend/spending.ts'
import { freshRecord } from '../record/trace.ts'
import { overlayStore } from '../../cache/memory-store.ts'
import { digestJson } from '../../cache/values/digest.ts'
import { listInstances } from '../stages/instances.ts'

/** An environment that has the target's instances, though the store lack them. */
interface Listed {
  readonly env: StageEnv
  /** Whether the store has them. */
  readonly cached: boolean
}

type Listing = (target: Target, key: JsonObject, env: StageEnv) => Promise<Listed>

/** Data that several targets in a row ask about is read once, and forgotten with the last of them. */
export const sharedListing = (): Listing => {
  let last: (Listed & { readonly digest: string; readonly own: StageEnv['store'] }) | undefined
  return async ({ spec: { benchmark } }, key, env) => {
    const digest = digestJson(key)
    if (last?.digest === digest && last.own === env.store)
      return { ...last, env: { ...env, store: last.env.store } }
    last = undefined
    const listed = layered(env, overlayStore)
    const { cached } = await listInstances(benchmark, key, listed)
    last = { digest, own: env.store, env: listed, cached }
    return last
  }
}

/** What building a target would do. */
export interface TargetPlan extends WorkPlan {
  readonly target: Target
  readonly key: TargetKey
  readonly fresh: boolean
}

/**
 * Finds out what would run. Reads data where the store lacks it; writes nothing, calls nothing.
 * @param onCall is given each request of a target that is not fresh, as far as it would reach a server
 * @param listing reads data for several plans; without it each reads its own
 */
export const planTarget = async (
  target: Target,
  shared: SharedEnv,
  onCall: (call: PlannedCall) => void = () => undefined,
  listing?: Listing,
): Promise<TargetPlan> => {
  const key = await targetKey(target, shared.profile)
  const fresh = freshRecord(key.digest, shared.records)
  if (fresh !== undefined) return { target, key, fresh: true, ...nothingToDo(fresh.trace.counts) }
  return { target, key, fresh: false, ...(await planStages(target, key, shared, { onCall }, listing)) }
}

/** Plans of several targets one after the other: a request that several make is a call of the first. */
export const planInTurn = (env: SharedEnv): ((target: Target) => Promise<TargetPlan>) => {
  const before = new Set<string | undefined>()
  const listing = sharedListing()
  return async (target) => {
    const own = new Set<string | undefined>()
    const plan = await planTarget(
      target,
      env,
      (call) => {
        const place = callPlace(call)
        if (call.completion === undefined && !before.has(place)) own.add(place)
      },
      listing,
    )
    for (const place of own) before.add(place)
    return { ...plan, calls: own.size }
  }
}

/** The plan of a target stage by stage, though it be fresh. */
export const planStages = async (
  target: Target,
  { key }: TargetKey,
  shared: SharedEnv,
  options: PlanOptions,
  listing?: Listing,
): Promise<WorkPlan> => {
  const instances = key['instances'] as JsonObject
  const env = await envFor(target.spec.benchmark, shared)
  const listed = await listing?.(target, instances, env)
  const plan = await planWork(target, instances, listed?.env ?? env, options)
  if (listed?.cached !== false) return plan
  const { execute, cached } = plan.stages.instances
  return { ...plan, stages: { ...plan.stages, instances: { execute: execute + cached, cached: 0 } } }
}
