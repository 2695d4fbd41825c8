import { expect, test } from 'vitest'
import { addCauses } from '../../../targets/record/coverage.ts'

test('causes of several runs are added, in one order, without those that did not occur', () => {
  const sum = addCauses([{ truncated: 2, refused: 1 }, {}, { 'provider-error': 3, truncated: 5 }])
  expect(Object.entries(sum)).toEqual([
    ['refused', 1],
    ['truncated', 7],
    ['provider-error', 3],
  ])
  expect(addCauses([])).toEqual({})
})
