import { ProblemError } from '../../../cache/problems/problem.ts'
import type { Tier } from '../../../cache/tier/tier.ts'
import { planDigest, type ShardPlan } from '../../../targets/scheduler/shard-targets.ts'

const MEANING: Readonly<Record<keyof ShardPlan, string>> = {
  shards: 'tasks',
  code: 'medmake',
  targets: 'targets',
  keys: 'declarations and data',
  vault: 'vault key',
}

/**
 * Tells in what this task differs from the plan that it was to follow.
 * @throws ProblemError `cluster/other-plan`
 */
export const requirePlan = async (wanted: string, own: ShardPlan, tier: Tier): Promise<void> => {
  const file = (await tier.list('plan')).find(({ name }) => name.startsWith(`plan/${wanted}`))
  if (file !== undefined && planDigest(own).startsWith(wanted)) return
  const text = file && (await tier.read(file.name))
  const plan = text && (JSON.parse(text.toString('utf8')) as ShardPlan)
  const names = Object.keys(MEANING) as (keyof ShardPlan)[]
  const differing = plan === undefined ? [] : names.filter((name) => plan[name] !== own[name])
  const told = differing.map(
    (name) => `${MEANING[name]}: ${plan?.[name] ?? 'none'} there, ${own[name] ?? 'none'} here`,
  )
  throw new ProblemError({
    code: 'cluster/other-plan',
    message:
      plan === undefined
        ? `the tier has no plan ${wanted}`
        : `this task would split the work otherwise than its plan (${told.join('; ')})`,
    where: { field: '--plan' },
    remedy:
      plan === undefined
        ? `Nothing was called. See that ${tier.place} is mounted here and is what the plan was made for, or make it anew with \`medmake cluster plan\`.`
        : 'Nothing was called. Have all tasks run the same program on the same files, or make the plan anew with `medmake cluster plan`.',
  })
}
