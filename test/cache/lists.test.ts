import { expect, it } from 'vitest'
import { groupBy, sideBySide, underWay } from '../../cache/lists.ts'

it('Items are grouped in the order in which names and items come, those without a name left out', () => {
  const groups = groupBy([3, 0, 1, 5, 2], (item) =>
    item === 0 ? undefined : item % 2 === 0 ? 'even' : 'odd',
  )
  expect([...groups]).toEqual([
    ['odd', [3, 1, 5]],
    ['even', [2]],
  ])
})

it('After an error nothing further is begun', async () => {
  const begun: number[] = []
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const work = sideBySide([1, 2, 3, 4, 5, 6], 2, async (item) => {
    begun.push(item)
    await turn()
    if (item === 1) throw new Error('the first fails')
  })
  await expect(work).rejects.toThrow('the first fails')
  for (let turns = 0; turns < 10; turns += 1) await turn()
  // The second was under way already, and took a third.
  expect(begun.length).toBeLessThanOrEqual(3)
})

it('Items are worked on in their order, no more at a time than are let', async () => {
  const done: number[] = []
  let [now, most] = [0, 0]
  await sideBySide([1, 2, 3, 4, 5], 2, async (item) => {
    now += 1
    most = Math.max(most, now)
    await Promise.resolve()
    done.push(item)
    now -= 1
  })
  expect([done, most]).toEqual([[1, 2, 3, 4, 5], 2])
})

it('Work goes on side by side up to a number of pieces, and its error is met by who waits', async () => {
  const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))
  const failing = async (): Promise<void> => {
    await turn()
    throw new Error('a piece fails')
  }
  const done: number[] = []
  const piece = async (item: number): Promise<void> => {
    await turn()
    done.push(item)
  }
  const pieces = underWay(2)
  await pieces.add(piece(1))
  expect(done).toEqual([])
  await pieces.add(piece(2))
  expect(done).toEqual([1, 2])
  await pieces.add(failing())
  await turn()
  await turn()
  await expect(pieces.ended()).rejects.toThrow('a piece fails')
})
