import { expect, test } from 'vitest'
import type { Target } from '../../../targets/record/target.ts'
import { checkTargets } from '../../../targets/scheduler/lanes.ts'
import { runTargets } from '../../../targets/scheduler/run-targets.ts'
import { targetKey } from '../../../targets/keys/keys.ts'
import { madeUpInstances, madeUpRun, madeUpTarget, textReply, type MadeUpRun } from '../../rig/made-up-run.ts'
import { digestJson } from '../../../cache/values/digest.ts'

const NAME = 'Ms Made-Up'
const instances = madeUpInstances([['Which?', 'aspirin']])
const others = madeUpInstances([['And which now?', 'aspirin']])

const torn = (access: 'public' | 'private', model = 'm/a'): Target =>
  madeUpTarget({
    instances,
    access,
    model,
    benchmark: {
      instances: async function* () {
        yield* instances
        throw new Error(`row of ${NAME}`)
      },
    },
  })

const check = (targets: readonly Target[], { env }: MadeUpRun) =>
  checkTargets(targets, (target) => targetKey(target, env.profile), env)

test('What looking at data ends in is told before anybody is asked, and of private data without its words.', async () => {
  const run = await madeUpRun(() => textReply('aspirin'))
  const [open, closed, sound] = [
    torn('public'),
    torn('private', 'm/b'),
    madeUpTarget({ instances: others, model: 'm/c' }),
  ]
  const { problems, listed } = await check([open, closed, sound], run)
  expect((problems.get(open) as Error).message).toBe(`row of ${NAME}`)
  expect((problems.get(closed) as Error).message).toMatch(/withheld/)
  expect(JSON.stringify([...problems].slice(1))).not.toContain(NAME)
  expect([...listed]).toEqual([sound])
  expect(run.asked).toEqual([])
})

test('So it is where a client of the workspace’s own code is asked; nothing is looked at for embedded models alone.', async () => {
  const run = await madeUpRun(() => textReply('aspirin'))
  const asked = (client: Partial<Target['deployment']>): Target => {
    const target = torn('public')
    return { ...target, deployment: { ...target.deployment, ...client } }
  }
  const own = asked({
    client: { className: 'workspace.clients.own', args: {} },
    code: { file: '', digest: digestJson<'code'>('own') },
  })
  expect([...(await check([own], run)).problems.keys()]).toEqual([own])
  const embedded = asked({ client: { className: 'medmake.simple', args: {} } })
  expect((await check([embedded], run)).problems.size).toBe(0)
})

test('Data that can’t be read is read once, for however many models.', async () => {
  let reads = 0
  const targetOf = (model: string) =>
    madeUpTarget({
      instances,
      model,
      benchmark: {
        // oxlint-disable-next-line require-yield -- it fails before the first
        instances: async function* () {
          reads += 1
          throw new Error('torn')
        },
      },
    })
  const run = await madeUpRun(() => textReply('aspirin'))
  const { problems } = await check(['m/a', 'm/b', 'm/c'].map(targetOf), run)
  expect([problems.size, reads]).toEqual([3, 1])
})

test('A target that fails stops no other; what is sound is built.', async () => {
  const run = await madeUpRun(() => textReply('aspirin'))
  const built: string[] = []
  const failed: string[] = []
  const checked: string[] = []
  await runTargets([torn('public'), madeUpTarget({ instances: others, model: 'm/c' })], run.env, {
    onResult: async ({ target }) => void built.push(target.spec.name),
    onProblem: (target) => void failed.push(target.spec.name),
    onChecked: (all) => void checked.push(...all.map(({ spec }) => spec.name)),
  })
  expect([built, failed, checked]).toEqual([
    ['letters:model=m_c'],
    ['letters:model=m_a'],
    ['letters:model=m_a'],
  ])
})

test('Nothing is read, and nobody asked, where an agreement lacks for any of the targets.', async () => {
  const run = await madeUpRun(() => textReply('aspirin'))
  let reads = 0
  const target = madeUpTarget({
    instances,
    access: 'private',
    benchmark: {
      instances: async function* () {
        reads += 1
        yield* instances
      },
    },
  })
  const elsewhere = {
    kind: 'server',
    host: 'x.example',
    address: 'x.example:443',
    isEncrypted: true,
  } as const
  const running = runTargets(
    [madeUpTarget({ instances }), target],
    { ...run.env, endpoint: () => elsewhere },
    {
      onResult: async () => undefined,
      onProblem: () => undefined,
    },
  )
  await expect(running).rejects.toMatchObject({ exitCode: 5 })
  expect([reads, run.asked]).toEqual([0, []])
})
