import { expect, test } from 'vitest'
import { listText } from '../../../cache/words/number-text.ts'

test.each([
  [[], undefined, ''],
  [['a'], undefined, 'a'],
  [['a', 'b'], undefined, 'a and b'],
  [['a', 'b', 'c'], undefined, 'a, b and c'],
  [['a', 'b', 'c'], 3, 'a, b and c'],
  [['a', 'b', 'c'], 2, 'a, b and 1 other'],
  [['a', 'b', 'c'], 1, 'a and 2 others'],
])('%j, of which %s are named, are listed as “%s”', (names, most, text) => {
  expect(listText(names, most)).toBe(text)
})
