import { expect, test } from 'vitest'
import {
  addCauses,
  CAUSES,
  coveredShare,
  isCovered,
  isNotStored,
  sumCoverage,
  valueLosses,
  valueOf,
} from '../../../targets/record/coverage.ts'
import { completionOf } from '../../../targets/record/completion.ts'
import type { Digest } from '../../../cache/values/digest.ts'

test('causes of several runs are added, in one order, without those that did not occur', () => {
  const sum = addCauses([{ truncated: 2, refused: 1 }, {}, { 'provider-error': 3, truncated: 5 }])
  expect(Object.entries(sum)).toEqual([
    ['refused', 1],
    ['truncated', 7],
    ['provider-error', 3],
  ])
  expect(addCauses([])).toEqual({})
})

test('what is not stored yet, or comes with a batch, is no provider’s fault', () => {
  const codes = ['call/not-made', 'batch/waiting', 'http/500']
  expect(codes.map((code) => isNotStored({ code, detail: '' }))).toEqual([true, true, false])
})

test('of a value’s causes those are told that take it away, or a judge’s part of it', () => {
  const all = Object.fromEntries(CAUSES.map((cause, at) => [cause, at + 1]))
  expect(Object.keys(valueLosses(all))).toEqual([
    'provider-error',
    'not-stored',
    'judge-missing',
    'judge-unparseable',
    'judge-out-of-range',
    'not-measured',
  ])
})

test('what metrics read of a reply is its words and how long it took, whenever it was asked', () => {
  const contentOf = (text: string, requestTime: number, requestDatetime = 1) =>
    completionOf('c' as Digest<'completion'>, {
      key: {},
      reply: { choices: [{ text, finishReason: null }] },
      requestTime,
      requestDatetime,
      attempts: 1,
    }).content
  expect(contentOf('a', 1, 2)).toBe(contentOf('a', 1))
  expect(new Set([contentOf('a', 1), contentOf('b', 1), contentOf('a', 2)]).size).toBe(3)
})

test('what is covered is the lesser of requests and judgements, nothing of nothing being all', () => {
  const share = (evaluated: number, measured: number, judgements?: readonly [wanted: number, read: number]) =>
    coveredShare({
      evaluated,
      measured,
      ...(judgements && { judgements: { wanted: judgements[0], read: judgements[1] } }),
    })
  expect(share(100, 98)).toBe(0.98)
  expect(share(100, 98, [300, 270])).toBe(0.9)
  expect(share(100, 80, [300, 270])).toBe(0.8)
  expect(share(100, 98, [0, 0])).toBe(0.98)
  expect(share(0, 0)).toBeUndefined()
  const whole = { evaluated: 100, measured: 99 }
  expect([
    isCovered(whole, 0.99),
    isCovered(whole, 0.995),
    isCovered({ evaluated: 0, measured: 0 }, 1),
  ]).toEqual([true, false, true])
})

test('coverage of several runs is added; judgements where any run has some', () => {
  expect(
    sumCoverage([
      { evaluated: 10, measured: 9, judgements: { wanted: 30, read: 20 } },
      { evaluated: 5, measured: 5 },
      { evaluated: 1, measured: 0, judgements: { wanted: 3, read: 0 } },
    ]),
  ).toEqual({ evaluated: 16, measured: 14, judgements: { wanted: 33, read: 20 } })
  expect(sumCoverage([{ evaluated: 5, measured: 5 }])).toEqual({ evaluated: 5, measured: 5 })
})

test('a stat is worth its mean; without anything added nothing, and where files say Infinity or NaN no number', () => {
  const name = { name: 'exact_match' }
  const told = [
    { name, count: 2, sum: 1 },
    { name, count: 0, sum: 0 },
    { name, count: 1, sum: Infinity },
    { name, count: 1, sum: NaN },
  ].map(valueOf)
  expect(told).toEqual([0.5, undefined, NaN, NaN])
})
