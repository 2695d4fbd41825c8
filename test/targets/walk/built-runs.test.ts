import { describe, expect, test } from 'vitest'
import { groupBy } from '../../../cache/lists.ts'
import { ClientError } from '../../../models/calls/client.ts'
import { planInTurn, planStages, planTarget } from '../../../targets/scheduler/plan-target.ts'
import type { TargetResult } from '../../../targets/scheduler/run-targets.ts'
import type { Target } from '../../../targets/record/target.ts'
import { targetKey, instancesKey } from '../../../targets/keys/keys.ts'
import { generateCompletions } from '../../../targets/walk/modes/generate.ts'
import { envFor } from '../../../targets/env/env.ts'
import { storedInstanceList } from '../../../targets/record/instance-ref.ts'
import { dropAllBuilds } from '../../../targets/record/trace.ts'
import { askShard } from '../../../targets/walk/shard.ts'
import { viewRecord } from '../../../targets/walk/modes/read.ts'
import { buildTargets } from '../../rig/build-targets.ts'
import {
  madeUpInstances,
  madeUpRun,
  madeUpTarget,
  realStore,
  textReply,
  type MadeUpRun,
} from '../../rig/made-up-run.ts'

const ROWS = [
  ['Aspirin was stopped.', 'aspirin'],
  ['Heparin was stopped.', 'heparin'],
  ['Nothing was stopped.', 'none'],
] as const

/** A model that is right about the first two, and judges that give 4. */
const answer = ({ messages }: { readonly messages: readonly { readonly content: string }[] }) => {
  const asked = messages.map(({ content }) => content).join()
  if (asked.startsWith('Of ')) return textReply('{"accuracy": {"score": 4}}')
  return textReply(asked.includes('Aspirin') ? 'aspirin' : 'heparin')
}

const build = async (target: Target, { env }: MadeUpRun): Promise<TargetResult | undefined> => {
  return (await buildTargets([target], env))[0]
}

/** Who was asked, call by call. */
const askedOf = ({ asked }: MadeUpRun, from = 0): readonly string[] =>
  asked.slice(from).map((line) => line.split(':')[0] ?? '')

const tallied = (names: readonly string[]): Readonly<Record<string, number>> =>
  Object.fromEntries([...groupBy(names, (name) => name)].map(([name, own]) => [name, own.length]))

const statOf = (result: TargetResult | undefined, name: string): number | undefined => {
  const stat = result?.record.stats.find((each) => each.name.name === name && each.name.split === 'test')
  return stat === undefined ? undefined : stat.sum / stat.count
}

