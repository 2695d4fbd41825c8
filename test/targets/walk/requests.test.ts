import { describe, expect, test } from 'vitest'
import { digestJson, digestOf, type DigestKind } from '../../../cache/values/digest.ts'
import { ClientError } from '../../../models/calls/client.ts'
import { envFor } from '../../../targets/env/env.ts'
import { instancesKey } from '../../../targets/keys/keys.ts'
import { shardOf } from '../../../targets/keys/shard.ts'
import { completionOf } from '../../../targets/record/completion.ts'
import { type Judgement, openJudges } from '../../../targets/stages/judge.ts'
import { listInstances } from '../../../targets/stages/instances.ts'
import type { MetricDigests } from '../../../targets/stages/metrics.ts'
import { goldJudge } from '../../../targets/walk/modes/gold.ts'
import { repeatedJudges } from '../../../targets/walk/modes/repeat.ts'
import { replayRun } from '../../../targets/walk/modes/replay.ts'
import { openRun } from '../../../targets/walk/run.ts'
import { walkRequest } from '../../../targets/walk/walk.ts'
import { askedText, madeUpInstances, madeUpRun, madeUpTarget, textReply } from '../../rig/made-up-run.ts'
import { requestOf } from '../../rig/model-calls.ts'

const INSTANCES = madeUpInstances([
  ['Aspirin was stopped.', 'aspirin'],
  ['Heparin was stopped.', 'heparin'],
])

/** Of a workspace's own code, which may ask anybody. */
const WORKSPACE_CLIENT = {
  client: { className: 'workspace.clients.own', args: {} },
  code: { file: '', digest: digestJson<'code'>('own') },
}

const digest = <Kind extends DigestKind>(name: string) => digestJson<Kind>([name])

const completion = (text: string, requestTime = 1, more: { attempts?: number; key?: object } = {}) =>
  completionOf(digest<'completion'>('asked'), {
    key: { ...more.key },
    reply: textReply(text),
    requestTime,
    requestDatetime: 5,
    attempts: more.attempts ?? 1,
  })

describe('What a reply says', () => {
  test('is its text and how long it took, not how it came.', () => {
    const { content } = completion('yes')
    expect(completion('no').content).not.toBe(content)
    expect(completion('yes', 2).content).not.toBe(content)
    expect(completion('yes', 1, { attempts: 3, key: { a: 1 } }).content).toBe(content)
  })
})

describe('A request on its way', () => {
  const target = madeUpTarget({ instances: INSTANCES, judges: ['one', 'two'] })
  const [instance] = INSTANCES
  if (instance === undefined) throw new Error('there are two')
  const at = {
    row: 0,
    trial: 1,
    ref: { id: 'id0', split: 'test', digest: digest<'instance'>('asked of') } as const,
    instance: () => instance,
  }
  const prompt = {
    digest: digest<'prompt'>('prompt'),
    prompt: { text: 'Well?', truncated: false, numTrainInstances: 0, tokens: 1 },
    cached: true,
  }
  const judgement = (name: string, more: Partial<Judgement>): Judgement => ({
    judge: name,
    outcome: { kind: 'done', value: 4 },
    retriable: false,
    cached: true,
    ...more,
  })

  /** What metrics are given, and the failures. */
  const walked = async (judgements: readonly Judgement[], content = 'read') => {
    const given: MetricDigests[] = []
    const result = await walkRequest(
      at,
      {
        target,
        reader: {
          read: () => ({
            kind: 'done',
            value: {
              success: true,
              cached: false,
              requestTime: 1,
              requestDatetime: 5,
              completions: [{ text: 'yes', logprob: 0, tokens: [] }],
            },
          }),
          content: () => content,
        },
      },
      {
        prompt: () => prompt,
        completion: () => ({ outcome: { kind: 'done', value: completion('yes') }, cached: true }),
        judgements: () => judgements,
        metrics: (_, digests, state) => {
          given.push(digests)
          expect(state().trainTrialIndex).toBe(1)
          return []
        },
      },
    )
    return { given, failures: result.failures.map(({ judge, retriable }) => [judge, retriable]) }
  }

  test('is measured by digests of all that a metric may read, a missing judgement in its place.', async () => {
    const [one, two] = [digest<'annotation'>('one'), digest<'annotation'>('two')]
    const unread = { outcome: { kind: 'failed', cause: { code: 'unparseable', detail: '' } } } as const
    const base = {
      instance: at.ref.digest,
      prompt: prompt.digest,
      completions: 'read',
      latency: 'read',
      annotations: `${one},${two}`,
    }
    const both = [judgement('one', { digest: one }), judgement('two', { digest: two })]
    expect(await walked(both)).toEqual({ given: [base], failures: [] })
    expect((await walked(both, 'cut')).given).toEqual([{ ...base, completions: 'cut', latency: 'cut' }])
    const lacking = [judgement('one', unread), judgement('two', { digest: two })]
    expect(await walked(lacking)).toEqual({
      given: [{ ...base, annotations: `-,${two}` }],
      failures: [['one', false]],
    })
    expect((await walked([judgement('one', { digest: one }), judgement('two', unread)])).given).toEqual([
      { ...base, annotations: `${one},-` },
    ])
  })

  test('whose reply the profile can’t read is final, and neither judged nor measured.', async () => {
    const unread = { kind: 'failed', cause: { code: 'retokenize', detail: '' } } as const
    const never = (): never => {
      throw new Error('there is nothing to judge or measure')
    }
    const { failures, answer, ...result } = await walkRequest(
      at,
      { target, reader: { read: () => unread, content: () => '' } },
      {
        prompt: () => prompt,
        completion: () => ({ outcome: { kind: 'done', value: completion('yes') }, cached: true }),
        judgements: never,
        metrics: never,
      },
    )
    expect(failures).toEqual([{ stage: 'completions', cause: unread.cause, retriable: false }])
    expect([answer, result.completion?.digest]).toEqual([undefined, digest('asked')])
  })

  test('is not measured while a judge may still reply.', async () => {
    const failed = { outcome: { kind: 'failed', cause: { code: 'http/503', detail: '' } } } as const
    const lost = [judgement('one', { ...failed, retriable: true }), judgement('two', {})]
    expect(await walked(lost)).toEqual({ given: [], failures: [['one', true]] })
  })
})

