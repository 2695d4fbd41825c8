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

test('a piece of thousands of bytes is joined in the same order, and one of 200,000 while one waits', () => {
  const vocabulary = ['ab', 'aa', 'ba', 'aba', 'abab', 'bb', 'aab', 'ababa']
  const text = Array.from({ length: 3000 }, (_, at) => ((at * at) % 7 < 3 ? 'a' : 'b')).join('')
  expect(split(text, ...vocabulary)).toEqual(joinedOneByOne(text, vocabulary))
  expect(split('a'.repeat(200_000), 'aa', 'aaaa')).toHaveLength(50_000)
})

/** What the definition says, however long it takes. */
const joinedOneByOne = (text: string, vocabulary: readonly string[]): readonly string[] => {
  const tokens = text.split('')
  for (;;) {
    const ranks = tokens.slice(1).map((token, at) => vocabulary.indexOf(`${tokens[at]}${token}`))
    const known = ranks.filter((rank) => rank >= 0)
    if (known.length === 0) return tokens
    const at = ranks.indexOf(Math.min(...known))
    tokens.splice(at, 2, `${tokens[at]}${tokens[at + 1]}`)
  }
}
