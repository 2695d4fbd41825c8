import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { open } from 'lmdb'
import { afterEach, expect, test, vi } from 'vitest'
import { formatIdentity, identifyProcess } from '../../../cache/processes/process-identity.ts'
import type { DiskStore } from '../../../cache/disk-store.ts'
import { segmentKey } from '../../../cache/lmdb/index-entry.ts'
import { ValueIndex } from '../../../cache/lmdb/value-index.ts'
import { openStore } from '../../../cache/open-store.ts'
import { repairStore } from '../../../cache/repair-store.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const opened = (path: string): Promise<DiskStore> =>
  openStore({ path, onEvent: (event) => expect.fail(JSON.stringify(event)) })

const logOf = (path: string, segment = 1): string => join(path, 'values', `0000000${segment}.log`)

afterEach(() => void vi.restoreAllMocks())

/** A store of one segment, the half of which is of no use. */
const halfUsed = async (): Promise<string> => {
  const path = join(temporaryFolder(), 'store')
  const store = await opened(path)
  for (const value of ['first', 'later'])
    for (let n = 0; n < 20; n += 1) await store.put('metrics', `${n}`, `${value} ${n}`)
  await store.close()
  return path
}

const expectLater = (store: DiskStore): void => {
  for (let n = 0; n < 20; n += 1) expect(store.get('metrics', `${n}`)).toBe(`later ${n}`)
}

test('what a compaction says that it freed is by how much the log is smaller', async () => {
  const path = await halfUsed()
  const before = statSync(logOf(path)).size
  const store = await opened(path)
  const { segments, freedBytes } = await store.compact()
  const files = readdirSync(join(path, 'values'))
  expect([segments, files]).toEqual([1, ['00000002.log']])
  expect(freedBytes).toBe(before - statSync(logOf(path, 2)).size)
  expect(freedBytes).toBeGreaterThan(before * 0.4)
  for (const leastUnused of [0.1, 0])
    expect(await store.compact({ leastUnused })).toEqual({ segments: 0, freedBytes: 0 })
  expectLater(store)
  await store.close()
})

test('a segment is written anew only where as much of it is of no use as was asked for', async () => {
  const path = await halfUsed()
  const store = await opened(path)
  expect(await store.compact({ leastUnused: 0.6 })).toEqual({ segments: 0, freedBytes: 0 })
  expect(await store.compact({ leastUnused: 0.4 })).toMatchObject({ segments: 1 })
  expectLater(store)
  await store.close()
})

test('of two segments with values of no use both are written anew, into a third', async () => {
  const path = await halfUsed()
  const [one, two] = [await opened(path), await opened(path)]
  await one.put('metrics', '0', 'later 0')
  for (const value of ['first', 'last']) await two.put('metrics', 'of the second', value)
  for (const store of [one, two]) await store.close()
  const store = await opened(path)
  expect(await store.compact()).toMatchObject({ segments: 2 })
  expect(readdirSync(join(path, 'values'))).toEqual(['00000003.log'])
  expectLater(store)
  expect(store.get('metrics', 'of the second')).toBe('last')
  await store.close()
})

test('what is moved goes to no file that lies there already, known to the index or not', async () => {
  const path = await halfUsed()
  const store = await opened(path)
  writeFileSync(logOf(path, 2), 'a copy of another log')
  expect(await store.compact()).toMatchObject({ segments: 1 })
  expect(readFileSync(logOf(path, 2), 'utf8')).toBe('a copy of another log')
  expect(readdirSync(join(path, 'values'))).toEqual(['00000002.log', '00000003.log'])
  expectLater(store)
  await store.close()
})

test('a segment that another process took meanwhile is left to it', async () => {
  const path = await halfUsed()
  const store = await opened(path)
  // oxlint-disable-next-line typescript/unbound-method -- called with the index that it is asked of
  const { takeSegment } = ValueIndex.prototype
  vi.spyOn(ValueIndex.prototype, 'takeSegment').mockImplementationOnce(async function (
    this: ValueIndex,
    ...wanted
  ) {
    await takeSegment.call(this, 'another', () => 1)
    return takeSegment.call(this, ...wanted)
  })
  expect(await store.compact()).toEqual({ segments: 0, freedBytes: 0 })
  expect(readdirSync(join(path, 'values'))).toEqual(['00000001.log'])
  expectLater(store)
  await store.close()
})

test('a removal that is moved stays before what was put after it, should the index be built anew', async () => {
  const path = join(temporaryFolder(), 'store')
  const [one, two] = [await opened(path), await opened(path)]
  await one.put('metrics', 'a', 'first')
  await one.remove('metrics', 'a')
  await two.put('metrics', 'a', 'put again')
  for (const each of [one, two]) await each.close()
  const store = await opened(path)
  expect(await store.compact()).toMatchObject({ segments: 1 })
  await store.close()
  await repairStore(path)
  const repaired = await opened(path)
  expect(repaired.get('metrics', 'a')).toBe('put again')
  await repaired.close()
})

test('what is put while its older value is on the move stays what was put', async () => {
  const path = await halfUsed()
  const store = await opened(path)
  // oxlint-disable-next-line typescript/unbound-method -- called with the index that it is asked of
  const { get } = ValueIndex.prototype
  let put: Promise<void> | undefined
  const asked = vi.spyOn(ValueIndex.prototype, 'get').mockImplementation(function (this: ValueIndex, key) {
    const found = get.call(this, key)
    // The first is looked for, and all are on their way to the log in this turn.
    put ??= store.put('metrics', '5', 'newest')
    return found
  })
  expect(await store.compact()).toMatchObject({ segments: 1 })
  await put
  expect(asked).toHaveBeenCalled()
  vi.restoreAllMocks()
  expect(store.get('metrics', '5')).toBe('newest')
  expect(store.get('metrics', '6')).toBe('later 6')
  await store.close()
})

/** A store whose segment has this owner, as a process leaves it that is killed. */
const ownedBy = async (owner: string): Promise<{ store: DiskStore; path: string }> => {
  const path = await halfUsed()
  const db = open<Buffer, Buffer>({
    path: join(path, 'index.lmdb'),
    noSubdir: true,
    encoding: 'binary',
    keyEncoding: 'binary',
  })
  await db.put(segmentKey(1), Buffer.from(owner))
  await db.close()
  const store = await opened(path)
  writeFileSync(join(path, 'claims', `here.${owner}`), '')
  return { store, path }
}

test.each([
  ['was killed is written anew, and appended to', { start: '1' }, true],
  ['lives is left alone', {}, false],
])('a segment of a process that %s', async (_, more, isFree) => {
  const owner = formatIdentity({ ...identifyProcess(), ...more })
  const { store: one } = await ownedBy(owner)
  expect((await one.compact()).segments).toBe(isFree ? 1 : 0)
  expectLater(one)
  await one.close()
  const { store: other, path } = await ownedBy(owner)
  await other.put('metrics', 'more', 1)
  expect(readdirSync(join(path, 'values'))).toHaveLength(isFree ? 1 : 2)
  await other.close()
})
