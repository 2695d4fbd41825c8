import fs, { existsSync, utimesSync, writeFileSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { dirname, join } from 'node:path'
import { expect, test, vi } from 'vitest'
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

test('What LMDB says time and again of its own pages is tried three times, and is damage.', async () => {
  const gate = new CommitGate(undefined, new Patience(() => undefined))
  const index = await ValueIndex.open(join(temporaryFolder(), 'index.lmdb'), { readOnly: false, gate })
  let tries = 0
  gate.committing = async () => {
    tries += 1
    throw Object.assign(new Error('MDB_BAD_TXN'), { code: tries > 9 ? 'EIO' : -30_782 })
  }
  await expect(index.apply([])).rejects.toMatchObject({ problems: [{ code: 'cache/damaged' }] })
  expect(tries).toBe(3)
  await index.close()
})

test('A listing begins with the key that it is asked from, and goes on behind each page of it.', async () => {
  const index = await opened()
  const keys = Array.from({ length: 2001 }, (_, n) => indexKey(recordKey('metrics', `${n}`.padStart(4, '0'))))
  await index.apply(keys.map((key, n) => ({ key, location: at(1, n) })))
  expect([...index.entries(keys[0])].map(({ location }) => location.offset)).toEqual([...keys.keys()])
  await index.close()
})

test('An index that others write to while it is copied is no damaged one.', async () => {
  const path = join(temporaryFolder(), 'index.lmdb')
  await (await opened(path)).close()
  const faultOf = (): string => {
    utimesSync(path, 1, 1)
    return 'it names records that were moved since'
  }
  expect(await openSnapshot(path, faultOf, async () => 'read')).toBe('read')
  await expect(
    openSnapshot(
      path,
      () => 'a fault',
      async () => 'read',
    ),
  ).rejects.toThrow('a fault')
})

test('A copy that a writer spoiled is made anew.', async () => {
  const path = join(temporaryFolder(), 'index.lmdb')
  await (await opened(path)).close()
  const copy = vi.spyOn(fs, 'copyFileSync')
  copy.mockImplementationOnce((_, to) => writeFileSync(to, 'half of one'))
  syncBuiltinESMExports()
  try {
    expect(
      await openSnapshot(
        path,
        () => undefined,
        async () => 'read',
      ),
    ).toBe('read')
    expect(copy).toHaveBeenCalledTimes(2)
  } finally {
    copy.mockRestore()
    syncBuiltinESMExports()
  }
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
