import { expect, test } from 'vitest'
import { planDigest, shardPlan } from '../../../targets/scheduler/shard-targets.ts'
import { madeUpInstances, madeUpTarget, type MadeUpTarget } from '../../rig/made-up-run.ts'

const target = (model: string, more: Partial<MadeUpTarget> = {}) =>
  madeUpTarget({ instances: madeUpInstances([['Well?', 'yes']]), model, ...more })

test('Parts are of one plan where they have the same targets, in whatever order, under the same access and profile.', async () => {
  const digestOf = async (targets: Parameters<typeof shardPlan>[0], more: object = {}) => {
    const asked = { shards: 2, vault: null, profile: 'helm-0.5.16' as const, ...more }
    return planDigest(await shardPlan(targets, asked, asked))
  }
  const [a, b] = [target('m/a'), target('m/b')]
  const own = await digestOf([a, b])
  expect(await digestOf([b, a])).toBe(own)
  const others = await Promise.all([
    digestOf([a]),
    digestOf([a, target('m/c')]),
    digestOf([a, target('m/b', { access: 'gated' })]),
    digestOf([a, b], { profile: 'medhelm-0.8' }),
    digestOf([a, b], { shards: 3 }),
    digestOf([a, b], { vault: 'key' }),
  ])
  expect(new Set([own, ...others]).size).toBe(7)
})