test('A run goes trial by trial, each with its own examples, and by the same instances in each.', async () => {
  const examples = madeUpInstances(
    Array.from({ length: 9 }, (_, index) => [`Drug ${index} was stopped.`, `drug ${index}`] as const),
  )
  const instances = [...examples, ...INSTANCES].map((each, index) => ({
    ...each,
    id: `id${index}`,
    split: index < 9 ? ('train' as const) : ('test' as const),
  }))
  const target = madeUpTarget({ instances, adapter: { numTrainTrials: 2, maxTrainInstances: 4 } })
  const { env: shared } = await madeUpRun(() => textReply(''))
  const env = await envFor(target.spec.benchmark, shared)
  const { benchmark } = target.spec
  const run = openRun(target, await listInstances(benchmark, await instancesKey(benchmark), env), env)
  expect(run.requests).toBe(4)
  const rows = [0, 1, 2, 3].map((row) => run.at(row))
  expect(rows.map(({ row, trial, ref }) => [row, trial, ref.id])).toEqual([
    [0, 0, 'id9'],
    [1, 0, 'id10'],
    [2, 1, 'id9'],
    [3, 1, 'id10'],
  ])
  const texts = await Promise.all(
    rows.map(async ({ trial, ref, instance }) => {
      const { prompt } = await run.prompts(trial).run({ digest: ref.digest, load: instance })
      return prompt.text.split('Input: ')
    }),
  )
  const shown = texts.map((parts) => parts.slice(1, -1).join(''))
  expect([shown[0] === shown[1], shown[2] === shown[3], shown[0] === shown[2]]).toEqual([true, true, false])
  expect(() => run.prompts(2)).toThrow('no trial 2')
})

test('A judge that is asked again gives another sample, the first of which is the run’s own.', async () => {
  const [instance] = INSTANCES
  if (instance === undefined) throw new Error('there are two')
  let replies = 0
  const run = await madeUpRun(() => textReply(`{"accuracy": {"score": ${(replies += 1)}}}`))
  const target = madeUpTarget({ instances: INSTANCES, judges: ['one'] })
  const { benchmark } = target.spec
  if (benchmark.jury === undefined) throw new Error('there is a jury')
  const [judge] = await openJudges(target, benchmark.jury, await envFor(benchmark, run.env))
  if (judge === undefined) throw new Error('there is a judge')
  expect(judge.peek(instance, 'yes', 1).cached).toBe(false)
  const first = await judge.ask(instance, 'yes')
  expect([0, 1].map((sample) => judge.peek(instance, 'yes', sample).cached)).toEqual([true, false])
  const again = await judge.ask(instance, 'yes', 1)
  expect(again.digest).not.toBe(first.digest)
  expect((await judge.ask(instance, 'yes', 0)).digest).toBe(first.digest)
  expect((await judge.ask(instance, 'yes', 1)).digest).toBe(again.digest)
  expect(run.asked).toHaveLength(2)
  expect(judge.peekJudgement(instance, 'yes')).toMatchObject({ isKnown: true, digest: first.digest })
  // Another answer to the same instance is another question.
  await judge.ask(instance, 'no')
  expect(run.asked.at(-1)).toContain('is no right?')
})

