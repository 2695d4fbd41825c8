import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { Moments } from '../../../targets/statistics/moments.ts'
import { normalCdf, normalQuantile } from '../../../targets/statistics/distributions/normal.ts'
import { studentT } from '../../../targets/statistics/distributions/student-t.ts'
import { tInterval } from '../../../targets/statistics/intervals/t-interval.ts'
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

const momentsOf = (values: readonly number[]): Moments => {
  const moments = new Moments()
  for (const value of values) moments.add(value)
  return moments
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

  test('t quantiles and t intervals agree to 1e-9', () => {
    let values: readonly number[] = []
    for (const { x, confidence, mean, sd, df, t, low, high } of golden().t_interval.cases) {
      if (typeof x !== 'string') values = x
      const summary = momentsOf(values).summary()
      close(summary.mean, mean)
      close(summary.sd, sd)
      close(studentT(confidence, df), t)
      const ours = tInterval(summary, confidence)
      close(ours?.low, low)
      close(ours?.high, high)
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

  test('one value has no t interval, equal values have one of no width', () => {
    expect(tInterval(momentsOf([3]).summary(), 0.95)).toBeUndefined()
    expect(tInterval(momentsOf([3, 3, 3]).summary(), 0.95)).toEqual({ low: 3, high: 3 })
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
