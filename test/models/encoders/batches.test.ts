import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { cutTo, sameLength } from '../../../models/encoders/onnx-encoder.ts'

test('every sequence is in one batch, with others of its length alone, the shortest first', () => {
  fc.assert(
    fc.property(fc.array(fc.array(fc.nat(9), { maxLength: 6 }), { maxLength: 40 }), (sequences) => {
      const batches = sameLength(sequences)
      expect(batches.flat().toSorted((a, b) => a - b)).toEqual(sequences.map((_, index) => index))
      const lengths = batches.map((batch) => new Set(batch.map((index) => sequences[index]?.length ?? -1)))
      expect(lengths.every(({ size }) => size === 1)).toBe(true)
      const firsts = lengths.map((each) => [...each][0] ?? 0)
      expect(firsts).toEqual(firsts.toSorted((a, b) => a - b))
    }),
  )
})

test('a batch holds 4,096 tokens at most, or one sequence', () => {
  const long = Array.from({ length: 20 }, () => Array.from({ length: 500 }, () => 1))
  expect(sameLength(long).map(({ length }) => length)).toEqual([8, 8, 4])
  expect(sameLength([Array.from({ length: 9000 }, () => 1)])).toEqual([[0]])
})

test('a text that is too long loses the tokens before its end mark, and no more than it must', () => {
  expect(cutTo(5, [1, 10, 11, 12, 2])).toEqual([1, 10, 11, 12, 2])
  expect(cutTo(5, [1, 10, 11, 12, 13, 14, 2])).toEqual([1, 10, 11, 12, 2])
})
