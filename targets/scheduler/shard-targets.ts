import { CODE } from '../../cache/package-root.ts'
import { digestJson, type Digest } from '../../cache/values/digest.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import { type SharedEnv, envFor } from '../env/env.ts'
import type { Shard } from '../keys/shard.ts'
import { targetKey, type TargetKey } from '../keys/keys.ts'
import type { Target } from '../record/target.ts'
import { askShard, type ShardPart } from '../walk/shard.ts'
import { checkTargets, beginTargets, inLanes, tellEnd } from './lanes.ts'

/**
 * What all tasks of a run must agree on: they split by keys that other code, other data or another number of tasks make
 * otherwise. Digests and counts alone.
 */
export interface ShardPlan {
  readonly shards: number
  /** Version and digest of the program. */
  readonly code: string
  readonly targets: number
  /** Over the keys of all targets, their data's digests among them, and what access they have. */
  readonly keys: string
  /** Tells the vault's key from others; null where nothing is sealed. */
  readonly vault: string | null
}

export const planDigest = (plan: ShardPlan): Digest<'plan'> => digestJson<'plan'>({ ...plan })

export const shardPlan = async (
  targets: readonly Target[],
  { shards, vault }: Pick<ShardPlan, 'shards' | 'vault'>,
  env: Pick<SharedEnv, 'profile'>,
): Promise<ShardPlan> => {
  const digests: string[] = []
  for (const target of targets)
    digests.push(`${(await targetKey(target, env.profile)).digest} ${target.spec.benchmark.access}`)
  return {
    shards,
    code: `${CODE.version} ${CODE.digest}`,
    targets: targets.length,
    keys: digestJson(digests.sort()),
    vault,
  }
}

/**
 * Asks what falls to one shard, models and judges, and no more: metrics and records are made at no call by whoever runs
 * the targets on all shards' replies.
 *
 * @throws ProblemError `models/data-agreement` before anything runs
 */
export const shardTargets = async (
  targets: readonly Target[],
  shard: Shard,
  env: SharedEnv,
  hooks: {
    readonly onPart: (target: Target, part: ShardPart) => void
    readonly onProblem: (target: Target, error: unknown) => void
  },
): Promise<void> => {
  await beginTargets(targets, env)
  const keyOf = (target: Target): Promise<TargetKey> => targetKey(target, env.profile)
  const { problems } = await checkTargets(targets, keyOf, env)
  for (const [target, problem] of problems) hooks.onProblem(target, problem)
  const askOne = async (target: Target): Promise<void> => {
    const { key } = await keyOf(target)
    const own = await envFor(target.spec.benchmark, env)
    const part = await askShard(target, key['instances'] as JsonObject, shard, own)
    if (part === undefined) return
    tellEnd(target, part.failures, env)
    hooks.onPart(target, part)
  }
  const sound = targets.filter((target) => !problems.has(target))
  await inLanes(sound, env, askOne, hooks.onProblem)
}
