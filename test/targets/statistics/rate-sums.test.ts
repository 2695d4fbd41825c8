import * as fc from 'fast-check'
import { expect, it } from 'vitest'
import { exactMean } from '../../../benchmarks/python/mean.ts'
import { RateSums } from '../../../targets/statistics/rate-sums.ts'

it('means of rates are those of exact sums, to the bit, in any order', () => {
  const rate = fc
    .tuple(fc.integer({ min: 0, max: 20_000 }), fc.integer({ min: 1, max: 10_000 }))
    .map(([halves, others]) => Math.min(1, halves / 2 / others))
  fc.assert(
    fc.property(fc.array(rate, { minLength: 1, maxLength: 60 }), (rates) => {
      const sums = new RateSums(2)
      for (const each of rates) sums.add(0, each)
      for (const each of rates.toReversed()) sums.add(1, each)
      expect(sums.mean(0)).toBe(exactMean(rates))
      expect(sums.mean(1)).toBe(exactMean(rates))
    }),
    { numRuns: 2000 },
  )
})

it('without a rate there is no mean', () => {
  expect(new RateSums(1).mean(0)).toBeNaN()
})
