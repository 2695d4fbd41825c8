import { expect, test } from 'vitest'
import { studentT } from '../../../targets/statistics/distributions/student-t.ts'
import { pairDifference } from '../../../targets/statistics/paired/pair-difference.ts'
import type { PairedSides } from '../../../targets/statistics/paired/paired-sides.ts'

const UNIT = { range: { low: 0, high: 1 }, isBinary: false }
const sides = (benchmark: string, b: readonly number[], sources?: readonly string[]): PairedSides => ({
  benchmark,
  a: b.map(() => 0),
  b,
  ...(sources && { sources }),
})
const VARIED = sides(
  'varied',
  Array.from({ length: 40 }, (_, at) => at % 2),
)
const halfWidth = (...runs: readonly PairedSides[]): number => {
  const { difference, interval } = pairDifference(runs, UNIT)
  return (difference ?? NaN) - (interval?.low ?? NaN)
}
const VARIANCE = 10 / 39 / 40 / 4

test.each([
  ['two answers', sides('few', [0.5, 0.5]), VARIANCE, 39, (1.5 * (1 - 0.025 ** (1 / 2))) / 2],
  ['five', sides('few', [0, 0, 0, 0, 0]), VARIANCE, 39, (1 - 0.025 ** (1 / 5)) / 2],
  [
    'answers of three patients',
    sides('few', [0, 0, 0, 0, 0], ['p', 'p', 'p', 'q', 'r']),
    VARIANCE,
    39,
    (1 - 0.025 ** (1 / 3)) / 2,
  ],
])(
  'a difference over benchmarks holds what %s that are all alike leave open',
  (_, few, variance, df, open) => {
    expect(halfWidth(VARIED, few)).toBeCloseTo(Math.hypot(studentT(0.95, df) * Math.sqrt(variance), open), 12)
  },
)

test('one unlike difference in three is a spread, and one in two is none yet', () => {
  const own = (k: number): number => k / 9
  const spread = ([first, ...rest]: readonly number[]) =>
    pairDifference([VARIED, sides('few', [first ?? 0, ...rest])], UNIT)
  expect(spread([own(4), own(5), own(6)]).p).toBeLessThan(0.01)
  expect(spread([own(4), own(5)]).p).toBeGreaterThan(0.05)
})

test('without a difference two answers of one benchmark decide nothing about the average', () => {
  const { p, interval } = pairDifference([VARIED, sides('few', [1, 1])], UNIT)
  expect(p).toBeGreaterThan(0.05)
  expect(interval?.low).toBeLessThan(0)
})

test('where all runs have one difference the fewest answers still count by their share', () => {
  const zeros = (count: number): readonly number[] => Array.from({ length: count }, () => 0)
  const many = Array.from({ length: 9 }, (_, at) => sides(`b${at}`, zeros(1000)))
  expect(halfWidth(...many, sides('few', [0, 0]))).toBeCloseTo((1 - 0.025 ** (1 / 2)) / 10, 12)
  // Of equal runs it is Gaffke's of all their answers.
  expect(halfWidth(sides('x', [0, 0]), sides('y', [0, 0]))).toBeCloseTo(1 - 0.025 ** (1 / 4), 12)
  const { p, interval } = pairDifference(
    [
      sides('x', [1, 1]),
      sides(
        'y',
        zeros(1000).map(() => 1),
      ),
    ],
    UNIT,
  )
  expect(interval?.low).toBeCloseTo(1 - (1 - 0.025 ** (1 / 2)), 12)
  expect(p).toBeGreaterThan(0.01)
})

test('a run that did not change leaves nothing open', () => {
  const few = sides('few', [0, 0, 0])
  const alone = studentT(0.95, 39) * Math.sqrt(VARIANCE)
  expect(halfWidth(VARIED, { ...few, alike: new Set([0, 1, 2]) })).toBeCloseTo(alone, 12)
  expect(halfWidth(VARIED, { ...few, alike: new Set([0, 1]) })).toBeGreaterThan(1.5 * alone)
  // Nor where both sides lack the same.
  const unread = { ...sides('few', [NaN, 0, 0]), alike: new Set([0, 1, 2]) }
  expect(halfWidth(VARIED, unread)).toBeCloseTo(alone, 12)
})
