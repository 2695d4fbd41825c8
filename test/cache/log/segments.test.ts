import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { SEGMENT_LIMIT } from '../../../cache/log/committer.ts'
import { SegmentFiles, SegmentWriter } from '../../../cache/log/segment-files.ts'
import { openStore } from '../../../cache/open-store.ts'
import type { StoreEvent } from '../../../cache/store.ts'
import { flipBit, loggedValues } from '../../rig/damaged-records.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const opened = (path: string, events: StoreEvent[] = []) =>
  openStore({ path, onEvent: (event) => void events.push(event) })

test('a value that can no longer be read is told of once, however often it is asked for', async () => {
  const path = join(temporaryFolder(), 'store')
  const before = await opened(path)
  for (const id of ['a', 'b']) await before.put('traces', id, `text of ${id}`)
  await before.close()
  for (const value of loggedValues(path, 'traces')) flipBit(value)
  const events: StoreEvent[] = []
  const store = await opened(path, events)
  for (const id of ['a', 'b', 'a', 'b']) expect(store.get('traces', id)).toBeUndefined()
  expect(store.has('traces', 'a')).toBe(false)
  await store.close()
  expect(events).toEqual(['a', 'b'].map((id) => ({ type: 'store-corrupt-record', table: 'traces', id })))
})

test('a closed store gives nothing, not even what it remembers', async () => {
  const store = await opened(join(temporaryFolder(), 'store'))
  await store.put('prompts', 'a', { text: 'Is it?' })
  await store.close()
  expect(() => store.get('prompts', 'a')).toThrow('the store is closed')
})

test('a segment that went away is not begun anew under its number, where the index looks for other values', async () => {
  const path = join(temporaryFolder(), 'store')
  const before = await opened(path)
  await before.put('traces', 'lost', 1)
  await before.close()
  const log = (segment: number): string => join(path, `values/0000000${segment}.log`)
  // Of two, as a store without any values is damaged.
  const [one, two] = [await opened(path), await opened(path)]
  await one.put('traces', 'lost', 2)
  await two.put('traces', 'kept', 1)
  for (const store of [one, two]) await store.close()
  rmSync(log(1))
  const store = await opened(path)
  const later = await opened(path)
  await store.put('traces', 'new', 1)
  await later.put('traces', 'newest', 1)
  expect([1, 2, 3].map((segment) => existsSync(log(segment)))).toEqual([false, true, true])
  expect(['lost', 'kept', 'new', 'newest'].map((id) => later.get('traces', id))).toEqual([undefined, 1, 1, 1])
  for (const each of [store, later]) await each.close()
})

test('a segment that is full is left for another, also by the store that appends to it', async () => {
  const path = join(temporaryFolder(), 'store')
  const store = await opened(path)
  await store.put('traces', 'a', 1)
  const sizes = [
    vi.spyOn(SegmentWriter.prototype, 'size', 'get').mockReturnValueOnce(SEGMENT_LIMIT),
    vi.spyOn(SegmentFiles.prototype, 'size').mockReturnValueOnce(SEGMENT_LIMIT),
  ]
  await store.put('traces', 'b', 2)
  for (const each of sizes) each.mockRestore()
  expect(readdirSync(join(path, 'values'))).toEqual(['00000001.log', '00000002.log'])
  expect(['a', 'b'].map((id) => store.get('traces', id))).toEqual([1, 2])
  await store.close()
})

test('of a segment that was deleted nothing is remembered, should another take its number', () => {
  const folder = temporaryFolder()
  const files = new SegmentFiles(folder)
  const read = (): string | undefined => files.read({ segment: 1, offset: 0, size: 5 })?.toString()
  writeFileSync(files.path(1), 'first')
  expect([read(), read()]).toEqual(['first', 'first'])
  files.delete(1)
  expect([read(), files.size(1)]).toEqual([undefined, undefined])
  writeFileSync(files.path(1), 'later')
  expect(read()).toBe('later')
  files.close()
})

test('of a place that a wrong index names no more is read than there is', () => {
  const folder = temporaryFolder()
  const files = new SegmentFiles(folder)
  writeFileSync(files.path(1), 'all there is')
  const read = (offset: number, size: number): string | undefined =>
    files.read({ segment: 1, offset, size })?.toString()
  for (const size of [Number.MAX_SAFE_INTEGER, 100])
    expect([read(0, size), read(4, size), read(99, size)]).toEqual(['all there is', 'there is', ''])
  expect(files.read({ segment: 2, offset: 0, size: 5 })).toBeUndefined()
  files.close()
})