test('Judges asked again or about references have calls that are missing until they are answered; embedded ones none.', async () => {
  const [instance] = INSTANCES
  if (instance === undefined) throw new Error('there are two')
  const run = await madeUpRun(({ messages }) =>
    textReply(messages[0]?.content.startsWith('Of ') === true ? '{"accuracy": {"score": 4}}' : '1'),
  )
  const target = madeUpTarget({ instances: INSTANCES, judges: ['one', 'two'] })
  const judges = target.judges.map((each, at) =>
    at === 0
      ? each
      : { ...each, deployment: { ...each.deployment, client: { className: 'medmake.simple', args: {} } } },
  )
  const { jury } = target.spec.benchmark
  if (jury === undefined) throw new Error('there is a jury')
  const repeated = await repeatedJudges({ ...target, judges }, jury, run.env)
  const missing = () => repeated.map((judge) => judge.missing(instance, 'yes', 3).length)
  expect(missing()).toEqual([3, 0])
  const verdicts = await repeated[0]?.ask(instance, 'yes', 2)
  expect(verdicts).toEqual([0, 1].map(() => ({ verdict: new Map([['accuracy', 4]]) })))
  expect(missing()).toEqual([1, 0])
  const gold = await goldJudge({ ...target, judges }, 'one', run.env)
  expect(gold.missing(instance)).toBeDefined()
  expect(await gold.ask(instance)).toEqual({ isReasonable: true })
  expect(gold.missing(instance)).toBeUndefined()
  expect(await gold.ask({ ...instance, references: [] })).toBeUndefined()
  const embedded = await goldJudge({ ...target, judges }, 'two', run.env)
  expect(embedded.missing(instance)).toBeUndefined()
  const own = judges.map((each) => ({ ...each, deployment: { ...each.deployment, ...WORKSPACE_CLIENT } }))
  const byOwnClient = await goldJudge({ ...target, judges: own }, 'one', run.env)
  expect(byOwnClient.missing(instance)).toBeDefined()
})

test('What a judge that is asked again fails with is told without the texts that are not public.', async () => {
  const [instance] = INSTANCES
  if (instance === undefined) throw new Error('there are two')
  const run = await madeUpRun((request) => {
    throw new ClientError('http/400', askedText(request), { retriable: false, status: 400 })
  })
  const failureOf = async (access: 'public' | 'private') => {
    const target = madeUpTarget({ instances: INSTANCES, access, judges: ['one'] })
    const { jury } = target.spec.benchmark
    if (jury === undefined) throw new Error('there is a jury')
    const [judge] = await repeatedJudges(target, jury, run.env)
    return (await judge?.ask(instance, 'the answer', 1))?.[0]?.failure
  }
  expect((await failureOf('public'))?.detail).toContain('the answer')
  const discreet = await failureOf('private')
  expect(discreet?.code).toBe('http/400')
  expect(discreet?.detail).not.toContain('the answer')
})

test('A release’s requests are asked again trial by trial, and not at all once it is stopped.', async () => {
  const target = madeUpTarget({ instances: [], adapter: { numTrainTrials: 2 } })
  const requests = [0, 1].flatMap(() =>
    INSTANCES.map((instance) => ({
      instance,
      prompt: { text: instance.input.text, truncated: false, numTrainInstances: 0, tokens: 1 },
    })),
  )
  const run = await madeUpRun(() => textReply('aspirin'))
  const replayed = await replayRun(target, requests, await envFor(target.spec.benchmark, run.env))
  const states = [...(replayed?.states() ?? [])]
  expect(
    states.map(({ instance, trainTrialIndex, result }) => [instance.id, trainTrialIndex, result?.cached]),
  ).toEqual([
    ['id0', 0, false],
    ['id1', 0, false],
    ['id0', 1, true],
    ['id1', 1, true],
  ])
  expect(
    [...(replayed?.perInstanceStats() ?? [])].map(({ instanceId, trainTrialIndex }) => [
      instanceId,
      trainTrialIndex,
    ]),
  ).toEqual(states.map(({ instance, trainTrialIndex }) => [instance.id, trainTrialIndex]))
  expect(run.asked).toHaveLength(2)
  run.stop()
  expect(await replayRun(target, requests, await envFor(target.spec.benchmark, run.env))).toBeUndefined()
})

test('Which shard has a call goes by its messages alone.', () => {
  const request = requestOf('Well?', { maxTokens: 5 })
  const place = Number.parseInt(digestOf('[{"content":"Well?","role":"user"}]').slice(0, 8), 16)
  for (const count of [1, 2, 3, 7, 64]) {
    expect(shardOf(request, count)).toBe(place % count)
    for (const other of [{ temperature: 1 }, { maxTokens: 9 }, { sampleIndex: 3 }, { stop: ['x'] }])
      expect(shardOf({ ...request, ...other }, count)).toBe(place % count)
  }
  const shards = Array.from({ length: 200 }, (_, at) =>
    shardOf({ ...request, messages: [{ role: 'user', content: `Question ${at}` }] }, 4),
  )
  expect(new Set(shards)).toEqual(new Set([0, 1, 2, 3]))
})
