import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { meanOf, squaresOf } from '../../../targets/statistics/mean.ts'
import { normalCdf, normalQuantile } from '../../../targets/statistics/distributions/normal.ts'
import { studentT } from '../../../targets/statistics/distributions/student-t.ts'
import { exactSum } from '../../../targets/statistics/exact-sum.ts'
import { gaffke } from '../../../targets/statistics/intervals/gaffke.ts'
import { chanceFirst } from './compared/chance-first.ts'
import { wilson } from '../../../targets/statistics/intervals/wilson.ts'
import { shared } from '../../rig/shared.ts'

interface WilsonCase {
  readonly k: number
  readonly n: number
  readonly confidence: number
  readonly low: number
  readonly high: number
}

interface TCase {
  readonly x: readonly number[] | string
  readonly confidence: number
  readonly mean: number
  readonly sd: number
  readonly df: number
  readonly t: number
  readonly low: number
  readonly high: number
}

const file = shared('golden/metrics/statistics.json')

const close = (ours: number | undefined, golden: number): void => {
  expect(ours).toBeDefined()
  expect(Math.abs((ours ?? NaN) - golden)).toBeLessThanOrEqual(1e-9 * Math.max(1, Math.abs(golden)))
}

describe.skipIf(file === undefined)('against statsmodels and scipy', () => {
  const golden = (): { wilson: { cases: WilsonCase[] }; t_interval: { cases: TCase[] } } =>
    JSON.parse(readFileSync(file ?? '', 'utf8')) as ReturnType<typeof golden>

  test('Wilson intervals agree to 1e-9', () => {
    for (const { k, n, confidence, low, high } of golden().wilson.cases) {
      const ours = wilson(k, n, confidence)
      close(ours.low, low)
      close(ours.high, high)
    }
  })

  test('moments and t quantiles agree to 1e-9', () => {
    let values: readonly number[] = []
    for (const { x, confidence, mean, sd, df, t } of golden().t_interval.cases) {
      if (typeof x !== 'string') values = x
      close(meanOf(values), mean)
      close(Math.sqrt(squaresOf(values) / (values.length - 1)), sd)
      close(studentT(confidence, df), t)
    }
  })
})

describe('intervals', () => {
  test('the normal quantile undoes the distribution function, far into both tails', () => {
    close(normalQuantile(0.975), 1.959963984540054)
    close(normalQuantile(1e-9), -5.997807015007686)
    for (const z of [-6, -3.1, -2.9, -1, -0.001, 0, 0.4, 2.5, 4])
      close(normalCdf(normalQuantile(normalCdf(z))), normalCdf(z))
  })

  test('a sum is rounded once, in whatever order its values come', () => {
    expect(exactSum([1, 1e100, 1, -1e100])).toBe(2)
    // Halfway between two numbers but for the last part, and back.
    expect(exactSum([1, 2 ** -53, 2 ** -106])).toBe(1 + 2 ** -52)
    expect(exactSum([1, 2 ** -53, -(2 ** -106)])).toBe(1)
    expect(exactSum([0.1, 0.2, 0.3, -0.3, -0.2, -0.1])).toBe(0)
  })

  test('scores on a huge or a tiny scale keep their digits', () => {
    const unit = gaffke([0.1, 0.2], { low: 0, high: 1 }, 0.025)
    for (const size of [1e-300, 1e300]) {
      const { low, high } = gaffke([0.1 * size, 0.2 * size], { low: 0, high: size }, 0.025)
      close(low / size, unit.low)
      close(high / size, unit.high)
    }
  })

  test('copies of a model share the first place', () => {
    expect(
      chanceFirst(
        [1, 1],
        [
          [0, 0],
          [0, 0],
        ],
      ),
    ).toEqual([0.5, 0.5])
    const copies = [
      [0.04, 0.04],
      [0.04, 0.04],
    ]
    expect(chanceFirst([0.3, 0.3], copies)).toEqual([0.5, 0.5])
  })

  test('covariances that fit no common distribution are drawn towards 0 as far as they must', () => {
    // 0.9, −0.9 and 0.9 need to be halved at least; 15/32 is the least share, and leaves 0.478.
    const of = (r: number) => [
      [0.04, 0.04 * r, -0.04 * r],
      [0.04 * r, 0.04, 0.04 * r],
      [-0.04 * r, 0.04 * r, 0.04],
    ]
    const estimates = [0.3, 0.25, 0.2]
    const found = chanceFirst(estimates, of(0.9))
    expect(found).toEqual(chanceFirst(estimates, of(0.9 * (17 / 32))))
    // numpy.random.multivariate_normal, 10,000,000 draws.
    for (const [at, share] of [0.5175, 0.1757, 0.3068].entries()) expect(found[at]).toBeCloseTo(share, 2)
    // The same for the same models in another order.
    const turned = of(0.9)
      .toReversed()
      .map((row) => row.toReversed())
    expect(chanceFirst(estimates.toReversed(), turned).toReversed()).toEqual(found)
  })

  test('a model without spread varies with nobody, whatever its pairs say, and takes no covariance from the others', () => {
    const pair = [
      [0.04, 0.03],
      [0.03, 0.04],
    ]
    const beside = [[0, 0.01, 0], ...pair.map((row, at) => [at === 0 ? 0.01 : 0, ...row])]
    const clean = [[0, 0, 0], ...pair.map((row) => [0, ...row])]
    expect(chanceFirst([0.3, 0.25, 0.2], beside)).toEqual(chanceFirst([0.3, 0.25, 0.2], clean))
    // scipy.stats.norm.sf(0.25)
    expect(
      chanceFirst(
        [0.3, 0.25],
        [
          [0, 0.01],
          [0.01, 0.04],
        ],
      )[1],
    ).toBeCloseTo(0.4013, 2)
  })

  test('all right or all wrong still leaves doubt', () => {
    expect(wilson(5, 5, 0.95).high).toBe(1)
    expect(wilson(5, 5, 0.95).low).toBeLessThan(0.6)
    expect(wilson(0, 5, 0.95).low).toBe(0)
  })

  test('counts that are none are refused', () => {
    expect(() => wilson(2, 1, 0.95)).toThrow(RangeError)
    expect(() => wilson(0, 0, 0.95)).toThrow(RangeError)
    expect(() => studentT(1, 3)).toThrow(RangeError)
  })
})
