import { groupBy, sideBySide } from '../../cache/lists.ts'
import { asProblem } from '../../cache/store-problems.ts'
import { discreetError } from '../../cache/problems/withheld.ts'
import { type SharedEnv, envFor, layered, type StageEnv } from '../env/env.ts'
import { requireAgreements, tellAssumed } from '../access/agreements.ts'
import type { RunFailure } from '../record/record.ts'
import { type Target, deploymentsOf } from '../record/target.ts'
import { overlayStore } from '../../cache/memory-store.ts'
import { LostValueError } from '../../cache/problems/lost-value.ts'
import { digestJson } from '../../cache/values/digest.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import type { TargetKey } from '../keys/keys.ts'
import { openRun, withRun, openStages } from '../walk/run.ts'
import { freshRecord } from '../record/trace.ts'
import { isRemote } from '../../models/clients/create-client.ts'

/** Targets of one deployment that run at a time: one fills the gaps while the other's last replies come in. */
const PER_DEPLOYMENT = 2
/** Deployments that are worked on at a time. Each has dozens of requests under way: with a thousand the heap is full of them. */
const LANES = 64

/**
 * What comes before anything runs.
 * @throws ProblemError `models/data-agreement`
 */
export const beginTargets = async (targets: readonly Target[], env: SharedEnv): Promise<void> => {
  requireAgreements(targets, env.endpoint)
  await tellAssumed(targets, env)
  env.listener({ type: 'plan', targets: targets.length })
}

/** Tells how a target ended, and of its failures where nobody did yet. */
export const tellEnd = (
  { spec: { name } }: Target,
  failures: readonly RunFailure[],
  { listener }: Pick<SharedEnv, 'listener'>,
): void => {
  for (const failure of failures) listener({ type: 'instance-failed', target: name, ...failure })
  const outcome = failures.length === 0 ? 'built' : 'incomplete'
  listener({ type: 'target-finished', target: name, outcome, failures: failures.length })
}

/**
 * Works on targets of different deployments side by side, up to a number of deployments, all through one store and one limiter a deployment.
 * A stopped run begins no further target. An error of one target does not stop the others.
 */
export const inLanes = async (
  targets: readonly Target[],
  env: Pick<SharedEnv, 'stop'>,
  work: (target: Target) => Promise<void>,
  onError: (target: Target, error: unknown) => void,
): Promise<void> => {
  const workOrTell = async (target: Target): Promise<void> => {
    if (env.stop.aborted) return
    try {
      await work(target)
    } catch (error) {
      const isOpen = target.spec.benchmark.access === 'public'
      onError(target, isOpen ? asProblem(error) : discreetError(asProblem(error)))
    }
  }
  const lanes = [...groupBy(targets, ({ deployment }) => deployment.name).values()]
  await sideBySide(lanes, LANES, (lane) => sideBySide(lane, PER_DEPLOYMENT, workOrTell))
}

/** What looking at targets before the first paid call found. */
interface CheckedTargets {
  /** Of those that cannot be built. */
  readonly problems: ReadonlyMap<Target, unknown>
  /** Whose data was read by the look. */
  readonly listed: ReadonlySet<Target>
}

/**
 * Reads the data of every target that is to be built, makes its first prompts and opens its stages, so that a mistake in
 * the last of them is told before the first is paid for. Where nobody is paid nothing is looked at.
 *
 * @param isDone whether all of a target's results are there
 */
export const checkTargets = async (
  targets: readonly Target[],
  keyOf: (target: Target) => Promise<TargetKey>,
  env: SharedEnv,
  isDone = ({ digest }: TargetKey): boolean => freshRecord(digest, env.records) !== undefined,
): Promise<CheckedTargets> => {
  const problems = new Map<Target, unknown>()
  const listed = new Set<Target>()
  if (!targets.some((target) => deploymentsOf(target).some(isRemote))) return { problems, listed }
  /** What reading the same data again would end in. */
  const unreadable = new Map<string, unknown>()
  for (const target of targets) {
    if (env.stop.aborted) break
    try {
      const key = await keyOf(target)
      if (isDone(key)) continue
      const data = key.key['instances'] as JsonObject
      const id = digestJson(data)
      if (unreadable.has(id)) throw unreadable.get(id)
      const look = { target, data, onUnreadable: (error: unknown) => void unreadable.set(id, error) }
      if (await isListedNow(look, await envFor(target.spec.benchmark, env))) listed.add(target)
    } catch (error) {
      // A build makes again what the store lost.
      if (error instanceof LostValueError) continue
      problems.set(target, target.spec.benchmark.access === 'public' ? error : discreetError(error))
    }
  }
  return { problems, listed }
}

interface Look {
  readonly target: Target
  /** Key of its instances. */
  readonly data: JsonObject
  readonly onUnreadable: (error: unknown) => void
}

/** True where the store lacked the list of instances, which it has from now on. The prompts are not kept. */
const isListedNow = async ({ target, data, onUnreadable }: Look, env: StageEnv): Promise<boolean> => {
  let isRead = false
  try {
    return await withRun(target, data, env, async ({ list }) => {
      isRead = true
      const trial = layered(env, overlayStore)
      const run = openRun(target, list, trial)
      const prompts = Array.from({ length: target.spec.adapter.numTrainTrials }, (_, index) =>
        run.prompts(index),
      )
      if (run.requests > 0) {
        const { ref, instance } = run.at(0)
        for (const stage of prompts) await stage.run({ digest: ref.digest, load: instance })
      }
      await openStages(target, trial)
      return !list.cached
    })
  } catch (error) {
    if (!isRead) onUnreadable(error)
    throw error
  }
}
