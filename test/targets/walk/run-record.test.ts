import { expect, test } from 'vitest'
import type { Instance } from '../../../benchmarks/scenario/instance.ts'
import { ClientError } from '../../../models/calls/client.ts'
import type { SharedEnv } from '../../../targets/env/env.ts'
import type { Target } from '../../../targets/record/target.ts'
import type { RunRecord } from '../../../targets/record/record.ts'
import { SampleCollector } from '../../../targets/runs/board-sample.ts'
import type { TargetResult } from '../../../targets/scheduler/run-targets.ts'
import { askedInstances } from '../../../targets/walk/asked-instances.ts'
import { viewRecord } from '../../../targets/walk/modes/read.ts'
import { causesText } from '../../../tools/compare/coverage-text.ts'
import { buildTargets } from '../../rig/build-targets.ts'
import { askedText, madeUpInstances, madeUpRun, madeUpTarget, textReply } from '../../rig/made-up-run.ts'
import { usageOf } from '../../rig/model-calls.ts'

/** What a model and two judges reply to a question: a score, a text that is none, or an error. */
interface Replies {
  readonly split?: Instance['split']
  readonly answer?: string | Error
  readonly one?: number | string | Error
  readonly two?: number | string | Error
}

const DOWN = new ClientError('http/400', 'bad', { retriable: false, status: 400 })

const replied = (given: number | string | Error = 3) => {
  if (given instanceof Error) throw given
  return textReply(typeof given === 'number' ? `{"accuracy": {"score": ${given}}}` : given)
}

/** A run whose main metric the judges give. */
const built = async (requests: readonly Replies[]) => {
  const instances = madeUpInstances(requests.map((_, at) => [`Question ${at}.`, 'yes'] as const)).map(
    (each, at) => ({ ...each, split: requests[at]?.split ?? ('test' as const) }),
  )
  const run = await madeUpRun((request, deployment) => {
    const text = askedText(request)
    const own = requests[Number(/Question (\d)/.exec(text)?.[1])] ?? {}
    if (deployment === 'j/one') return replied(own.one)
    if (deployment === 'j/two') return replied(own.two)
    if (own.answer instanceof Error) throw own.answer
    return textReply(own.answer ?? 'yes')
  })
  const target = madeUpTarget({
    instances,
    judges: ['one', 'two'],
    benchmark: { mainMetric: { name: 'letters_accuracy', split: 'test' } },
  })
  return { target, result: await resultOf(target, run.env), env: run.env }
}

const resultOf = async (target: Target, env: SharedEnv): Promise<TargetResult> => {
  const [result] = await buildTargets([target], env)
  if (result === undefined) throw new Error('nothing was built')
  return result
}

const recordOf = async (requests: readonly Replies[]): Promise<RunRecord> =>
  (await built(requests)).result.record

const meanIn = (stats: RunRecord['stats'], name: string, split = 'test'): number | undefined => {
  const stat = stats.find(
    (each) => each.name.name === name && each.name.split === split && each.name.perturbation === undefined,
  )
  return stat === undefined ? undefined : stat.sum / stat.count
}

test('Judgements that do not count are told, stand in HELM’s score by its rules, and never in the strict one.', async () => {
  const { target, result, env } = await built([
    { one: 4, two: 2 },
    { one: 5, two: 'no JSON' },
    // HELM's default, 1, and no measurement.
    { one: 'no JSON', two: '{"clarity": {"score": 3}}' },
    // Nothing to judge: the metric knows its score, and no judgement is lost.
    { answer: ' \n' },
    // HELM counts what lies off the scale.
    { one: 9, two: 3 },
    { split: 'valid', one: 5, two: 5 },
  ])
  const { record } = result
  expect(meanIn(record.stats, 'letters_accuracy')).toBeCloseTo((3 + 5 + 1 + 1 + 6) / 5, 12)
  expect(meanIn(record.ownStats, 'jury_score_strict')).toBeCloseTo((3 + 5 + 3) / 3, 12)
  expect(meanIn(record.ownStats, 'jury_coverage')).toBeCloseTo((1 + 0.5 + 0 + 0.5) / 4, 12)
  expect(meanIn(record.stats, 'letters_accuracy', 'valid')).toBe(5)
  expect(meanIn(record.stats, 'exact_match')).toBeCloseTo(4 / 5, 12)
  expect(record.coverage).toEqual({ evaluated: 5, measured: 4, judgements: { wanted: 10, read: 6 } })
  expect(record.causes).toEqual({
    'empty-completion': 1,
    'judge-unparseable': 3,
    'judge-out-of-range': 1,
  })
  // What is final does not become better by running again.
  expect(record.complete).toBe(true)
  expect(record.failures.map(({ instance, judge, retriable }) => [instance, judge, retriable])).toEqual([
    ['id1', 'two', false],
    ['id2', 'one', false],
    ['id2', 'two', false],
  ])
  // Boards go by the instances that all judges could be read of.
  const view = await viewRecord(target, result, env)
  const asked = askedInstances(target, record, view, true)
  expect(asked).toEqual({
    ids: ['id0', 'id1', 'id2', 'id3', 'id4'],
    trials: 1,
    unread: new Set(['id1', 'id2', 'id4']),
  })
  expect(askedInstances(target, record, view, false).unread).toEqual(new Set())
  const collector = new SampleCollector(target.spec.benchmark.mainMetric)
  for (const values of view.perInstanceStats()) collector.add(values)
  const { vector, requests, elsewhere } = collector.result(asked)
  expect([requests, elsewhere]).toEqual([5, 1])
  expect(vector).toEqual({ ids: asked.ids, values: Float64Array.of(3, NaN, NaN, 1, NaN) })
})

