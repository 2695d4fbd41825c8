import { describe, expect, test } from 'vitest'
import { effectiveInterval } from '../../../targets/statistics/intervals/clustered-mean.ts'
import { clusterRobust } from '../../../targets/statistics/paired/cluster-robust.ts'
import { groupGaps } from '../../../targets/statistics/intervals/group-gap.ts'
import type { Interval } from '../../../targets/statistics/intervals/wilson.ts'
import { meanInterval, type MeasuredSample } from '../../../targets/statistics/intervals/mean-interval.ts'
import { predictedTotal } from '../../../targets/statistics/intervals/predicted-total.ts'
import { studentT } from '../../../targets/statistics/distributions/student-t.ts'
import { weightedDeviation } from '../../../targets/statistics/mean.ts'
import { slopeOver } from '../../../targets/statistics/intervals/slope.ts'

const UNIT = { range: { low: 0, high: 1 }, isBinary: false }
const BINARY = { ...UNIT, isBinary: true }
const RATED = { range: { low: 1, high: 5 }, isBinary: false }
const OPEN = { isBinary: false }
const of = (runs: readonly MeasuredSample[], scale: Parameters<typeof meanInterval>[1]) =>
  meanInterval(runs, scale, 0.95)

const expectEnds = (found: Interval | null | undefined, low: number, high: number): void => {
  expect(found?.low).toBeCloseTo(low, 9)
  expect(found?.high).toBeCloseTo(high, 9)
}

test('Sources that are all alike count as one answer each, however many they have', () => {
  const halves = { weight: 1, values: [1, 0, 1, 0, 1, 0], sources: ['a', 'a', 'b', 'b', 'c', 'c'] }
  // Three, as far as Student's t with 2 degrees of freedom trusts them: (z/t)² of each.
  const share = (1.959963984540054 / 4.302652729749464) ** 2
  const found = effectiveInterval(clusterRobust([halves]), { low: 0, high: 1 }, 0.95)
  expect(found?.effectiveN).toBeCloseTo(3 * share, 9)
})

