import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { exactOf, ratio } from '../../../benchmarks/python/numbers/exact.ts'
import { fma, square } from '../../../benchmarks/python/numbers/power.ts'
import { statisticsMean } from '../../../benchmarks/python/numbers/mean.ts'
import { powerTables } from '../../../benchmarks/python/numbers/power-tables.ts'
import { numberOf } from '../../../benchmarks/python/numbers/number.ts'
import { fixtureRows } from '../../rig/fixture.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'

const numbers = (value: PyValue | undefined): number =>
  typeof value === 'object' || typeof value === 'number' ? numberOf(value as number) : NaN

describe('the square', () => {
  it("equals CPython's, also where it is not x * x", () => {
    const rows = fixtureRows('python/squares.jsonl').map((row) => row.map(numbers))
    expect(rows.filter(([x = 0, expected]) => x * x !== expected)).toHaveLength(150)
    for (const [x = 0, expected] of rows) {
      expect(square(x)).toBe(expected)
      expect(square(-x)).toBe(expected)
    }
  })
  it("gives HELM's tiny variance of equal values", () => {
    const mean = 114.07142857142857
    const sumSquared = mean * mean
    expect(Math.abs(sumSquared - square(mean))).toBe(1.8189894035458565e-12)
  })
  it('is exact where the square is a double', () => {
    for (const x of [0, -0, 1, 0.5, 3, 1024, 94906265, 2 ** 400, Infinity, 1e-200])
      expect(square(x)).toBe(x * x)
    expect(square(NaN)).toBeNaN()
  })
  it("starts from the tables of glibc's pow", () => {
    const { log, exp } = powerTables()
    expect(log[0]).toEqual({ invc: 1.4140625, logc: -0.3464667673462145, logctail: 5.929407345889625e-15 })
    expect(exp[0]).toEqual({ bits: 0x3ff0000000000000n, tail: 0 })
    expect([log.length, exp.length]).toEqual([128, 128])
  })
})

/** Doubles whose products neither over- nor underflow. */
const moderate = fc.double({ min: 2 ** -200, max: 2 ** 200, noNaN: true })

describe('exact arithmetic', () => {
  it('rounds a product and a sum once', () => {
    fc.assert(
      fc.property(moderate, moderate, moderate, fc.boolean(), (a, b, c, minus) => {
        const addend = minus ? -c : c
        const [x, y, z] = [exactOf(a), exactOf(b), exactOf(addend)]
        const product = x.exponent + y.exponent
        const lowest = Math.min(product, z.exponent)
        const sum =
          ((x.mantissa * y.mantissa) << BigInt(product - lowest)) +
          (z.mantissa << BigInt(z.exponent - lowest))
        const expected = ratio(sum << BigInt(Math.max(lowest, 0)), 1n << BigInt(Math.max(-lowest, 0)))
        expect(fma(a, b, addend)).toBe(expected)
      }),
    )
  })
  it('takes a double apart and puts it together again', () => {
    fc.assert(
      fc.property(fc.double({ noNaN: true, noDefaultInfinity: true }), (x) => {
        const { mantissa, exponent } = exactOf(x)
        const back = ratio(mantissa << BigInt(Math.max(exponent, 0)), 1n << BigInt(Math.max(-exponent, 0)))
        expect(back).toBe(x === 0 ? 0 : x)
      }),
    )
    expect(() => exactOf(NaN)).toThrow(RangeError)
  })
  it('divides integers as Python does, ties to even', () => {
    expect([ratio(1n, 3n), ratio(-2n, 3n), ratio(2n ** 53n + 1n, 1n), ratio(2n ** 53n + 3n, 1n)]).toEqual([
      1 / 3,
      -2 / 3,
      2 ** 53,
      2 ** 53 + 4,
    ])
    expect([ratio(1n, 2n ** 1075n), ratio(3n, 2n ** 1075n), ratio(2n ** 1024n - 1n, 1n)]).toEqual([
      0,
      1e-323,
      Infinity,
    ])
  })
})

describe('the exact mean', () => {
  it('equals statistics.mean', () => {
    for (const [values, expected] of fixtureRows('python/means.jsonl')) {
      expect(statisticsMean(Array.isArray(values) ? values.map(numbers) : [])).toBe(numbers(expected))
    }
    expect(statisticsMean([0.1, 0.2, 0.3])).toBe(0.2)
  })
  it('passes infinities and NaN on', () => {
    expect(statisticsMean([1, Infinity])).toBe(Infinity)
    expect(statisticsMean([Infinity, -Infinity])).toBeNaN()
    expect(statisticsMean([NaN, 1])).toBeNaN()
  })
  it('of nothing is refused', () => {
    expect(() => statisticsMean([])).toThrow(RangeError)
  })
})

it('A quotient below the least normal double is rounded once.', () => {
  // Python: (5 * 2**59 + 1) / 2**1134, a little more than 2.5 of the least steps, and 5 / 2**1075, which is 2.5.
  expect(ratio(5n * 2n ** 59n + 1n, 2n ** 1134n)).toBe(1.5e-323)
  expect(ratio(5n, 2n ** 1075n)).toBe(1e-323)
})
