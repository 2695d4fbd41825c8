import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { digestOf, type Digest } from '../../cache/values/digest.ts'
import type { Json } from '../../cache/values/json.ts'
import { memoryStore } from '../../cache/memory-store.ts'
import { openStore } from '../../cache/open-store.ts'
import type { Store, StoreEvent } from '../../cache/store.ts'
import { temporaryFolder } from '../rig/temporary-folder.ts'

const events: StoreEvent[] = []
const open: Store[] = []
const keep = (store: Store): Store => {
  open.push(store)
  return store
}
const onDisk = async (path = join(temporaryFolder(), 'store')): Promise<Store> =>
  keep(await openStore({ path, tellAfter: 0, onEvent: (event) => events.push(event) }))

afterEach(async () => {
  for (const store of open.splice(0)) await store.close()
  expect(events.splice(0).filter(({ type }) => type === 'store-corrupt-record')).toEqual([])
})

describe.each([
  ['in memory', () => Promise.resolve(keep(memoryStore()))],
  ['on disk', () => onDisk()],
])('a store %s', (_, start) => {
  test.each<Json>([
    null,
    0,
    -0,
    1e308,
    '',
    'é \u0000 \ud800 😀',
    [],
    {},
    [1, [-0, { a: -0, 'b"': null }]],
    { text: 'x'.repeat(300_000) },
  ])('gives back what was put, value %#', async (value) => {
    const store = await start()
    // Values of the first table are remembered, those of the other read from disk.
    for (const table of ['completions', 'metrics'] as const) {
      await store.put(table, digestOf('a'), value)
      expect(store.get(table, digestOf('a'))).toStrictEqual(value)
    }
  })

  test('gives what stands there now, however values came and went, and in pieces of its own', async () => {
    const store = await start()
    const last = new Map<string, Json>()
    // Some are larger than all that is remembered.
    for (let step = 0; step < 60; step += 1) {
      const id = `${(step * 7) % 5}`
      if (step % 4 === 3) await store.remove('prompts', id)
      else await store.put('prompts', id, { text: `${step}`.repeat(step % 9 === 0 ? 2_500_000 : 10) })
      last.set(id, step % 4 === 3 ? null : { text: `${step}`.repeat(step % 9 === 0 ? 2_500_000 : 10) })
      for (const [each, value] of last) expect(store.get('prompts', each) ?? null).toEqual(value)
      expect(store.get('completions', id)).toBeUndefined()
    }
    await store.put('prompts', 'a', { list: [1] })
    ;(store.get('prompts', 'a') as { list: Json[] }).list.push(2)
    expect(store.get('prompts', 'a')).toEqual({ list: [1] })
  })

  test.each([
    ['NaN', Number.NaN],
    ['an infinity', Number.POSITIVE_INFINITY],
    ['undefined', undefined],
    ['a date', new Date(0)],
    ['a map', new Map()],
  ])('refuses %s anywhere in a value', async (_, value) => {
    const store = await start()
    await expect(store.put('metrics', 'a', { deep: [value as unknown as Json] })).rejects.toThrow(TypeError)
    expect(store.has('metrics', 'a')).toBe(false)
  })

  test('keeps tables and forms of ids apart', async () => {
    const store = await start()
    const hex = 'ab'.repeat(32)
    const ids = [
      hex,
      hex.toUpperCase(),
      hex.slice(2),
      'a'.repeat(479),
      'a'.repeat(3000),
      'a'.repeat(2999),
      'ä',
      '',
    ]
    for (const [n, id] of ids.entries()) {
      await store.put('files', id, n)
      await store.put('traces', id, -n - 1)
    }
    expect(ids.map((id) => store.get('files', id))).toEqual([...ids.keys()])
    expect(ids.map((id) => store.get('traces', id))).toEqual(ids.map((_, n) => -n - 1))
    expect([...store.entries('files')].map(({ id }) => id).sort()).toEqual([...ids].sort())
    expect([...store.entries('records')]).toEqual([])
  })

  test('lists a table by its ids', async () => {
    const store = await start()
    const ids = ['d', 'a', 'c', 'b'].map((name) => digestOf(name))
    for (const id of ids) await store.put('metrics', id, 1)
    expect([...store.entries('metrics')].map(({ id }) => id)).toEqual(ids.toSorted())
  })

  test('overwrites and removes', async () => {
    const store = await start()
    await store.put('traces', 'a', 1)
    await store.put('traces', 'a', 2)
    expect(store.get('traces', 'a')).toBe(2)
    await store.remove('traces', 'a')
    await store.remove('traces', 'never there')
    expect(store.get('traces', 'a')).toBeUndefined()
    await store.put('traces', 'a', 3)
    expect(store.get('traces', 'a')).toBe(3)
  })

  test('keeps the last of many puts of one id made at once', async () => {
    const store = await start()
    await Promise.all(Array.from({ length: 500 }, (_, n) => store.put('traces', 'a', n)))
    expect(store.get('traces', 'a')).toBe(499)
  })

  test('lets one claim a digest at a time', async () => {
    const store = await start()
    const claim = await store.claim(digestOf('a'))
    expect(claim).toBeDefined()
    expect(await store.claim(digestOf('a'))).toBeUndefined()
    expect(await store.claim(digestOf('b'))).toBeDefined()
    await claim?.release()
    await claim?.release()
    const again = await store.claim(digestOf('a'))
    expect(again).toBeDefined()
    await claim?.release()
    expect(await store.claim(digestOf('a'))).toBeUndefined()
  })

  test('lets any name be claimed', async () => {
    const store = await start()
    const name = 'no/digest at all' as Digest
    const claim = await store.claim(name)
    expect([claim === undefined, await store.claim(name)]).toEqual([false, undefined])
    await claim?.release()
    expect(await store.claim(name)).toBeDefined()
  })

  test('throws once it is closed', async () => {
    const store = await start()
    await store.close()
    await store.close()
    expect(() => store.get('files', 'a')).toThrow('closed')
    await expect(store.put('files', 'a', 1)).rejects.toThrow('closed')
    await expect(store.claim(digestOf('a'))).rejects.toThrow('closed')
  })
})

