import { expect, test } from 'vitest'
import { binomialCdf, binomialWeights } from '../../../targets/statistics/distributions/binomial.ts'
import { fQuantile } from '../../../targets/statistics/distributions/f-distribution.ts'
import { normalCdf, normalQuantile } from '../../../targets/statistics/distributions/normal.ts'
import { studentUpperQuantile } from '../../../targets/statistics/distributions/student-t.ts'

// The figures are scipy 1.17's.

test.each([
  [0, 5, 0.3, 0.16807],
  [2, 7, 0.4, 0.419904],
  [6, 7, 0.4, 0.9983616],
  [30, 200, 0.1, 0.9904916880530268],
  [-1, 4, 0.5, 0],
  [4, 4, 0.5, 1],
  [9, 4, 0.5, 1],
])('at most %i of %i at %f comes up with chance %f', (k, n, chance, wanted) => {
  expect(binomialCdf(k, n, chance)).toBeCloseTo(wanted, 12)
})

test('each count of successes has its chance, those that never come up left out', () => {
  const wanted = [0.117649, 0.302526, 0.324135, 0.18522, 0.059535, 0.010206, 0.000729]
  const found = binomialWeights(6, 0.3).toSorted((a, b) => a.count - b.count)
  expect(found.map(({ count }) => count)).toEqual([0, 1, 2, 3, 4, 5, 6])
  for (const { count, weight } of found) expect(weight).toBeCloseTo(wanted[count] ?? NaN, 12)
  expect(binomialWeights(6, 0)).toEqual([{ count: 0, weight: 1 }])
  expect(binomialWeights(6, 1)).toEqual([{ count: 6, weight: 1 }])
  const many = binomialWeights(100_000, 0.5)
  expect(many.length).toBeLessThan(4000)
  expect(many.reduce((sum, { count, weight }) => sum + count * weight, 0)).toBeCloseTo(50_000, 6)
})

test.each([
  [0.05, 3, 10, 3.7082648190468435],
  [0.5, 4, 7.5, 0.9200088305333631],
  [0.95, 2, 9, 0.05158674184326521],
  [0.999, 1, 4, 1.7777790946513024e-6],
  [0.025, 20, 1.5, 112.94391148327928],
])('F exceeds with chance %f at %f and %f what it does', (tail, df1, df2, wanted) => {
  expect(fQuantile(tail, df1, df2) / wanted).toBeCloseTo(1, 10)
})

test.each([
  [0.5, 3, 0],
  [0.9, 4, -1.533206274058944],
  [0.025, 4, 2.7764451051977943],
  [0.001, 2.5, 13.822193110865964],
  [0.75, 30, -0.6827556933212927],
])('Student’s t exceeds with chance %f at %f what it does', (tail, df, wanted) => {
  expect(studentUpperQuantile(tail, df)).toBeCloseTo(wanted, 10)
})

test('the normal distribution and its quantiles are scipy’s', () => {
  expect(normalCdf(0.5)).toBeCloseTo(0.6914624612740131, 14)
  expect(normalCdf(2.99)).toBeCloseTo(0.9986051127645078, 14)
  expect(normalCdf(3.01)).toBeCloseTo(0.9986937615512306, 14)
  expect(normalCdf(-1.5)).toBeCloseTo(0.06680720126885807, 14)
  expect(normalQuantile(0.5)).toBe(0)
  expect(normalQuantile(0.51)).toBeCloseTo(0.02506890825871106, 13)
  expect(normalQuantile(0.2)).toBeCloseTo(-0.8416212335729142, 13)
  expect(normalQuantile(1e-12)).toBeCloseTo(-7.034483825301131, 12)
})

test.each([0, 1, -0.1, 1.5, NaN])('no quantile is given for a probability of %f', (wrong) => {
  expect(() => normalQuantile(wrong)).toThrow(RangeError)
  expect(() => studentUpperQuantile(wrong, 3)).toThrow(/between 0 and 1/)
  expect(() => fQuantile(wrong, 3, 3)).toThrow(/between 0 and 1/)
})

test('degrees of freedom are positive', () => {
  expect(() => studentUpperQuantile(0.1, 0)).toThrow(/positive/)
  expect(() => fQuantile(0.1, 0, 3)).toThrow(/positive/)
  expect(() => fQuantile(0.1, 3, 0)).toThrow(/positive/)
})
