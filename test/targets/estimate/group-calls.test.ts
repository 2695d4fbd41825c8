import { beforeEach, expect, test } from 'vitest'
import type { Digest } from '../../../cache/values/digest.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import type { Tokenizer } from '../../../models/tokenizers/tokenizer.ts'
import type { Completion } from '../../../targets/record/completion.ts'
import type { Target } from '../../../targets/record/target.ts'
import { createCallGroups } from '../../../targets/estimate/group-calls.ts'
import { History, type SpendSample } from '../../../targets/estimate/history.ts'
import type { PlannedCall } from '../../../targets/spend/spending.ts'

const deployment = (name: string): ModelDeployment =>
  ({ name, client: { className: 'x', args: {} } }) as unknown as ModelDeployment
const [model, judge] = [deployment('a/m'), deployment('j/m')]
const target = {
  spec: { name: 't', benchmark: { name: 'wards' }, adapter: { modelDeployment: 'a/m', maxTokens: 50 } },
  deployment: model,
} as unknown as Target
let made = 0
beforeEach(() => {
  made = 0
})
const call = (text: string, more: Partial<PlannedCall> = {}): PlannedCall => ({
  target,
  judge: null,
  deployment: model,
  digest: `d${(made += 1)}` as Digest<'completion'>,
  request: {
    messages: [{ role: 'user', content: text }],
    maxTokens: 10,
    n: 2,
  } as unknown as PlannedCall['request'],
  ...more,
})
const withoutDigest = ({ digest: _digest, ...rest }: PlannedCall): PlannedCall => rest
const words = { count: (text: string) => text.split(' ').length } as unknown as Tokenizer
const LINE = { target: 't', benchmark: 'wards', model: 'a/m' }

test('Calls to pay for stand by run and judge, with what they hold and may give; equal ones are one.', () => {
  const groups = createCallGroups((asked) => (asked === model ? words : undefined), new Set())
  const first = call('two words')
  for (const each of [first, first, call('Ä')]) groups.add(each)
  for (const each of [
    call('judge this', { judge: 'strict', deployment: judge }),
    withoutDigest(call('and', { judge: 'strict', deployment: judge })),
  ])
    groups.add(each)
  groups.add(withoutDigest(call('again')))
  expect(groups.groups()).toStrictEqual([
    {
      ...LINE,
      deployment: 'a/m',
      judge: null,
      calls: 3,
      promptBytes: 16,
      counted: 4,
      outputBound: 60,
      withoutAnswer: 0,
      answerBound: 0,
      cut: 0,
    },
    {
      ...LINE,
      deployment: 'j/m',
      judge: 'strict',
      calls: 2,
      promptBytes: 13,
      counted: null,
      outputBound: 40,
      withoutAnswer: 1,
      answerBound: 50,
      cut: 0,
    },
  ])
  expect([...groups.deployments()]).toEqual([
    ['a/m', model],
    ['j/m', judge],
  ])
  expect(groups.samples()).toEqual([])
})

test('What one tokenizer could not count stays uncounted.', () => {
  let asked = 0
  const groups = createCallGroups(() => ((asked += 1) === 1 ? undefined : words), new Set())
  for (const text of ['a', 'b']) groups.add(call(text))
  expect(groups.groups()).toMatchObject([{ calls: 2, counted: null }])
})

test('Stored replies are no calls; those that told their usage and are not known yet say what such calls take.', () => {
  const groups = createCallGroups(() => undefined, new Set(['known']))
  const stored = (digest: string, usage?: object): Completion =>
    ({ digest, stored: { reply: { usage }, requestTime: 1.5 } }) as unknown as Completion
  const usage = { inputTokens: 7, outputTokens: 3 }
  groups.add(call('abc', { completion: stored('one', usage) }))
  groups.add(call('abc', { completion: stored('two', usage), judge: 'strict', deployment: judge }))
  groups.add(call('abc', { completion: stored('long', { inputTokens: 7, outputTokens: 21 }) }))
  groups.add(call('abc', { completion: stored('three') }))
  groups.add(call('abc', { completion: stored('known', usage) }))
  expect(groups.groups()).toEqual([])
  const sample = { benchmark: 'wards', promptBytes: 3, ...usage, seconds: 1.5, overran: false }
  expect(groups.samples()).toStrictEqual([
    { deployment: 'a/m', judged: false, ...sample },
    { deployment: 'j/m', judged: true, ...sample },
    { deployment: 'a/m', judged: false, ...sample, outputTokens: 21, overran: true },
  ])
})

const sample = (
  deploymentName: string,
  benchmark: string,
  judged: boolean,
  seconds: number,
): SpendSample => ({
  deployment: deploymentName,
  benchmark,
  judged,
  promptBytes: 1,
  inputTokens: 1,
  outputTokens: 1,
  seconds,
})
const many = (count: number, ...of: Parameters<typeof sample>): readonly SpendSample[] =>
  Array.from({ length: count }, () => sample(...of))

test('An estimate rests on the nearest replies of which there are twenty.', () => {
  const asking = { deployment: 'a/m', benchmark: 'wards', judged: false }
  const basis = (...samples: readonly SpendSample[]) => {
    const found = new History(samples).nearest(asking)
    return [found.basis, found.samples.length]
  }
  expect(basis(...many(20, 'a/m', 'wards', false, 1), ...many(30, 'a/m', 'notes', false, 1))).toEqual([
    'benchmark',
    20,
  ])
  expect(basis(...many(19, 'a/m', 'wards', false, 1), ...many(1, 'a/m', 'notes', false, 1))).toEqual([
    'deployment',
    20,
  ])
  expect(basis(...many(19, 'a/m', 'wards', false, 1))).toEqual(['stated', 0])
  expect(basis(...many(40, 'a/m', 'wards', true, 1), ...many(40, 'b/m', 'wards', false, 1))).toEqual([
    'stated',
    0,
  ])
  expect(basis()).toEqual(['stated', 0])
})

test('A deployment’s latency is the mean of all its replies that have a time, a judge’s among them.', () => {
  const history = new History([
    sample('a/m', 'x', false, 1),
    sample('a/m', 'y', true, 4),
    ...many(6, 'a/m', 'y', false, 0),
    sample('b/m', 'x', false, 9),
  ])
  expect(history.latency('a/m')).toBe(2.5)
  expect(history.latency('c/m')).toBeUndefined()
})
