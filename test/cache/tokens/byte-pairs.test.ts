import { expect, test } from 'vitest'
import { bytePairs, NO_TOKEN } from '../../../cache/tokens/byte-pairs.ts'

/** Splits a text by a vocabulary, in the order of its ranks. */
const split = (text: string, ...vocabulary: readonly string[]): readonly string[] => {
  const bounds = bytePairs(Buffer.from(text), (bytes, from, to) => {
    const rank = vocabulary.indexOf(Buffer.from(bytes.subarray(from, to)).toString())
    return rank < 0 ? NO_TOKEN : rank
  })
  return bounds.slice(1).map((end, index) => text.slice(bounds[index], end))
}

test('of neighbours the pair of lowest rank is joined, the first of equals', () => {
  expect(split('aaa', 'aa')).toEqual(['aa', 'a'])
  expect(split('aaaaa', 'aa')).toEqual(['aa', 'aa', 'a'])
  expect(split('abc', 'ab', 'bc')).toEqual(['ab', 'c'])
  expect(split('abc', 'bc', 'ab')).toEqual(['a', 'bc'])
})

test('what was joined is joined on, to its left and to its right, and a whole piece is taken at once', () => {
  expect(split('xabc', 'bc', 'abc', 'xa')).toEqual(['x', 'abc'])
  expect(split('abcx', 'ab', 'abc', 'cx')).toEqual(['abc', 'x'])
  expect(split('abc', 'abc')).toEqual(['abc'])
  expect(split('abc')).toEqual(['a', 'b', 'c'])
})
