import { expect, test } from 'vitest'
import { collectGarbage } from '../../../cache/collect-garbage.ts'
import { guardedStore } from '../../../cache/vault/open-vault.ts'
import { targetKey } from '../../../targets/keys/keys.ts'
import type { Target } from '../../../targets/record/target.ts'
import { planStages, planTarget } from '../../../targets/scheduler/plan-target.ts'
import { reachable } from '../../../tools/session/reachable.ts'
import type { Session } from '../../../tools/session/session.ts'
import { buildTargets } from '../../rig/build-targets.ts'
import {
  askedText,
  madeUpInstances,
  madeUpRun,
  madeUpTarget,
  realStore,
  textReply,
  type MadeUpRun,
} from '../../rig/made-up-run.ts'

const target = (rows: Parameters<typeof madeUpInstances>[0], model: string, access: 'public' | 'private') =>
  madeUpTarget({ instances: madeUpInstances(rows), judges: ['one'], model, access })

const build = (targets: readonly Target[], { env }: MadeUpRun): Promise<unknown> => buildTargets(targets, env)

/** Results of all stages that building a target once more would make. */
const missing = async (of: Target, { env }: MadeUpRun): Promise<Readonly<Record<string, number>>> => {
  const { stages } = await planStages(of, await targetKey(of, env.profile), env, { onCall: () => undefined })
  return Object.fromEntries(Object.entries(stages).map(([stage, { execute }]) => [stage, execute]))
}

test('What records stand on stays, here and in the vault; of all else nothing but replies.', async () => {
  const [records, vault] = [await realStore(), await realStore()]
  const run = await madeUpRun(
    (request) => {
      const text = askedText(request)
      if (!text.startsWith('Of ')) return textReply('yes')
      return textReply(`{"accuracy": {"score": ${text.includes('any more') ? 3 : 4}}}`)
    },
    { records, vault, more: { restricted: async () => ({ store: guardedStore(records, vault) }) } },
  )
  const kept = [
    target([['Asked?', 'yes']], 'm/kept', 'public'),
    target([['Asked in private?', 'yes']], 'm/private', 'private'),
  ]
  const left = target([['Not asked any more?', 'yes']], 'm/left', 'public')
  await build([...kept, left], run)
  const { env } = run
  const session = { store: records, vault: { exists: () => true, store: async () => vault }, env }
  const keep = await reachable(kept, session as unknown as Session)
  await collectGarbage(records, keep, { dryRun: false })
  await collectGarbage(vault, keep, { dryRun: false })
  for (const own of kept) {
    expect(await planTarget(own, env)).toMatchObject({ fresh: true })
    expect(await missing(own, run)).toEqual({
      instances: 0,
      prompts: 0,
      completions: 0,
      annotations: 0,
      metrics: 0,
    })
  }
  expect(await planTarget(left, env)).toMatchObject({ fresh: false, calls: 0 })
  expect(await missing(left, run)).toEqual({
    instances: 1,
    prompts: 1,
    completions: 0,
    annotations: 1,
    metrics: 2,
  })
  const asked = run.asked.length
  await build([...kept, left], run)
  expect(run.asked).toHaveLength(asked)
})
