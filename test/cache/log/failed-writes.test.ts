import { createRequire } from 'node:module'
import { statSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import type { open as OpenDatabase, RootDatabaseOptionsWithPath } from 'lmdb'
import { afterEach, expect, test, vi } from 'vitest'
import { Claims } from '../../../cache/claims/claims.ts'
import type { DiskStore } from '../../../cache/disk-store.ts'
import { isSealed } from '../../../cache/lmdb/index-files.ts'
import { ValueIndex } from '../../../cache/lmdb/value-index.ts'
import { openStore } from '../../../cache/open-store.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

type Write = (bytes: Buffer, from: number, size: number, at: number) => Promise<{ bytesWritten: number }>
type File = { write: Write; datasync: () => Promise<void> }

/** What every open file does, for a test to let it fail. */
const files = async (): Promise<File> => {
  const file = await open(import.meta.filename)
  await file.close()
  return Object.getPrototypeOf(file) as File
}

const failure = (code: string): Error => Object.assign(new Error(code), { code })

afterEach(() => void vi.restoreAllMocks())

const stored = async (path: string): Promise<DiskStore> => {
  const store = await openStore({ path, onEvent: (event) => expect.fail(JSON.stringify(event)) })
  await store.put('completions', 'a', 'first')
  return store
}

test('after a sync that failed nothing more is written, and what was told to be stored is there', async () => {
  const path = join(temporaryFolder(), 'store')
  const store = await stored(path)
  vi.spyOn(await files(), 'datasync').mockRejectedValueOnce(failure('EIO'))
  await expect(store.put('completions', 'b', 'second')).rejects.toThrow('cache/write-failed')
  const { size } = statSync(join(path, 'values/00000001.log'))
  await expect(store.put('completions', 'c', 'third')).rejects.toThrow('cache/write-failed')
  expect(statSync(join(path, 'values/00000001.log')).size).toBe(size)
  expect([store.get('completions', 'a'), store.has('completions', 'c')]).toEqual(['first', false])
  await store.close()
  // Whoever opens it next reads all of its index.
  expect(isSealed(join(path, 'index.lmdb'))).toBe(false)
})

test('a write that failed half-way leaves the log as it was, and the next one follows', async () => {
  const path = join(temporaryFolder(), 'store')
  const store = await stored(path)
  const log = join(path, 'values/00000001.log')
  const { size } = statSync(log)
  const file = await files()
  // oxlint-disable-next-line typescript/unbound-method -- called with the file that it is asked of
  const { write } = file
  let writes = 0
  vi.spyOn(file, 'write').mockImplementation(function (this: File, bytes, from, length, at) {
    writes += 1
    if (writes === 2) return Promise.reject(failure('EIO'))
    return write.call(this, bytes, from, writes === 1 ? length >> 1 : length, at)
  })
  await expect(store.put('completions', 'b', 'second')).rejects.toThrow('cache/write-failed')
  expect(statSync(log).size).toBe(size)
  await store.put('completions', 'c', 'third')
  expect(['a', 'b', 'c'].map((id) => store.get('completions', id))).toEqual(['first', undefined, 'third'])
  await store.close()
  expect(isSealed(join(path, 'index.lmdb'))).toBe(true)
})

test('after a write of what was paid for failed no call begins, though the disk has room', async () => {
  const store = await stored(join(temporaryFolder(), 'store'))
  const write = vi.spyOn(await files(), 'write')
  write.mockRejectedValueOnce(failure('EDQUOT'))
  await expect(store.put('metrics', 'a', 1)).rejects.toThrow('EDQUOT')
  expect(() => store.requireRoom()).not.toThrow()
  write.mockRejectedValueOnce(failure('EDQUOT'))
  await expect(store.put('completions', 'b', 'second')).rejects.toThrow('EDQUOT')
  expect(() => store.requireRoom()).toThrow('EDQUOT')
  // What was in flight is kept where it can be.
  await store.put('completions', 'c', 'third')
  expect(() => store.requireRoom()).toThrow('EDQUOT')
  await store.close()
})

test('after the index failed no call begins, and what was paid for meanwhile comes back from the log', async () => {
  const path = join(temporaryFolder(), 'store')
  const store = await stored(path)
  store.requireRoom()
  vi.spyOn(ValueIndex.prototype, 'apply').mockRejectedValueOnce(failure('EROFS'))
  await expect(store.put('completions', 'b', 'second')).rejects.toThrow('EROFS')
  expect(() => store.requireRoom()).toThrow('EROFS')
  const late = [store.put('metrics', 'd', 1), store.put('completions', 'c', 'third')]
  for (const each of late) await expect(each).rejects.toThrow('EROFS')
  // Nothing is said of the segment then: this process will be seen to have gone.
  vi.spyOn(ValueIndex.prototype, 'leaveSegment').mockRejectedValueOnce(failure('EROFS'))
  // LMDB reads nothing more once it could not write its first pages.
  vi.spyOn(ValueIndex.prototype, 'extent').mockImplementation(() => expect.fail('MDB_PANIC'))
  await store.close()
  vi.restoreAllMocks()
  const events: unknown[] = []
  const again = await openStore({ path, onEvent: (event) => events.push(event) })
  expect(events).toEqual([{ type: 'store-behind', listed: 2 }])
  expect(['a', 'b', 'c'].map((id) => again.get('completions', id))).toEqual(['first', 'second', 'third'])
  expect(again.has('metrics', 'd')).toBe(false)
  await again.close()
})

test('what LMDB says of a commit is taken, also where the mark of the commit can’t be removed', async () => {
  const commitError = Promise.reject(failure('EIO'))
  // Here by this test as well: one that nobody takes ends the process.
  commitError.catch(() => undefined)
  const taken = vi.spyOn(commitError, 'then')
  const told = Object.assign(new Error('see there'), { commitError })
  // The very module that the index takes: an import has another one.
  const lmdb = createRequire(import.meta.url)('lmdb') as { open: typeof OpenDatabase }
  const { open: openDatabase } = lmdb
  vi.spyOn(lmdb, 'open').mockImplementationOnce((options: RootDatabaseOptionsWithPath) => {
    const database = openDatabase(options)
    vi.spyOn(database, 'batch').mockImplementationOnce(() => {
      vi.spyOn(Claims.prototype, 'unmark').mockImplementationOnce(() => {
        throw failure('EROFS')
      })
      return Promise.reject(told)
    })
    return database
  })
  const store = await openStore({ path: join(temporaryFolder(), 'store'), onEvent: () => undefined })
  await expect(store.put('completions', 'b', 'second')).rejects.toThrow('EROFS')
  expect(taken).toHaveBeenCalled()
  await store.close()
})

test('what reached the log while the index was failing is not listed behind what is not', async () => {
  const path = join(temporaryFolder(), 'store')
  const store = await stored(path)
  const file = await files()
  // oxlint-disable-next-line typescript/unbound-method -- called with the file that it is asked of
  const { datasync } = file
  let fail = (): void => {}
  vi.spyOn(ValueIndex.prototype, 'apply').mockImplementationOnce(
    () => new Promise((_, reject) => (fail = () => reject(failure('EROFS')))),
  )
  let synced = 0
  vi.spyOn(file, 'datasync').mockImplementation(async function (this: File) {
    await datasync.call(this)
    synced += 1
    // By then the first is at the index.
    if (synced === 2) setImmediate(() => fail())
  })
  const first = expect(store.put('completions', 'b', 'second')).rejects.toThrow('EROFS')
  await vi.waitFor(() => expect(synced).toBe(1))
  await expect(store.put('completions', 'c', 'third')).rejects.toThrow('EROFS')
  await first
  await store.close()
  vi.restoreAllMocks()
  const again = await openStore({ path, onEvent: () => {} })
  expect(['a', 'b', 'c'].map((id) => again.get('completions', id))).toEqual(['first', 'second', 'third'])
  await again.close()
})

/** Enough of the event loop for all to go on that waits for nothing else. */
const turns = async (): Promise<void> => {
  for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

test('a compaction leaves no segment while what came meanwhile is on its way to it', async () => {
  const path = join(temporaryFolder(), 'store')
  const store = await stored(path)
  const file = await files()
  // oxlint-disable-next-line typescript/unbound-method -- called with the file that it is asked of
  const { datasync } = file
  // oxlint-disable-next-line typescript/unbound-method -- called with the index that it is asked of
  const { apply } = ValueIndex.prototype
  let goOn = (): void => {}
  const late: Promise<void>[] = []
  vi.spyOn(ValueIndex.prototype, 'apply').mockImplementationOnce(async function (this: ValueIndex, ...given) {
    vi.spyOn(file, 'datasync').mockImplementationOnce(async function (this: File) {
      goOn()
      await first
      await turns()
      await datasync.call(this)
    })
    // The first is in the log, and the compaction waits for it alone.
    await turns()
    late.push(store.put('completions', 'c', 'third'))
    await new Promise<void>((resolve) => (goOn = resolve))
    await apply.call(this, ...given)
  })
  const first = store.put('completions', 'b', 'second')
  expect(await store.compact()).toEqual({ segments: 0, freedBytes: 0 })
  await Promise.all([first, ...late])
  expect(['a', 'b', 'c'].map((id) => store.get('completions', id))).toEqual(['first', 'second', 'third'])
  await store.close()
})
