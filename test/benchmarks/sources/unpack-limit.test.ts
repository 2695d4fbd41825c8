import { expect, test } from 'vitest'
import { rowLimit, UnpackBudget, unpackLimit } from '../../../benchmarks/sources/unpack-limit.ts'

const MEBIBYTE = 2 ** 20

test('A small file may unpack to 128 MiB, a larger one to eight times its size, and a row wants a byte beyond a million', () => {
  expect([0, 16, 17, 1000].map((size) => unpackLimit(size * MEBIBYTE) / MEBIBYTE)).toEqual([
    128, 128, 136, 8000,
  ])
  expect([rowLimit(1), rowLimit(2 ** 20), rowLimit(2 ** 20 + 1)]).toEqual([2 ** 20, 2 ** 20, 2 ** 20 + 1])
})

test('All parts of a file together may unpack to its limit and to no byte more', () => {
  const budget = new UnpackBudget(1000)
  budget.take(100 * MEBIBYTE)
  budget.take(28 * MEBIBYTE)
  budget.take(0)
  expect(() => budget.take(1)).toThrow('it unpacks to more than 128 MiB from 1000 bytes')
})

test.each([-1, 0.5, NaN, Infinity, 2 ** 53])('A part of %d bytes is none', (bytes) => {
  expect(() => new UnpackBudget(1000).take(bytes)).toThrow('a part has an impossible size')
})