describe('A target', () => {
  const target = madeUpTarget({ instances: madeUpInstances(ROWS), judges: ['one', 'two'] })

  test('that was built before reads its data again where an instance was lost, though nothing asks for it.', async () => {
    const plain = madeUpTarget({ instances: madeUpInstances(ROWS) })
    const run = await madeUpRun(answer)
    const { records: store } = run.env
    const first = await build(plain, run)
    const { refs } = storedInstanceList(String(first?.record.instances), store) ?? { refs: [] }
    const lost = String(refs[0]?.digest)
    await store.remove('instances', lost)
    await dropAllBuilds(store)
    expect((await build(plain, run))?.digest).toBe(first?.digest)
    expect(store.has('instances', lost)).toBe(true)
    expect(askedOf(run)).toHaveLength(ROWS.length)
  })

  test('of an answer of blanks has no judgement to count.', async () => {
    const run = await madeUpRun(() => textReply(' '))
    await build(target, run)
    const counted = run.events.filter(
      (event) => event.type === 'stage-results' && event.stage === 'annotations',
    )
    expect(counted).toEqual([])
  })

  test('is asked and judged once an instance, and from then on not at all.', async () => {
    const run = await madeUpRun(answer)
    const first = await build(target, run)
    expect(tallied(askedOf(run))).toEqual({ 'j/one': 3, 'j/two': 3, 'm/a': 3 })
    expect(first).toMatchObject({ fresh: false, complete: true })
    expect(statOf(first, 'exact_match')).toBeCloseTo(2 / 3, 12)
    expect(statOf(first, 'letters_accuracy')).toBe(4)
    const listed = run.events.filter((event) => event.type === 'stage-results' && event.stage === 'instances')
    expect(listed).toMatchObject([{ executed: 3, cached: 0 }])
    const again = await build(target, run)
    expect(again).toMatchObject({ fresh: true, digest: first?.digest })
    expect(run.asked).toHaveLength(9)
  })

  test('is asked about a changed instance alone, a moved or renamed one is not.', async () => {
    const run = await madeUpRun(answer)
    await build(target, run)
    const [one, two, three] = ROWS
    const changed = madeUpTarget({
      instances: madeUpInstances([three, one, ['Heparin was given.', two[1]]]),
      judges: ['one', 'two'],
    })
    expect(await build(changed, run)).toMatchObject({ fresh: false })
    expect(askedOf(run, 9)).toEqual(['m/a', 'j/one', 'j/two'])
    expect(run.asked.slice(9).every((line) => line.includes('Heparin was given.'))).toBe(true)
  })

  test('of one judge more asks that judge, of one less nobody.', async () => {
    const run = await madeUpRun(answer)
    const instances = madeUpInstances(ROWS)
    await build(madeUpTarget({ instances, judges: ['one'] }), run)
    await build(target, run)
    expect(askedOf(run, 6)).toEqual(['j/two', 'j/two', 'j/two'])
    await build(madeUpTarget({ instances, judges: ['two'] }), run)
    expect(run.asked).toHaveLength(9)
  })

  test('is planned as it is built: the calls that are missing, then none.', async () => {
    const run = await madeUpRun(answer)
    const calls: string[] = []
    const plan = await planTarget(target, run.env, ({ judge }) => calls.push(judge ?? 'model'))
    expect(plan).toMatchObject({ fresh: false, calls: 9 })
    expect(plan.stages).toEqual({
      instances: { execute: 3, cached: 0 },
      prompts: { execute: 3, cached: 0 },
      completions: { execute: 3, cached: 0 },
      annotations: { execute: 6, cached: 0 },
      metrics: { execute: 6, cached: 0 },
    })
    expect(tallied(calls)).toEqual({ model: 3, one: 3, two: 3 })
    expect([run.asked, [...run.env.records.entries('prompts')]]).toEqual([[], []])
    await build(target, run)
    expect(await planTarget(target, run.env)).toMatchObject({
      fresh: true,
      calls: 0,
      stages: { annotations: { execute: 0, cached: 6 } },
    })
  })

  test('is planned after another for the calls that the other leaves: equal requests are made once.', async () => {
    const run = await madeUpRun(answer)
    const plan = planInTurn(run.env)
    const other = madeUpTarget({ instances: madeUpInstances(ROWS), judges: ['one', 'two', 'three'] })
    const renamed = { ...other, spec: { ...other.spec, name: 'other' } }
    const plans = [await plan(target), await plan(renamed), await plan(target)]
    expect(plans.map(({ calls }) => calls)).toEqual([9, 3, 0])
    // What one plan read of the data is no more at hand for the next.
    const listed = plans.map(({ stages }) => stages.instances)
    expect(listed).toEqual(plans.map(() => ({ execute: 3, cached: 0 })))
    await build(target, run)
    expect(await build(renamed, run)).toMatchObject({ fresh: false })
    expect(run.asked).toHaveLength(9 + 3)
  })

  test('of whose answers one is blank is planned to be judged for the others, at judges that cost calls.', async () => {
    const run = await madeUpRun((request) =>
      request.messages[0]?.content.includes('Nothing') === true ? textReply(' ') : answer(request),
    )
    const key = await instancesKey(target.spec.benchmark)
    const env = await envFor(target.spec.benchmark, run.env)
    const generated = await generateCompletions(target, key, env)
    expect(generated).toMatchObject({ requests: 3, failures: [] })
    expect((await generateCompletions(target, key, env))?.digest).toBe(generated?.digest)
    expect(await planTarget(target, run.env)).toMatchObject({
      calls: 4,
      stages: { completions: { execute: 0, cached: 3 }, annotations: { execute: 4, cached: 0 } },
    })
    const [one, two] = target.judges
    if (one === undefined || two === undefined) throw new Error('there are two')
    const embedded = { ...two.deployment, client: { className: 'medmake.simple', args: {} } }
    const half = { ...target, judges: [one, { ...two, deployment: embedded }] }
    expect(await planTarget(half, run.env)).toMatchObject({
      calls: 2,
      stages: { annotations: { execute: 4 } },
    })
    await build(half, run)
    const replies: number[] = []
    await planStages(half, await targetKey(half, env.profile), run.env, {
      onCall: () => undefined,
      onJudged: (each) => replies.push(each.length),
    })
    expect(replies).toEqual([1, 1, 0])
  })

  test('whose calls fail is incomplete, scored where it was answered, and asked for the rest next time.', async () => {
    let isDown = true
    const run = await madeUpRun((request) => {
      if (isDown && request.messages[0]?.content.includes('Nothing'))
        throw new ClientError('http/400', 'bad', { retriable: false, status: 400 })
      return answer(request)
    })
    const first = await build(target, run)
    expect(first?.complete).toBe(false)
    expect(first?.record.failures).toMatchObject([
      { instance: 'id2', stage: 'completions', code: 'http/400' },
    ])
    expect(first?.record.coverage).toMatchObject({ evaluated: 3, measured: 2 })
    const before = run.asked.length
    isDown = false
    const second = await build(target, run)
    expect(second).toMatchObject({ complete: true, fresh: false })
    expect(askedOf(run, before)).toEqual(['m/a', 'j/one', 'j/two'])
    expect(statOf(second, 'exact_match')).toBeCloseTo(2 / 3, 12)
  })

  test('whose judges reply what can’t be read has nothing to be asked again, in a shard and in the walk to the answers.', async () => {
    const run = await madeUpRun((request) =>
      request.messages[0]?.content.startsWith('Of ') === true ? textReply('I like it.') : answer(request),
    )
    const env = await envFor(target.spec.benchmark, run.env)
    const key = await instancesKey(target.spec.benchmark)
    expect(await askShard(target, key, { index: 0, count: 1 }, env)).toEqual({
      owned: 3,
      answered: 3,
      failures: [],
    })
    // Whoever merges the replies makes these.
    expect([...run.env.records.entries('prompts'), ...run.env.records.entries('annotations')]).toEqual([])
    const stopped: MadeUpRun = await madeUpRun((request) => {
      if (request.messages[0]?.content.includes('Nothing') === true) stopped.stop()
      return answer(request)
    })
    const own = await envFor(target.spec.benchmark, stopped.env)
    expect(await askShard(target, key, { index: 0, count: 1 }, own)).toBeUndefined()
    const down = await madeUpRun((request) => {
      if (request.messages[0]?.content.includes('Nothing') === true)
        throw new ClientError('http/400', 'bad', { retriable: false, status: 400 })
      return answer(request)
    })
    const generated = await generateCompletions(target, key, await envFor(target.spec.benchmark, down.env))
    expect(generated?.failures).toMatchObject([{ instance: 'id2', stage: 'completions', code: 'http/400' }])
    const closed = madeUpTarget({ instances: madeUpInstances(ROWS), access: 'private' })
    const closedEnv = await envFor(closed.spec.benchmark, down.env)
    const [failure] = (await generateCompletions(closed, key, closedEnv))?.failures ?? []
    expect([failure?.code, failure?.detail]).toEqual(['http/400', '[3 characters withheld]'])
  })

  test('that is stopped has no record, and what was answered is not asked again.', async () => {
    const records = await realStore()
    const run: MadeUpRun = await madeUpRun(
      (request) => {
        run.stop()
        return answer(request)
      },
      { records },
    )
    expect(await build(target, run)).toBeUndefined()
    const answered = run.asked.length
    expect(answered).toBeGreaterThan(0)
    const later = await madeUpRun(answer, { records })
    expect(await build(target, later)).toMatchObject({ complete: true })
    expect(answered + later.asked.length).toBe(9)
  })

  test('is read back as it was built, request by request.', async () => {
    const run = await madeUpRun(answer)
    const built = await build(target, run)
    if (built === undefined) throw new Error('nothing was built')
    const view = await viewRecord(target, built, run.env)
    const states = [...view.states()]
    expect(states.map(({ instance }) => instance.id)).toEqual(['id0', 'id1', 'id2'])
    expect(states.map(({ result }) => result?.completions[0]?.text)).toEqual([
      'aspirin',
      'heparin',
      'heparin',
    ])
    expect(states[1]?.request.prompt).toContain('Heparin was stopped.')
    expect([...(states[0]?.annotations?.keys() ?? [])]).toEqual(['letters'])
    const stats = [...view.perInstanceStats()]
    expect(stats.map(({ instanceId }) => instanceId)).toEqual(['id0', 'id1', 'id2', 'id0', 'id1', 'id2'])
  })

  test('in shards is asked in parts that are none twice, and built of them at no call.', async () => {
    const records = await realStore()
    const key = await instancesKey(target.spec.benchmark)
    const parts = []
    const asked: string[] = []
    for (const index of [0, 1, 2, 3]) {
      const run = await madeUpRun(answer, { records })
      const env = await envFor(target.spec.benchmark, run.env)
      parts.push(await askShard(target, key, { index, count: 4 }, env))
      asked.push(...run.asked)
    }
    expect(parts.reduce((sum, part) => sum + (part?.owned ?? 0), 0)).toBe(3)
    expect(new Set(asked).size).toBe(9)
    expect(asked).toHaveLength(9)
    const head = await madeUpRun(answer, { records })
    expect(await build(target, head)).toMatchObject({ complete: true })
    expect(head.asked).toEqual([])
  })
})

