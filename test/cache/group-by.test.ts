import { expect, it } from 'vitest'
import { groupBy } from '../../cache/lists.ts'

it('Items are grouped in the order in which names and items come, those without a name left out', () => {
  const groups = groupBy([3, 0, 1, 5, 2], (item) =>
    item === 0 ? undefined : item % 2 === 0 ? 'even' : 'odd',
  )
  expect([...groups]).toEqual([
    ['odd', [3, 1, 5]],
    ['even', [2]],
  ])
})
