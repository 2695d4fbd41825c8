import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Tally } from '../../../../targets/metrics/scoring/trial-sums.ts'

const tallyOf = (values: readonly number[], float = true): Tally => {
  const tally = new Tally()
  for (const value of values) tally.add(value, float)
  return tally
}
const NAME = { name: 'x' }

describe('a tally', () => {
  it('keeps ints until the first float', () => {
    const tally = tallyOf([1, 2], false)
    expect(tally.stat(NAME)).toEqual({
      name: NAME,
      count: 2,
      sum: 3,
      sumSquared: 5,
      min: 1,
      max: 2,
      mean: 1.5,
      variance: 0.25,
      stddev: 0.5,
      float: false,
    })
    tally.add(0, true)
    expect(tally.stat(NAME).float).toBe(true)
  })

  it('has neither minimum nor mean when nothing was added', () => {
    const tally = new Tally()
    tally.add(null, false)
    const empty = { name: NAME, count: 0, sum: 0, sumSquared: 0, float: false }
    expect([tally.stat(NAME), tally.takeMean().stat(NAME)]).toEqual([empty, empty])
  })

  it('clamps a negative variance to the int 0', () => {
    const stat = tallyOf([0.1, 0.1, 0.1]).stat(NAME)
    expect([stat.variance, stat.varianceIsInt, stat.stddev]).toEqual([0, true, 0])
  })

  it('leaves a variance that is exactly 0 a float', () => {
    const { variance, varianceIsInt } = tallyOf([2, 2]).stat(NAME)
    expect([variance, varianceIsInt]).toEqual([0, undefined])
  })

  it('squares the mean as C’s pow does, which shows as a tiny variance', () => {
    // Figures of CPython on x86-64 (targets/HELM.md T19).
    const { variance, stddev } = tallyOf([114.07142857142857]).stat(NAME)
    expect([variance, stddev]).toEqual([1.8189894035458565e-12, 1.3486991523486091e-6])
  })

  it('passes a NaN on', () => {
    expect(tallyOf([1, Number.NaN]).stat(NAME).sum).toBeNaN()
  })

  it('holds its mean between minimum and maximum, and the mean of a mean is itself', () => {
    const values = fc.array(fc.double({ min: -1e6, max: 1e6, noNaN: true }), { minLength: 1 })
    fc.assert(
      fc.property(values, (numbers) => {
        const tally = tallyOf(numbers)
        const { min = 0, max = 0, mean = 0, count } = tally.stat(NAME)
        expect(count).toBe(numbers.length)
        expect(mean).toBeGreaterThanOrEqual(min - 1e-6)
        expect(mean).toBeLessThanOrEqual(max + 1e-6)
        expect(tally.takeMean().stat(NAME)).toEqual(tallyOf([mean]).stat(NAME))
      }),
    )
  })

  it('merges to what adding all gives, but for the rounding of sums', () => {
    const ints = fc.array(fc.integer({ min: -1000, max: 1000 }))
    fc.assert(
      fc.property(ints, ints, (left, right) => {
        const merged = tallyOf(left, false)
        merged.merge(tallyOf(right, false))
        expect(merged.stat(NAME)).toEqual(tallyOf([...left, ...right], false).stat(NAME))
      }),
    )
  })
})
