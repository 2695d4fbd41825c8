import { describe, expect, test } from 'vitest'
import { gateOf, type GateBenchmark } from '../../../targets/statistics/gate/gate.ts'
import { rankSets } from '../../../targets/statistics/ranks/rank-sets.ts'

/** Pairs of answers of which A alone has `lost` right, B alone `won`, and both `even`. */
const benchmark = (
  name: string,
  [lost, won, even]: readonly [number, number, number],
  margin?: number,
): GateBenchmark => ({
  name,
  runs: [
    {
      a: [...Array<number>(lost).fill(1), ...Array<number>(won).fill(0), ...Array<number>(even).fill(1)],
      b: [...Array<number>(lost).fill(0), ...Array<number>(won).fill(1), ...Array<number>(even).fill(1)],
    },
  ],
  isBinary: true,
  ...(margin !== undefined && { margin }),
})
const LEVELS = { alpha: 0.05, pooledShare: 0.5 }
const verdicts = (...found: readonly GateBenchmark[]) => {
  const { pooled, benchmarks, verdict } = gateOf(found, LEVELS)
  return [verdict, pooled.verdict, ...benchmarks.map((row) => row.verdict)]
}

describe('the gate', () => {
  test('is regressed by one benchmark that surely is, and inconclusive without a margin', () => {
    expect(verdicts(benchmark('x', [20, 1, 30]))).toEqual(['regressed', 'regressed', 'regressed'])
    expect(verdicts(benchmark('x', [3, 2, 45]))).toEqual(['inconclusive', 'inconclusive', 'inconclusive'])
    expect(verdicts(benchmark('x', [12, 1, 40]), benchmark('y', [0, 14, 40]))).toEqual([
      'regressed',
      'inconclusive',
      'regressed',
      'inconclusive',
    ])
  })

  test('is not worse only where all are, the mean too', () => {
    const [fine, open] = [benchmark('x', [1, 30, 200], 0.1), benchmark('y', [1, 30, 200])]
    const levels = { ...LEVELS, pooledMargin: 0.05 }
    expect(gateOf([fine], levels)).toMatchObject({
      verdict: 'not worse',
      pooled: { margin: 0.05, verdict: 'not worse' },
    })
    expect(gateOf([fine, open], levels)).toMatchObject({
      verdict: 'inconclusive',
      benchmarks: [{ verdict: 'not worse' }, { verdict: 'inconclusive' }],
    })
    expect(gateOf([fine], LEVELS).verdict).toBe('inconclusive')
    // A loss that is sure, but surely within the margin.
    const small = benchmark('x', [12, 1, 4000], 0.05)
    expect(gateOf([small], levels).benchmarks[0]).toMatchObject({ verdict: 'not worse' })
    expect(gateOf([small], levels).benchmarks[0]?.holm).toBeLessThan(0.05)
    // The limit itself is borne.
    const { upper = NaN } = gateOf([small], levels).benchmarks[0] ?? {}
    expect(gateOf([{ ...small, margin: upper }], LEVELS).benchmarks[0]?.verdict).toBe('not worse')
  })

  test('leaves benchmarks all of α where the mean is sure, else the rest of it', () => {
    expect(gateOf([benchmark('x', [20, 1, 30])], LEVELS).familyLevel).toBe(0.05)
    expect(gateOf([benchmark('x', [3, 2, 45])], LEVELS).familyLevel).toBe(0.025)
    expect(gateOf([benchmark('x', [3, 2, 45])], { ...LEVELS, pooledShare: 0.2 }).familyLevel).toBeCloseTo(
      0.04,
      12,
    )
  })

  test('adjusts by Holm, and tells powers where a margin is named', () => {
    // One-sided mid-p of 0 of 7 and 1 of 7: 2^-8 and (1 + 7/2) 2^-7.
    const { benchmarks, pooled } = gateOf([benchmark('x', [7, 0, 3], 0.1), benchmark('y', [6, 1, 3])], LEVELS)
    expect(benchmarks[0]?.p).toBeCloseTo(2 ** -8, 12)
    expect(benchmarks[0]?.holm).toBeCloseTo(2 ** -7, 12)
    expect(benchmarks[1]?.holm).toBeCloseTo(4.5 * 2 ** -7, 12)
    expect(benchmarks[0]?.powerToClear).toBeGreaterThan(benchmarks[0]?.powerToFindMargin ?? 1)
    expect(benchmarks[1]).not.toHaveProperty('margin')
    expect(benchmarks[1]).not.toHaveProperty('powerToClear')
    expect(pooled).not.toHaveProperty('margin')
    // 2^-6 would do for one benchmark, thrice as much is beyond the 2.5 % that are left for all.
    const [lost, even] = [benchmark('x', [5, 0, 95]), benchmark('y', [4, 4, 92])]
    expect(verdicts(lost)).toEqual(['regressed', 'regressed', 'regressed'])
    expect(verdicts(lost, even, { ...even, name: 'z' })).toEqual(Array(5).fill('inconclusive'))
    expect(pooled.loss).toBeCloseTo((0.7 + 0.5) / 2, 12)
  })

  test('pools what more than one source tells of, sources of benchmarks being one where they are', () => {
    const single = { ...benchmark('one', [1, 0, 0]), isBinary: false }
    const { pooled, benchmarks } = gateOf([benchmark('x', [7, 0, 3]), single], LEVELS)
    expect(pooled).toMatchObject({ n: 10, over: 1 })
    expect(benchmarks[1]).toMatchObject({ n: 1, verdict: 'inconclusive' })
    const shared = ['x', 'y'].map((name) => {
      const [run] = benchmark(name, [3, 1, 4]).runs
      return {
        name,
        runs:
          run === undefined
            ? []
            : [{ ...run, pooledSources: run.a.length === 8 ? 'abcdefgh'.split('') : [] }],
        isBinary: true,
      }
    })
    const apart = [benchmark('x', [3, 1, 4]), benchmark('y', [3, 1, 4])]
    const [one, two] = [gateOf(shared, LEVELS).pooled, gateOf(apart, LEVELS).pooled]
    expect(one.plan?.df).toBeCloseTo(7, 9)
    expect(two.plan?.df).toBeCloseTo(14, 9)
    expect(one.plan?.standardError).toBeCloseTo(Math.SQRT2 * (two.plan?.standardError ?? NaN), 12)
  })
})

test('a rank is as sure as its claims are after Holm’s method, the last level included', () => {
  const p = [
    [1, 0.02, 0.05],
    [0.02, 1, 1],
    [0.05, 1, 1],
  ]
  const sets = (alpha: number) => rankSets(3, (a, b) => ({ difference: b - a, p: p[a]?.[b] ?? NaN }), alpha)
  // Of model 0: claims of 0.01 and 0.025 among four, times 4 and 3.
  expect(sets(0.08).marginal).toEqual([
    [1, 1],
    [2, 3],
    [1, 3],
  ])
  expect(sets(0.04).marginal).toEqual([
    [1, 2],
    [2, 3],
    [1, 3],
  ])
  expect(sets(0.08).above).toEqual([[], [0], []])
  // Of all six: times 6 and 5.
  expect(sets(0.06).simultaneous).toEqual([
    [1, 2],
    [2, 3],
    [1, 3],
  ])
  expect(sets(0.059).simultaneous).toEqual([
    [1, 3],
    [1, 3],
    [1, 3],
  ])
})
