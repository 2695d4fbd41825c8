import { expect, test } from 'vitest'
import { digestJson } from '../../../cache/values/digest.ts'
import type { Usage } from '../../../models/calls/client.ts'
import { completionOf, type Completion } from '../../../targets/record/completion.ts'
import { createRequestReader, ReplyTally } from '../../../targets/walk/collect/run-tally.ts'
import type { RequestResult } from '../../../targets/walk/walk.ts'
import { madeUpTarget } from '../../rig/made-up-run.ts'

const completion = (prompt: string, requestTime: number, usage?: Usage): Completion =>
  completionOf(digestJson<'completion'>([prompt]), {
    key: {},
    reply: { choices: [{ text: 'x', finishReason: 'stop' }], ...(usage === undefined ? {} : { usage }) },
    requestTime,
    requestDatetime: 0,
    attempts: 1,
  })

test('a reply counts once, however many requests share it, and one without usage is told', () => {
  const tally = new ReplyTally()
  const shared = completion('a', 0.5, {
    inputTokens: 10,
    outputTokens: 4,
    cachedInputTokens: 8,
    reasoningTokens: 3,
  })
  tally.add(shared)
  tally.add(shared)
  tally.add(completion('b', 0.25, { inputTokens: 5, outputTokens: 1 }))
  tally.add(completion('c', 1))
  expect(tally.usage()).toEqual({
    calls: 3,
    unknown: 1,
    inputTokens: 15,
    cachedInputTokens: 8,
    outputTokens: 5,
    reasoningTokens: 3,
    seconds: 1.75,
  })
})

test('replies without a time of their own are told apart from those that have one', () => {
  const tally = new ReplyTally()
  tally.add(completion('a', 0))
  expect(tally.usage().untimed).toBeUndefined()
  tally.add(completion('b', 2))
  expect(tally.usage()).toMatchObject({ calls: 2, seconds: 2, untimed: 1 })
})

test('a value is measured where its metric gives one, and none that stands in for a metric that failed', () => {
  const made = madeUpTarget({ instances: [], benchmark: { mainMetric: { name: 'score', split: 'test' } } })
  const metrics = ['basic', 'own'].map((metric) => ({ metric, helm: { className: metric, args: new Map() } }))
  const read = createRequestReader({ ...made, spec: { ...made.spec, metrics } }, 'helm-0.5.16')
  const cause = { code: 'metrics/failed', detail: '' }
  const readingOf = (
    value: number | null,
    failed?: Pick<RequestResult['failures'][number], 'stage' | 'judge'>,
  ) =>
    read(
      {
        prompt: { prompt: { truncated: false } },
        completion: completion('a', 1),
        answer: 'x',
        judgements: [],
        metrics: ['exact_match', 'score'].map((name) => ({ points: [{ name, value, float: true }] })),
        failures: failed === undefined ? [] : [{ ...failed, cause, retriable: false }],
      } as unknown as RequestResult,
      'test',
    )
  expect(readingOf(1)).toMatchObject({ measured: true, causes: [] })
  expect(readingOf(null)).toMatchObject({ measured: false, causes: ['not-measured'] })
  expect(readingOf(0, { stage: 'metrics', judge: 'own' }).measured).toBe(false)
  expect(readingOf(0, { stage: 'metrics', judge: 'basic' }).measured).toBe(true)
  expect(readingOf(0, { stage: 'annotations', judge: 'own' }).measured).toBe(true)
})
