import { remembered } from '../../cache/once.ts'
import type { Digest } from '../../cache/values/digest.ts'
import type { Causes } from '../record/coverage.ts'
import type { RunRecord } from '../record/record.ts'
import { STAGES } from '../event.ts'
import { envFor, type SharedEnv } from '../env/env.ts'
import { buildRecord, type Building, type BuildResult } from '../walk/build.ts'
import { checkTargets, beginTargets, inLanes } from './lanes.ts'
import type { Target } from '../record/target.ts'
import { targetKey, type TargetKey } from '../keys/keys.ts'
import {
  dropLost,
  freshRecord,
  readLastBuild,
  traceOf,
  writeTrace,
  type FreshBuild,
} from '../record/trace.ts'
import { usageCosts } from '../spend/paid-attempt.ts'

/** A target that ended with a record, complete or not. */
export interface TargetResult {
  readonly target: Target
  readonly record: RunRecord
  readonly digest: Digest<'record'>
  /** `record.complete`, without opening the record. */
  readonly complete: boolean
  /** `record.causes`, likewise. */
  readonly causes: Causes
  /** `record.omitted`, likewise. */
  readonly omitted: readonly string[]
  /** True when no stage had to run. */
  readonly fresh: boolean
}

/**
 * Builds targets: those whose inputs are all as they were cost a key and a look-up, the others go through the stages.
 * Targets of different deployments run side by side, all through one store and one limiter a deployment.
 * A problem of one target (bad data, say) does not stop the others; it is given to `onProblem`. What the data, the
 * declarations and the first prompts show is found out before the first call of any.
 *
 * @throws ProblemError `models/data-agreement` before anything runs
 */
export const runTargets = async (
  targets: readonly Target[],
  env: SharedEnv,
  hooks: {
    /** Called when a target has its record, before the next target of its lane begins. */
    readonly onResult: (result: TargetResult) => Promise<void>
    readonly onProblem: (target: Target, error: unknown) => void
    /** Called before the first call, with the targets that have a problem already. */
    readonly onChecked?: (failed: readonly Target[]) => void
  },
): Promise<void> => {
  await beginTargets(targets, env)
  const keys = new Map<Target, Promise<TargetKey>>()
  const keyOf = (target: Target): Promise<TargetKey> =>
    remembered(keys, target, () => targetKey(target, env.profile))
  const { problems, listed } = await checkTargets(targets, keyOf, env)
  for (const [target, problem] of problems) hooks.onProblem(target, problem)
  hooks.onChecked?.([...problems.keys()])
  const runOne = async (target: Target): Promise<void> => {
    const given = { target, isListedNow: listed.has(target), onResult: hooks.onResult }
    try {
      await runTarget(await keyOf(target), given, env)
    } catch (error) {
      // A finished build stands on something that is gone.
      if (!(await dropLost(error, env.records))) throw error
      await runTarget(await targetKey(target, env.profile), given, env)
    }
  }
  await inLanes(
    targets.filter((target) => !problems.has(target)),
    env,
    runOne,
    hooks.onProblem,
  )
}

interface GivenTarget {
  readonly target: Target
  /** Its data was read just now, when it was checked. */
  readonly isListedNow: boolean
  readonly onResult: (result: TargetResult) => Promise<void>
}

const runTarget = async (
  key: TargetKey,
  { target, isListedNow, onResult }: GivenTarget,
  env: SharedEnv,
): Promise<void> => {
  const fresh = freshRecord(key.digest, env.records)
  if (fresh !== undefined) {
    await onResult(freshResult(target, fresh))
    return reportFresh(target, fresh, env)
  }
  const built = await build({ target, key, isListedNow }, env)
  if (built === undefined) return
  env.listener({
    type: 'target-finished',
    target: target.spec.name,
    outcome: built.record.complete ? 'built' : 'incomplete',
    failures: built.record.failures.length,
  })
  const { complete, causes, omitted } = built.record
  await onResult({ target, ...built, complete, causes, omitted, fresh: false })
}

const build = async (
  { target, key, isListedNow }: Omit<Building, 'wasBuilt'>,
  shared: SharedEnv,
): Promise<BuildResult | undefined> => {
  const { name, benchmark } = target.spec
  const env = await envFor(benchmark, shared)
  env.listener({ type: 'target-stale', target: name })
  const wasBuilt = readLastBuild(name, env.store)?.digest === key.digest
  const built = await buildRecord({ target, key, isListedNow, wasBuilt }, env)
  if (built !== undefined) await writeTrace(name, key, traceOf(built.record, built.digest), env.store)
  return built
}

/** The record stays closed until someone asks for it. */
const freshResult = (target: Target, fresh: FreshBuild): TargetResult => ({
  target,
  digest: fresh.digest,
  complete: true,
  causes: fresh.trace.causes,
  omitted: fresh.trace.omitted ?? [],
  fresh: true,
  get record(): RunRecord {
    return fresh.record
  },
})

const reportFresh = (target: Target, fresh: FreshBuild, { listener, spending }: SharedEnv): void => {
  const { counts, failures, usage = fresh.record.usage } = fresh.trace
  const name = target.spec.name
  for (const stage of STAGES)
    listener({ type: 'stage-results', target: name, stage, executed: 0, cached: counts[stage] })
  for (const { replies, usd } of usageCosts(target, usage, spending.priceOf))
    listener({ type: 'replies-reused', target: name, replies, usd })
  listener({ type: 'target-finished', target: name, outcome: 'fresh', failures })
}