test('Of several trials each has its examples; equal requests are one call.', async () => {
  const run = await madeUpRun(answer)
  const instances = madeUpInstances([...ROWS, ['Aspirin was stopped.', 'aspirin']])
  const built = await build(madeUpTarget({ instances, adapter: { numTrainTrials: 2 } }), run)
  // Without examples the trials ask the same, and so do the first instance and the last.
  expect(run.asked).toHaveLength(3)
  expect(built?.record).toMatchObject({ rows: 8, complete: true })
  expect(statOf(built, 'exact_match')).toBeCloseTo(3 / 4, 12)
  if (built === undefined) throw new Error('nothing was built')
  const view = await viewRecord(madeUpTarget({ instances, adapter: { numTrainTrials: 2 } }), built, run.env)
  expect([...view.states()].map(({ result }) => result?.cached)).toEqual([
    false,
    false,
    false,
    true,
    true,
    true,
    true,
    true,
  ])
  // The last row says the same as the first: whoever wrote the rows could leave it out.
  expect(built.record.causes).toEqual({})
  const own = await build(madeUpTarget({ instances, benchmark: { isOwn: true } }), run)
  expect(own?.record.causes).toEqual({ 'row-repeated': 1 })
})

test('Of changed examples every request is asked anew.', async () => {
  const run = await madeUpRun(answer)
  const withExample = (text: string) =>
    madeUpTarget({
      instances: madeUpInstances([[text, 'x'], ...ROWS]).map((each, index) =>
        index === 0 ? { ...each, split: 'train' as const } : each,
      ),
      adapter: { maxTrainInstances: 1 },
    })
  await build(withExample('Warfarin was stopped.'), run)
  expect(run.asked).toHaveLength(3)
  await build(withExample('Warfarin was given.'), run)
  expect(run.asked).toHaveLength(6)
})