test('Requests without a reply, or without a judge’s, are no part of a score, and the run is not complete.', async () => {
  const record = await recordOf([{ one: 5, two: 5 }, { answer: DOWN }, { one: DOWN, two: 1 }])
  expect(record.complete).toBe(false)
  expect(meanIn(record.stats, 'letters_accuracy')).toBe(5)
  expect(meanIn(record.ownStats, 'jury_score_strict')).toBe(3)
  expect(record.coverage).toEqual({ evaluated: 3, measured: 1, judgements: { wanted: 6, read: 3 } })
  expect(record.causes).toEqual({ 'provider-error': 1, 'judge-missing': 1 })
  expect(record.counts).toEqual({ instances: 3, prompts: 3, completions: 2, annotations: 3, metrics: 2 })
  expect(record.failures.map(({ instance, stage, judge }) => [instance, stage, judge])).toEqual([
    ['id1', 'completions', undefined],
    ['id2', 'annotations', 'one'],
  ])
})

test('Replies that nobody may be asked for are not stored; no provider and no judge failed.', async () => {
  const { target, env } = await built([{}, { answer: DOWN }, { one: DOWN }])
  const { record } = await resultOf(target, { ...env, storedOnly: true })
  expect([record.complete, record.causes]).toEqual([false, { 'not-stored': 2 }])
  expect(causesText(record.causes)).toBe('2 replies not stored')
})

test('What a run took is counted for its model and each of its judges, reply by reply.', async () => {
  const { usage } = await recordOf([{}, { one: DOWN }, { answer: '' }])
  const tokens = (calls: number) => usageOf({ calls, inputTokens: 7 * calls, outputTokens: 3 * calls })
  expect(usage).toEqual({
    ...tokens(3),
    judges: { one: { deployment: 'j/one', ...tokens(1) }, two: { deployment: 'j/two', ...tokens(2) } },
  })
})

test('A run tells its work over all trials and each failure; its record what of its data and prompts is less than it seems.', async () => {
  const train = { ...madeUpInstances([['Example.', 'no']])[0], id: 'example', split: 'train' } as Instance
  const rows = madeUpInstances([
    ['Question 0.', 'yes'],
    ['Question 0.', 'yes'],
    ['Question 1.', 'yes'],
  ])
  const run = await madeUpRun((request) => {
    if (askedText(request).includes('Question 1.')) throw DOWN
    return replied('yes')
  })
  const made = madeUpTarget({
    instances: [train, ...rows],
    judges: ['one'],
    adapter: { maxTrainInstances: 1, numTrainTrials: 2 },
    benchmark: { isOwn: true },
  })
  const target = { ...made, deployment: { ...made.deployment, tokenizerName: 'unheard/of' } }
  const records: RunRecord[] = []
  await buildTargets([target], run.env, async ({ record }) => void records.push(record))
  const of = (type: string) => run.events.filter((event) => event.type === type)
  expect(of('target-started')).toMatchObject([{ instances: 3, work: 6, judgements: 6 }])
  expect(
    of('instance-failed').filter((event) => 'stage' in event && event.stage === 'completions'),
  ).toHaveLength(2)
  expect(of('instance-failed')).toHaveLength(records[0]?.failures.length ?? Number.NaN)
  expect(records[0]).toMatchObject({
    rows: 6,
    causes: { 'row-repeated': 1 },
    omitted: expect.arrayContaining([
      'num_prompt_tokens, prompt_truncated: m/a counts by unheard/of, which is not at hand; prompts were sent whole.',
    ]) as unknown,
  })
})

test('A run of which no instance is of the split that is scored says so.', async () => {
  const [train] = madeUpInstances([['Example.', 'no']])
  const run = await madeUpRun(() => replied('yes'))
  const target = madeUpTarget({ instances: [{ ...train, split: 'train' } as Instance] })
  const [result] = await buildTargets([target], run.env)
  expect(result?.omitted).toEqual(['exact_match: no instance of the split test was evaluated'])
})

test('Replies of more than one model are told with how many each gave, and those of the lesser ones by their cause.', async () => {
  const served = ['x', 'y', 'x', 'z', 'x']
  const instances = madeUpInstances(served.map((_, at) => [`Question ${at}.`, 'yes'] as const))
  const modelOf = (text: string) => served[Number(/Question (\d)/.exec(text)?.[1])] ?? ''
  const drifting = await madeUpRun((request) => ({ ...textReply('yes'), model: modelOf(askedText(request)) }))
  const { record } = await resultOf(madeUpTarget({ instances }), drifting.env)
  expect(record).toMatchObject({
    served: ['x', 'y', 'z'],
    drift: [{ deployment: 'm/a', served: { x: 3, y: 1, z: 1 } }],
    causes: { 'model-drift': 2 },
  })
  const steady = await madeUpRun(() => ({ ...textReply('yes'), model: 'x' }))
  const { record: whole } = await resultOf(madeUpTarget({ instances }), steady.env)
  expect([whole.served, whole.causes]).toEqual([['x'], {}])
  expect(whole).not.toHaveProperty('drift')
})

test('A record says which errata of its benchmark were put right.', async () => {
  const errata = { corrected: ['a'], uncorrected: ['b'] }
  const instances = madeUpInstances([['Question 0.', 'yes']])
  const { env } = await madeUpRun(() => textReply('yes'))
  const { record } = await resultOf(madeUpTarget({ instances, benchmark: { errata } }), env)
  expect(record.errata).toEqual(errata)
  expect((await resultOf(madeUpTarget({ instances }), env)).record).not.toHaveProperty('errata')
})