test('what was put before close is there after opening again', async () => {
  const path = join(temporaryFolder(), 'a', 'b')
  const first = await onDisk(path)
  const puts = Array.from({ length: 3000 }, (_, n) => first.put('metrics', digestOf(String(n)), { n }))
  await first.close()
  await Promise.all(puts)
  const second = await onDisk(path)
  for (let n = 0; n < 3000; n++) expect(second.get('metrics', digestOf(String(n)))).toEqual({ n })
  expect([...second.entries('metrics')]).toHaveLength(3000)
})

test('two stores of one process share records and exclude each other’s claims', async () => {
  const path = join(temporaryFolder(), 'store')
  const [one, other] = [await onDisk(path), await onDisk(path)]
  await Promise.all([one.put('files', 'a', 1), other.put('files', 'b', 2)])
  // What is looked up in one turn is of one moment.
  await vi.waitFor(() => expect([one.get('files', 'b'), other.get('files', 'a')]).toEqual([2, 1]))
  const claim = await one.claim(digestOf('x'))
  expect(await other.claim(digestOf('x'))).toBeUndefined()
  expect(await other.claim(digestOf('x'))).toBeUndefined()
  const waiting = { type: 'store-waiting', digest: digestOf('x'), holder: process.pid, stopped: false }
  expect(events.filter(({ type }) => type === 'store-waiting')).toEqual([waiting])
  await claim?.release()
  expect(await other.claim(digestOf('x'))).toBeDefined()
})

test('a store opened for reading sees what a writer puts, and writes nothing', async () => {
  const path = join(temporaryFolder(), 'store')
  const writer = await onDisk(path)
  await writer.put('files', 'a', 1)
  const reader = keep(await openStore({ path, readOnly: true, onEvent: () => {} }))
  expect(reader.get('files', 'a')).toBe(1)
  await expect(reader.put('files', 'a', 2)).rejects.toThrow('cache/read-only')
  await expect(reader.remove('files', 'a')).rejects.toThrow('cache/read-only')
  await expect(reader.claim(digestOf('a'))).rejects.toThrow('cache/read-only')
  await writer.put('files', 'b', 2)
  await vi.waitFor(() => expect(reader.get('files', 'b')).toBe(2))
})