test('Texts that are not public are kept in the vault alone, and nothing else names anyone.', async () => {
  const NAME = 'Ms Made-Up'
  const instances = madeUpInstances([...ROWS, [`${NAME} was ill.`, NAME]]).map((each, index) => ({
    ...each,
    id: `${NAME} ${index}`,
  }))
  const target = madeUpTarget({ instances, access: 'private' })
  const run = await madeUpRun((request) => {
    const text = request.messages[0]?.content ?? ''
    if (text.includes('Nothing'))
      throw new ClientError('http/400', `${NAME} is bad: ${text}`, { retriable: false, status: 400 })
    return { ...textReply(NAME), model: NAME }
  })
  const env = await envFor(target.spec.benchmark, run.env)
  const key = await instancesKey(target.spec.benchmark)
  const part = await askShard(target, key, { index: 0, count: 1 }, env)
  expect(part).toMatchObject({ owned: 4, answered: 3, failures: [{ instance: 'instance 3' }] })
  expect(JSON.stringify(part)).not.toContain(NAME)
  const built = await build(target, run)
  expect(built?.record).toMatchObject({
    failures: [{ instance: 'instance 3' }],
    served: ['withheld name 1'],
  })
  const open = (['instances', 'prompts', 'completions', 'records', 'traces'] as const).flatMap((table) =>
    [...run.env.records.entries(table)].map(({ id }) => JSON.stringify(run.env.records.get(table, id))),
  )
  expect(open.filter((text) => text.includes(NAME))).toEqual([])
  expect([...run.vault.entries('completions')]).toHaveLength(3)
  expect([...run.env.records.entries('completions')]).toEqual([])
  expect(JSON.stringify(run.events)).not.toContain(NAME)
})
