import { expect, it } from 'vitest'
import { letterDisplay, shareLetter } from '../../../targets/statistics/multiple/letters.ts'

/** Rows of which each is parted from the other of its two alone: 2^(rows / 2) greatest groups. */
const inTwos = (a: number, b: number): boolean => a % 2 === 0 && b === a + 1

it('all greatest groups have a letter while they are few', () => {
  const { letters, columns } = letterDisplay(6, inTwos)
  expect(columns).toHaveLength(8)
  expect(letters).toEqual(['abcd', 'efgh', 'abef', 'cdgh', 'aceg', 'bdfh'])
})

it('where they are more than anybody could write down, two rows share a letter exactly where nothing parts them', () => {
  const rows = 60
  const { letters, columns } = letterDisplay(rows, inTwos)
  for (let a = 0; a < rows; a += 1)
    for (let b = a + 1; b < rows; b += 1)
      expect(shareLetter(letters[a] ?? '', letters[b] ?? ''), `${a}, ${b}`).toBe(!inTwos(a, b))
  // No more than there are pairs, and each as great as can be: one of every two.
  expect(columns.length).toBeLessThan((rows * rows) / 2)
  for (const column of columns) expect(column).toHaveLength(rows / 2)
})

it('letters after z, which stand in brackets, are none of those that they are written with', () => {
  expect(shareLetter('(ab)(ba)', 'abz')).toBe(false)
  expect(shareLetter('abz', '(ab)(ba)')).toBe(false)
  expect(shareLetter('c(ab)', 'd(aa)(ab)')).toBe(true)
  expect(shareLetter('cz', 'z(aa)')).toBe(true)
  expect(shareLetter('', 'a')).toBe(false)
})

it('a row that is parted from all others has a letter of its own, also where there are many', () => {
  const { letters, columns } = letterDisplay(61, (a, b) => b === 60 || inTwos(a, b))
  expect(columns.filter((column) => column.includes(60))).toEqual([[60]])
  expect(letters[60]).not.toBe('')
})
