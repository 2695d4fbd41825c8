import { describe, expect, test } from 'vitest'
import { gaffke, gaffkeHigh, gaffkeLow } from '../../../targets/statistics/intervals/gaffke.ts'
import {
  RULES,
  summaryOf,
  weightedMeanChance,
  type Counted,
} from '../../../targets/statistics/intervals/weighted-mean-chance.ts'

const once = (values: readonly number[]): Counted => ({ values, counts: values.map(() => 1) })
const chanceOf = (all: Counted, mean: number, rule = RULES.finest()): number =>
  weightedMeanChance(all)(mean, rule)

describe('the chance of a mean under exponential weights', () => {
  // Of zeros and ones it is that of a beta variable: scipy.
  test.each([
    [3, 2, 0.4, 0.5248],
    [40, 60, 0.55, 0.1537752023186018],
    [1, 1, 0.3, 0.3],
    [20, 5, 0.25, 0.7533515589214268],
  ])('of %i zeros and %i ones to lie below %f', (zeros, ones, mean, wanted) => {
    expect(chanceOf({ values: [0, 1], counts: [zeros, ones] }, mean)).toBeCloseTo(wanted, 11)
    // The same values one by one.
    const apart = Array.from({ length: zeros + ones }, (_, at) => Number(at >= zeros))
    expect(chanceOf(once(apart), mean)).toBeCloseTo(wanted, 11)
  })

  // Of different values it is 1 less the sum of a^(n−1) / Π(a − b) over the distances a above 0, in whole fractions.
  const SQUARES = Array.from({ length: 30 }, (_, at) => (at * at) / 900)
  const FAR = [...Array.from({ length: 60 }, (_, at) => at / 61 + at ** 3 / 1e6), 5]
  test.each([
    ['five', [0, 1, 3, 4, 7].map((seventh) => seventh / 7), 0.1, 0.0028583333333333334],
    ['five', [0, 1, 3, 4, 7].map((seventh) => seventh / 7), 0.4, 0.4401333333333333],
    ['five', [0, 1, 3, 4, 7].map((seventh) => seventh / 7), 0.8, 0.9923777777777778],
    ['thirty', SQUARES, 0.2, 0.006800744589690023],
    ['thirty', SQUARES, 0.3, 0.38660004082525495],
    ['thirty', SQUARES, 0.4, 0.9393791183540723],
    ['sixty and a far one', FAR, 0.5, 0.0512537017050745],
    ['sixty and a far one', FAR, 0.6, 0.5250116239865473],
  ])('of %s values %j to lie below %f', (_, values, mean, wanted) => {
    expect(chanceOf(once(values), mean)).toBeCloseTo(wanted, 11)
    // Turned round it is the chance to lie above.
    const turned = values.map((value) => -value).toReversed()
    expect(chanceOf(once(turned), -mean)).toBeCloseTo(1 - wanted, 11)
    expect(chanceOf(once(values), mean, RULES.coarse())).toBeCloseTo(wanted, 2)
  })

  test('is none or sure at the ends', () => {
    expect([-1, 0, 1, 2].map((mean) => chanceOf(once([0, 0.5, 1]), mean))).toEqual([0, 0, 1, 1])
  })

  test('rests on values as often as they come', () => {
    expect(summaryOf({ values: [1, 4], counts: [2, 1] })).toEqual({ n: 3, mean: 2, sd: Math.SQRT2 })
  })
})

describe('Gaffke’s interval', () => {
  const UNIT = { low: 0, high: 1 }

  test('ends where so much of the chance lies beyond, with one more value at the end of the scale', () => {
    for (const values of [
      [0.3],
      [0.2, 0.9],
      [0, 0.5, 1],
      Array.from({ length: 40 }, (_, at) => ((at * 7) % 40) / 50),
      Array.from({ length: 30 }, (_, at) => 0.4 + (at % 3) / 100),
    ]) {
      const { low, high } = gaffke(values, UNIT, 0.025)
      const sorted = values.toSorted((a, b) => a - b)
      expect(chanceOf(once([0, ...sorted]), low)).toBeCloseTo(0.025, 9)
      expect(1 - chanceOf(once([...sorted, 1]), high)).toBeCloseTo(0.025, 9)
      expect([gaffkeLow(values, UNIT, 0.025), gaffkeHigh(values, UNIT, 0.025)]).toEqual([low, high])
    }
  })

  test.each([
    [50, 0.001],
    [50, 0.1],
    [200, 0.025],
    [200, 0.001],
    [1000, 0.45],
  ])('of one right answer of %i has all digits of 1 − (1 − tail)^(1/n) at %f', (n, tail) => {
    // Clopper and Pearson's: that few right answers are integrated by fewer points is not to be seen.
    const low = gaffkeLow(
      Array.from({ length: n }, (_, at) => (at === 0 ? 1 : 0)),
      UNIT,
      tail,
    )
    expect(low / (1 - (1 - tail) ** (1 / n))).toBeCloseTo(1, 7)
    const lacking = gaffkeLow(
      Array.from({ length: n }, (_, at) => (at === 0 ? 0 : 1)),
      UNIT,
      tail,
    )
    expect((n * lacking ** (n - 1) - (n - 1) * lacking ** n) / tail).toBeCloseTo(1, 9)
  })

  test('of values at an end is that of nothing but ones: tail^(1/n)', () => {
    const all = gaffke([1, 1, 1], UNIT, 0.025)
    expect(all.high).toBe(1)
    expect(all.low).toBeCloseTo(0.025 ** (1 / 3), 12)
    expect(gaffke([5, 5], { low: 1, high: 5 }, 0.05).low).toBeCloseTo(1 + 4 * Math.sqrt(0.05), 12)
    expect(gaffke([1, 1], { low: 1, high: 5 }, 0.05)).toEqual({
      low: 1,
      high: expect.closeTo(5 - 4 * Math.sqrt(0.05), 12) as number,
    })
    expect(gaffke([2, 2], { low: 2, high: 2 }, 0.05)).toEqual({ low: 2, high: 2 })
  })

  test.each([
    [[], UNIT, 0.025],
    [[0.5, 1.1], UNIT, 0.025],
    [[-0.1, 0.5], UNIT, 0.025],
    [[NaN], UNIT, 0.025],
    [[0.5], UNIT, 0],
    [[0.5], UNIT, 0.5],
    [[0.5], UNIT, NaN],
  ])('is refused for %j on %j with %f', (values, scale, tail) => {
    expect(() => gaffke(values, scale, tail)).toThrow(RangeError)
  })
})
