import { describe, expect, test } from 'vitest'
import { exactMean, exactSquares, exactSum } from '../../../targets/statistics/exact-sum.ts'
import { findRoot } from '../../../targets/statistics/find-root.ts'
import { detectableByT, powerOfT } from '../../../targets/statistics/power/power-of-t.ts'
import { averageRanks } from '../../../targets/statistics/mean.ts'

// Beside each root the calls that scipy's brentq takes.
test.each<[string, (x: number) => number, number, number, number, number]>([
  ['x³ = 2', (x) => x ** 3 - 2, 0, 2, 2 ** (1 / 3), 9],
  ['cos x = x', (x) => Math.cos(x) - x, 0, 1.5, 0.7390851332151607, 8],
  ['eˣ = 10', (x) => Math.exp(x) - 10, -4, 5, Math.log(10), 14],
  ['falling', (x) => 10 - Math.exp(x), -4, 5, Math.log(10), 14],
  ['a double one near', (x) => (x + 3) * (x - 1) ** 2, -4, 4 / 3, -3, 13],
  ['a step', (x) => (x < 1 / 3 ? -1 : 1), -1, 2, 1 / 3, 56],
])('the root of %s is found as fast as elsewhere', (_, of, low, high, root, calls) => {
  let asked = 0
  const found = findRoot(
    (x) => {
      asked += 1
      return of(x)
    },
    low,
    high,
  )
  expect(Math.abs(found - root)).toBeLessThanOrEqual(4e-16 * Math.max(1, Math.abs(root)))
  expect(asked).toBeLessThanOrEqual(calls + 3)
})

test('a root at an end is taken, and two ends of one sign are refused', () => {
  const of = (x: number): number => x - 1
  expect(findRoot(of, 1, 3)).toBe(1)
  expect(findRoot(of, -1, 1)).toBe(1)
  expect(() => findRoot(of, 2, 3)).toThrow(RangeError)
  expect(() => findRoot(of, -2, 0)).toThrow(RangeError)
})

describe('sums rounded once', () => {
  /** Whole numbers of 2^-200, rounded by BigInt. */
  const summed = (values: readonly number[]): number =>
    Number(values.reduce((sum, value) => sum + BigInt(value * 2 ** 200), 0n)) / 2 ** 200

  /** Numbers of very different sizes and both signs, the same each time. */
  const drawn = (count: number, seed: number): readonly number[] => {
    let state = seed
    const next = (): number => (state = (state * 48_271) % 2_147_483_647)
    return Array.from({ length: count }, () => {
      const size = 2 ** ((next() % 90) - 60)
      return ((next() % 2 === 0 ? 1 : -1) * next() * size) / 2 ** 31
    })
  }

  test.each(Array.from({ length: 40 }, (_, at) => at))('are those of whole numbers, list %i', (at) => {
    const values = drawn(3 + at * 2, 7 + at)
    expect(exactSum(values)).toBe(summed(values))
    expect(exactSum(values.toReversed())).toBe(summed(values))
    // All but the last digits cancel out.
    const cancelling = [...values, ...values.toReversed().map((value) => -value * (1 + 2 ** -52))]
    expect(exactSum(cancelling)).toBe(summed(cancelling))
    const centre = values[0] ?? 0
    const near = drawn(3 + at, 99 + at).map((value) => value / 2 ** 10)
    // 2⁵⁴ and two ones lie between two numbers: the even one, whatever the centre.
    expect(exactSquares([2 ** 27 + 3, 4, 4], 3)).toBe(2 ** 54)
    expect(exactSquares([2 ** 27 + 3, 4, 4, 4], 3)).toBe(2 ** 54 + 4)
    expect(exactSquares(near, centre)).toBe(summed(near.map((value) => (value - centre) ** 2)))
  })

  test.each([
    [[1, 2 ** -53], 1],
    [[1 + 2 ** -52, 2 ** -53], 1 + 2 ** -51],
    [[1 + 2 ** -52, 2 ** -53, -(2 ** -120)], 1 + 2 ** -52],
    [[1, 2 ** -53, 2 ** -120], 1 + 2 ** -52],
    [[-1, -(2 ** -53), -(2 ** -120)], -1 - 2 ** -52],
    [[-1, -(2 ** -53), 2 ** -120], -1],
    [[2 ** 60, 1, -(2 ** 60), 2 ** -60], 1 + 2 ** -60],
    [[], 0],
  ])('go to the nearest, of two as near to the even one: %j', (values, wanted) => {
    expect(exactSum(values)).toBe(wanted)
    expect(exactSum(Float64Array.from(values))).toBe(wanted)
  })

  test('a mean of nothing is none', () => {
    expect(exactMean([])).toBeNaN()
    expect(exactMean([0.1, 0.2, 0.3])).toBe(summed([0.1, 0.2, 0.3]) / 3)
  })
})

test('equal values share the mean of their ranks', () => {
  expect(averageRanks([30, 10, 20, 10, 30, 30])).toEqual([5, 1.5, 3, 1.5, 5, 5])
  expect(averageRanks([])).toEqual([])
})

// By the trapezoidal rule over 60,001 points of the χ distribution, with scipy's normal tail.
test.each([
  [1e-7, 19, 4, 2.95358486981905e-7],
  [1e-7, 1, 100, 1.6334008869920987e-6],
  [1.4876883440286811e-5, 383.7059298852744, 100, 4.178348337654327e-5],
])(
  'a detectable difference far below the span is found: error %d, df %d, span %d',
  (error, df, span, found) => {
    const plan = { standardError: error, df, alpha: 0.05 }
    const made = detectableByT(plan, span, 0.8) ?? NaN
    expect(Math.abs(made / found - 1)).toBeLessThan(1e-9)
    expect(powerOfT(plan)(span)).toBe(1)
  },
)
