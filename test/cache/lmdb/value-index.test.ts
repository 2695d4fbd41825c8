import { existsSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { Patience } from '../../../cache/claims/claims.ts'
import { CommitGate } from '../../../cache/claims/holding.ts'
import { indexKey, recordKey } from '../../../cache/lmdb/index-entry.ts'
import { openSnapshot } from '../../../cache/lmdb/snapshot.ts'
import { ValueIndex } from '../../../cache/lmdb/value-index.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const opened = async (path = join(temporaryFolder(), 'index.lmdb')): Promise<ValueIndex> => {
  const gate = new CommitGate(undefined, new Patience(() => undefined))
  return ValueIndex.open(path, { readOnly: false, gate })
}

const KEY = indexKey(recordKey('metrics', 'a'))
const at = (segment: number, offset: number) => ({ segment, offset, size: 5 })

test('Of a segment that was forgotten nothing is known, should another take its number.', async () => {
  const index = await opened()
  await index.takeSegment('one', () => 1)
  await index.apply([{ key: KEY, location: at(1, 0) }], new Map([[1, 5]]))
  expect([index.end(1), index.extent().bytes]).toEqual([5, 5])
  await index.forgetSegment(1)
  expect([index.end(1), index.segments()]).toEqual([0, []])
  expect(await index.takeSegment('two', () => 1)).toEqual({ segment: 1, epoch: 2 })
  expect(index.end(1)).toBe(0)
  await index.close()
})

test('Later ownerships have higher numbers, also than those of segments that are taken over; an owner keeps its own.', async () => {
  const index = await opened()
  expect(await index.takeSegment('one', () => 1)).toEqual({ segment: 1, epoch: 1 })
  await index.adopt([1, 2], 7)
  expect(index.segments()).toEqual([
    { segment: 1, owner: 'one' },
    { segment: 2, owner: '' },
  ])
  expect(await index.takeSegment('two', () => 3)).toEqual({ segment: 3, epoch: 8 })
  await index.adopt([], 3)
  expect(await index.takeSegment('two', () => undefined)).toBeUndefined()
  expect((await index.takeSegment('two', () => 4))?.epoch).toBe(9)
  await index.close()
})

test('Changes that depend on what is there are made only where it is, and ends are noted with them.', async () => {
  const index = await opened()
  await index.apply([{ key: KEY, location: at(1, 0) }])
  const move = { key: KEY, location: at(2, 0) }
  expect(await index.applyWhere([move], () => false, new Map([[2, 5]]))).toBe(0)
  expect([index.get(KEY), index.end(2)]).toEqual([at(1, 0), 5])
  expect(await index.applyWhere([move], (_, present) => present?.segment === 1)).toBe(1)
  expect(index.get(KEY)).toEqual(at(2, 0))
  await index.close()
})

test('The copy of an index that a reader is given goes away with its reading.', async () => {
  const path = join(temporaryFolder(), 'index.lmdb')
  await (await opened(path)).close()
  const copies: string[] = []
  const read = openSnapshot(
    path,
    () => undefined,
    async (copy) => {
      copies.push(copy)
      expect(existsSync(copy)).toBe(true)
      return 1
    },
  )
  expect(await read).toBe(1)
  expect(existsSync(dirname(copies[0] ?? path))).toBe(false)
})
