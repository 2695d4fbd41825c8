import { assert, integer, property, uniqueArray } from 'fast-check'
import { expect, test } from 'vitest'
import { placesOf, stretchesOf } from '../../../targets/board/stretches.ts'

test('places are told by the ends of their stretches, and found again', () => {
  expect(stretchesOf([2, 3, 4, 9])).toEqual([2, 4, 9, 9])
  assert(
    property(uniqueArray(integer({ min: 0, max: 40 })), (some) => {
      const places = some.toSorted((a, b) => a - b)
      const stretches = stretchesOf(places)
      expect(placesOf(stretches)).toEqual(places)
      for (let at = 2; at < stretches.length; at += 2)
        expect(stretches[at]).toBeGreaterThan((stretches[at - 1] ?? NaN) + 1)
    }),
  )
})
