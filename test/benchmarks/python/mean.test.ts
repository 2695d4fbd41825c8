import { expect, test } from 'vitest'
import { statisticsMean } from '../../../benchmarks/python/numbers/mean.ts'

// As Python's statistics.mean, which adds fractions and rounds once.
test('A mean is the exact sum divided and rounded once, whatever its values would be added up to', () => {
  expect(statisticsMean(Array.from({ length: 10 }, () => 0.1))).toBe(0.1)
  expect(statisticsMean([1e16, 1, -1e16])).toBe(1 / 3)
  expect(statisticsMean([1e308, 1e308])).toBe(1e308)
  expect(statisticsMean([5e-324, 5e-324])).toBe(5e-324)
  expect(statisticsMean([1, 2, 2])).toBe(5 / 3)
  expect(statisticsMean([2 ** 1000, 2 ** 60])).toBe(2 ** 999)
  expect(statisticsMean([-7])).toBe(-7)
})

test('An infinity or NaN makes the mean what it makes a sum, and of nothing there is none', () => {
  expect(statisticsMean([Infinity, 1])).toBe(Infinity)
  expect(statisticsMean([1, -Infinity, -Infinity])).toBe(-Infinity)
  expect(statisticsMean([Infinity, -Infinity])).toBeNaN()
  expect(statisticsMean([1, NaN])).toBeNaN()
  expect(() => statisticsMean([])).toThrow(RangeError)
})
