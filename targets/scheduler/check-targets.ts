import { overlayStore } from '../../cache/overlay-store.ts'
import { LostValueError } from '../../cache/problems/lost-value.ts'
import { digestJson } from '../../cache/values/digest.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import { discreetError } from '../../cache/problems/withheld.ts'
import { envFor, layered } from '../env/restricted-env.ts'
import type { TargetKey } from '../keys/target-key.ts'
import { deploymentsOf, type Target } from '../record/target.ts'
import type { SharedEnv, StageEnv } from '../env/env.ts'
import { openRun, withRun, openStages } from '../walk/run.ts'
import { freshRecord } from '../record/trace.ts'
import { isRemote } from '../../models/clients/is-remote.ts'

/** What looking at targets before the first paid call found. */
export interface CheckedTargets {
  /** Of those that cannot be built. */
  readonly problems: ReadonlyMap<Target, unknown>
  /** Whose data was read by the look. */
  readonly listed: ReadonlySet<Target>
}

/**
 * Reads the data of every target that is to be built, makes its first prompts and opens its stages, so that a mistake in
 * the last of them is told before the first is paid for. Where nobody is paid nothing is looked at.
 */
export const checkTargets = async (
  targets: readonly Target[],
  keyOf: (target: Target) => Promise<TargetKey>,
  env: SharedEnv,
): Promise<CheckedTargets> => {
  const problems = new Map<Target, unknown>()
  const listed = new Set<Target>()
  if (!targets.some(isPaid)) return { problems, listed }
  /** What reading the same data again would end in. */
  const unreadable = new Map<string, unknown>()
  for (const target of targets) {
    if (env.stop.aborted) break
    try {
      const { key, digest } = await keyOf(target)
      if (freshRecord(digest, env.records) !== undefined) continue
      const data = key['instances'] as JsonObject
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

const isPaid = (target: Target): boolean => deploymentsOf(target).some(isRemote)

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