// The figures are those of scipy 1.17 and statsmodels 0.15.
describe('the interval of a mean', () => {
  const right = [1, 1, 0, 1]

  test('is Wilson’s for answers that are 0 or 1 by definition, Clopper and Pearson’s where they just happen to be', () => {
    const wilson = of([{ values: right }], BINARY)
    expect(wilson).toMatchObject({
      n: 4,
      measured: 4,
      sources: 4,
      mean: 0.75,
      method: 'Wilson',
      bounds: null,
    })
    expectEnds(wilson.interval, 0.30064184258240184, 0.9544127391902995)
    const gaffke = of([{ values: right }], UNIT)
    expect(gaffke.method).toBe('Gaffke')
    expectEnds(gaffke.interval, 0.19412044968324338, 0.9936905367902902)
    expect(of([{ values: [1, 0.5, 0] }], BINARY).method).toBe('Gaffke')
    // Answers without a source stand each for one of their own, beside the sources of another run.
    const mixed = of([{ values: [1, 0, 1, 0], sources: ['a', 'a', 'b', 'b'] }, { values: [1, 0, 0.5] }], UNIT)
    expect(mixed).toMatchObject({ sources: 5, method: expect.stringMatching(/over 5 sources$/) })
  })

  test('is Student’s on a scale without ends, where there is a spread', () => {
    const found = of([{ values: [1, 2, 4, 7] }], OPEN)
    expect(found).toMatchObject({ mean: 3.5, method: 't, CR2', reason: '' })
    expectEnds(found.interval, -0.7099807422985158, 7.709980742298516)
  })

  test.each([
    [[], OPEN, 'no instance'],
    [[3], OPEN, 'one source'],
    [[3, 3], OPEN, 'nothing spreads on a scale without ends'],
    [[1e12, 1e12 + 1e-4], OPEN, 'nothing spreads on a scale without ends'],
    [[1e200, -1e200], OPEN, 'values too far apart to be squared'],
    [[1, NaN], OPEN, 'values are missing on a scale without ends'],
    [[0.5, 1.2], UNIT, 'values lie off the scale'],
    [[1, 2], BINARY, 'values lie off the scale'],
    [[0.5, 1.2, NaN], UNIT, 'values lie off the scale'],
  ])('is not given for %j', (values, scale, reason) => {
    expect(of([{ values }], scale)).toMatchObject({ interval: null, method: '', reason })
  })

  test('is not given over runs of which one is off the scale', () => {
    const off = { interval: null, bounds: null, reason: 'values lie off the scale' }
    expect(of([{ values: [0, 1] }, { values: [0, 2] }], UNIT)).toMatchObject(off)
    expect(of([{ values: [0, 1] }, { values: [2, NaN] }], UNIT)).toMatchObject({
      interval: null,
      reason: 'values lie off the scale',
    })
  })

  test('is Wilson’s at n − 1 answers, shortened by t, where each of eight has a source of its own', () => {
    const values = [1, 1, 1, 1, 1, 1, 0, 0]
    const sources = 'abcdefgh'.split('')
    const unit = of([{ values, sources }], BINARY)
    expect(unit).toMatchObject({ sources: 8, reason: '' })
    expect(unit.method).toContain('8 sources')
    expectEnds(unit.interval, 0.3298112512652385, 0.9481551940042527)
    const rated = of([{ values: values.map((value) => 1 + 4 * value), sources }], RATED)
    expectEnds(rated.interval, 1 + 4 * 0.3298112512652385, 1 + 4 * 0.9481551940042527)
  })

  test('warns of few sources and asks for two', () => {
    const values = [1, 1, 0, 1]
    expect(of([{ values, sources: 'aabb'.split('') }], BINARY).reason).toBe('too few sources')
    expect(of([{ values, sources: 'aaaa'.split('') }], BINARY)).toMatchObject({
      interval: null,
      reason: 'one source',
      sources: 1,
    })
  })

  test('is of benchmarks that count the same, and of runs that count the same within one', () => {
    const small = { values: [0, 0], benchmark: 'x' }
    const large = { values: [1, 1, 1, 1, 0, 1, 1, 1], benchmark: 'x' }
    const other = { values: [1, 0, 1], benchmark: 'y' }
    expect(of([small, large], BINARY).mean).toBeCloseTo(7 / 16, 12)
    expect(of([small, large, other], BINARY).mean).toBeCloseTo((7 / 16 + 2 / 3) / 2, 12)
    const empty = { values: [NaN, NaN], benchmark: 'x' }
    expect(of([empty, large, other], BINARY)).toMatchObject({ n: 13, measured: 11, sources: 11 })
    expect(of([empty, large, other], BINARY).mean).toBeCloseTo((7 / 8 + 2 / 3) / 2, 12)
    const { bounds } = of([empty, large, other], BINARY)
    expectEnds(bounds, (7 / 16 + 2 / 3) / 2, (15 / 16 + 2 / 3) / 2)
  })

  test('goes around all that missing values could be', () => {
    const found = of([{ values: [1, 0.5, NaN, 0] }], UNIT)
    expect(found).toMatchObject({ n: 4, measured: 3, mean: 0.5, bounds: { low: 0.375, high: 0.625 } })
    expect(found.method).toContain('Imbens and Manski')
    expect(found.interval?.low).toBeLessThan(0.375)
    expect(found.interval?.high).toBeGreaterThan(0.625)
    const nothing = of([{ values: [NaN, NaN] }], UNIT)
    expect(nothing).toMatchObject({ n: 2, measured: 0, mean: null, bounds: { low: 0, high: 1 } })
    expect(nothing.interval).toEqual({ low: 0, high: 1 })
  })

  test('has the ends of the two worst cases where sources are shared', () => {
    const sources = 'aabbcd'.split('')
    const withEnd = (end: number): MeasuredSample => ({ values: [5, 1, 3, end, 4, end], sources })
    const found = of([withEnd(NaN)], RATED)
    const [low, high] = [of([withEnd(1)], RATED), of([withEnd(5)], RATED)]
    expect(found).toMatchObject({ n: 6, measured: 4, bounds: { low: low.mean, high: high.mean } })
    expect(found.interval).toEqual({ low: low.interval?.low, high: high.interval?.high })
    expect(found.method).toMatch(/^bounds, Wilson/)
    expect(found.reason).toBe(low.reason)
    const single = of([{ values: [5, NaN], sources: ['a', 'a'] }], RATED)
    expect(single).toMatchObject({ interval: null, reason: 'one source', bounds: { low: 3, high: 5 } })
    const two = of([{ values: [5, NaN, 2] }, { values: [1, 4] }], RATED)
    expect(two.method).toMatch(/^bounds, Wilson/)
  })
})

