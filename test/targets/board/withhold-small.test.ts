import { expect, test } from 'vitest'
import { withholdSmall } from '../../../targets/board/withhold-small.ts'

/** One run's instances: five from each start on. */
const ids = (...starts: readonly number[]): Set<string>[] => [
  new Set(starts.flatMap((start) => Array.from({ length: 5 }, (_, at) => `i${start + at}`))),
]

test('Groups of just the least size are shown beside others of that size which they cross.', () => {
  const sex = new Map([
    ['f', ids(0, 5)],
    ['m', ids(10, 15)],
  ])
  const age = new Map([
    ['old', ids(0, 10)],
    ['young', ids(5, 15)],
  ])
  expect(withholdSmall([sex, age])).toEqual([new Set(['f', 'm']), new Set(['old', 'young'])])
  expect(withholdSmall([sex, age], 11)).toEqual([new Set(), new Set()])
})