describe('gaps between groups', () => {
  const a = [5, 3, 4, 4, 2]
  const b = [3, 3, 1, 4, 2]
  const sources = 'pqrst'.split('')
  const gap = (groups: Parameters<typeof groupGaps>[0], scale: typeof OPEN = RATED, family = 1) =>
    groupGaps(groups, scale, { confidence: 0.95, family })

  test('are the paired t interval where each patient is in both groups', () => {
    const [found] = gap([[{ values: b, sources }], [{ values: a, sources }]])
    expect(found).toMatchObject({ high: 1, low: 0, difference: 1 })
    expectEnds(found?.interval, -0.7559780661701656, 2.7559780661701656)
    expectEnds(
      gap([[{ values: a, sources }], [{ values: b, sources }]], OPEN)[0]?.interval,
      -0.7559780661701656,
      2.7559780661701656,
    )
    expectEnds(
      gap([[{ values: a, sources }], [{ values: b, sources }]], RATED, 5)[0]?.interval,
      -1.9118852713931775,
      3.9118852713931775,
    )
    // A run told twice says no more than once.
    const twice = (values: readonly number[]): readonly MeasuredSample[] => [
      { values, sources },
      { values, sources },
    ]
    expectEnds(gap([twice(a), twice(b)])[0]?.interval, -0.7559780661701656, 2.7559780661701656)
  })

  test('leave out groups without a mean, and have no interval where a group has none', () => {
    const [single, ...others] = gap([[{ values: a }], [{ values: [] }], [{ values: b }]])
    expect(single).toMatchObject({ high: 0, low: 2 })
    expect(others).toEqual([])
    expect(gap([[{ values: [1, 2, 4] }], [{ values: [3] }]], OPEN)[0]?.interval).toBeNull()
    expect(gap([[{ values: [4] }], [{ values: [3, 2, 1] }]], OPEN)[0]?.interval).toBeNull()
  })

  test('with something missing lie between the ends of both intervals', () => {
    const [above, below] = [{ values: [5, NaN, 4] }, { values: b }]
    const [high, low] = [of([above], RATED).interval, of([below], RATED).interval]
    expectEnds(
      gap([[above], [below]])[0]?.interval,
      (high?.low ?? NaN) - (low?.high ?? NaN),
      (high?.high ?? NaN) - (low?.low ?? NaN),
    )
  })

  test('fall back on the groups’ own intervals where nothing spreads over shared patients', () => {
    const [found] = gap([
      [{ values: [3, 3, 3], sources: 'pqr'.split('') }],
      [{ values: [2, 2, 2], sources: 'pqr'.split('') }],
    ])
    expect(found?.interval?.low).toBeLessThan(1)
    expect(found?.interval?.high).toBeGreaterThan(1)
  })
})

describe('the slope of points', () => {
  const points = [
    { x: 1, y: 3 },
    { x: 2, y: 2 },
    { x: 4, y: 5 },
    { x: 7, y: 9 },
    { x: 8, y: 7 },
  ]

  test('is scipy’s, with its t interval', () => {
    const found = slopeOver(points, 0.95)
    expect(found?.slope).toBeCloseTo(0.8494623655913978, 12)
    expectEnds(found, 0.11419990093096088, 1.5847248302518346)
    expect(slopeOver(points.slice(0, 3), 0.95)?.low).toBeLessThan(0)
  })

  test('is of groups with a level of their own, which take a degree of freedom each', () => {
    const lifted = points.map(({ x, y }) => ({ x: x + 10, y: y + 50, group: 'b' }))
    const found = slopeOver([...points, ...lifted], 0.95)
    expect(found?.slope).toBeCloseTo(0.8494623655913978, 12)
    // Twice the squares over 7 degrees of freedom in place of once over 3.
    const [half, own] = [found, slopeOver(points, 0.95)].map(
      (each) => (each?.high ?? NaN) - (each?.slope ?? NaN),
    )
    expect(half).toBeCloseTo(((own ?? NaN) * studentT(0.95, 7) * Math.sqrt(3 / 7)) / studentT(0.95, 3), 12)
  })

  test.each([
    ['two points', points.slice(0, 2)],
    ['one x', points.map(({ y }) => ({ x: 3, y }))],
    ['a line', points.map(({ x }) => ({ x, y: 2 * x + 1 }))],
    ['a line far up', points.map(({ x }) => ({ x, y: x / 3 + 1e9 }))],
  ])('is none for %s', (_, given) => {
    expect(slopeOver(given, 0.95)).toBeUndefined()
  })
})

test('a sum to come is predicted in proportion to sizes, with Student’s interval', () => {
  const seen = [
    { value: 2, size: 1 },
    { value: 3, size: 2 },
    { value: 7, size: 3 },
  ]
  expectEnds(predictedTotal(seen, { calls: 4, total: 9 }, 0.95), 4.8551787845431456, 31.144821215456854)
  expect(predictedTotal([], { calls: 4, total: 9 }, 0.95)).toEqual({ low: 0, high: 0 })
  expect(predictedTotal([{ value: 2, size: 1 }], { calls: 4, total: 4 }, 0.95)).toEqual({ low: 8, high: 8 })
})

test('A deviation of values that stand for several is that of as many, 0 where they differ by rounding, unknown of one', () => {
  const of = (...values: readonly (readonly [value: number, weight: number])[]): number =>
    weightedDeviation(values.map(([value, weight]) => ({ value, weight })))
  // Mean 2, squares 1 + 1 + 0 + 4 + 4 of six.
  expect(of([1, 1], [3, 1], [2, 2], [4, 1], [0, 1])).toBeCloseTo(Math.sqrt((10 / 6) * (5 / 4)), 12)
  expect(of([0.1 + 0.2, 1], [0.3, 2])).toBe(0)
  expect(of([5, 3])).toBeNaN()
})
