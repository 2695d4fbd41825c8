import { statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { collectGarbage } from '../../cache/collect-garbage.ts'
import { digestOf } from '../../cache/values/digest.ts'
import { memoryStore } from '../../cache/memory-store.ts'
import { openStore } from '../../cache/open-store.ts'
import { repairStore } from '../../cache/repair-store.ts'
import { storeStats } from '../../cache/store-stats.ts'
import { storeOver, type Store } from '../../cache/store.ts'
import { verifyStore } from '../../cache/verify-store.ts'
import { temporaryFolder } from '../rig/temporary-folder.ts'

const COUNT = 3000
const id = (n: number): string => digestOf(`record ${n}`)
const value = (n: number): { n: number; text: string } => ({ n, text: `text of ${n} `.repeat(40) })
const isKept = (n: number): boolean => n % 10 === 0
const kept = new Set(
  Array.from({ length: COUNT }, (_, n) => n)
    .filter(isKept)
    .map(id),
)
const fail = (event: unknown): void => expect.fail(JSON.stringify(event))

const fill = async (store: Store): Promise<void> => {
  await Promise.all(Array.from({ length: COUNT }, (_, n) => store.put('metrics', id(n), value(n))))
  await store.put('records', 'untouched', 1)
}

const expectKept = (store: Store): void => {
  for (let n = 0; n < COUNT; n++)
    expect(store.get('metrics', id(n))).toEqual(isKept(n) ? value(n) : undefined)
  expect(store.get('records', 'untouched')).toBe(1)
}

test('a dry run tells what would go and removes nothing', async () => {
  const store = memoryStore()
  await fill(store)
  const gone = [...store.entries('metrics')].filter((entry) => !kept.has(entry.id))
  const [report] = await collectGarbage(store, new Map([['metrics', kept]]), { dryRun: true })
  expect(report).toEqual({
    table: 'metrics',
    kept: COUNT / 10,
    removed: (COUNT * 9) / 10,
    removedBytes: gone.reduce((sum, { bytes }) => sum + bytes, 0),
  })
  expect([...store.entries('metrics')]).toHaveLength(COUNT)
  const [real] = await collectGarbage(store, new Map([['metrics', kept]]), { dryRun: false })
  expect(real).toEqual(report)
  expectKept(store)
})

test('what is made from others goes before them, so that whoever is killed on the way leaves none that stands on what is gone', async () => {
  const inner = memoryStore()
  const all = ['instances', 'completions', 'records'] as const
  for (const table of all) await inner.put(table, id(1), 1)
  const gone: string[] = []
  const store = storeOver(inner, {
    remove: (table, each) => {
      gone.push(table)
      return inner.remove(table, each)
    },
  })
  const report = await collectGarbage(store, new Map(all.map((table) => [table, new Set<string>()])), {
    dryRun: false,
  })
  expect(gone).toEqual(all.toReversed())
  expect(report.map(({ table }) => table)).toEqual(all)
})

test('is told to be gone once all of it is, however long a record of many takes', async () => {
  const inner = memoryStore()
  await fill(inner)
  const slow = [...inner.entries('metrics')].map((entry) => entry.id).find((each) => !kept.has(each)) ?? ''
  const turns = async (): Promise<void> => {
    for (let turn = 0; turn < 20; turn += 1) await new Promise(setImmediate)
  }
  const store: Store = {
    get: (table, each) => inner.get(table, each),
    has: (table, each) => inner.has(table, each),
    requireRoom: () => inner.requireRoom(),
    put: (table, each, given) => inner.put(table, each, given),
    entries: (table) => [...inner.entries(table)],
    claim: (digest) => inner.claim(digest),
    close: () => inner.close(),
    remove: async (table, each) => {
      if (each === slow) await turns()
      await inner.remove(table, each)
    },
  }
  await collectGarbage(store, new Map([['metrics', kept]]), { dryRun: false })
  expectKept(inner)
})

test('what is not reachable goes, its space comes back, and no repair brings it back', async () => {
  const path = join(temporaryFolder(), 'store')
  const store = await openStore({ path, onEvent: fail })
  await fill(store)
  const before = await storeStats(path, fail)
  await collectGarbage(store, new Map([['metrics', kept]]), { dryRun: false })
  expectKept(store)
  await store.put('metrics', id(1), 'put again')
  const done = await store.compact()
  expect(done.segments).toBe(1)
  await store.remove('metrics', id(1))
  expectKept(store)
  const after = await storeStats(path, fail)
  // What stays beside the tenth: a note of each removal, and the record that was put again.
  expect(after.valuesBytes).toBeLessThan(before.valuesBytes / 10 + 70 * COUNT)
  expect(done.freedBytes).toBeGreaterThan(before.valuesBytes * 0.85)
  await store.close()
  expect(await verifyStore(path)).toMatchObject({ sound: true })
  const repaired = await repairStore(path)
  expect(repaired.records.get('metrics')).toBe(COUNT / 10)
  const again = await openStore({ path, onEvent: fail })
  expectKept(again)
  await again.close()
})

test('a removed record that was put again outlives compaction and repair', async () => {
  const path = join(temporaryFolder(), 'store')
  const store = await openStore({ path, onEvent: fail })
  await fill(store)
  await store.remove('metrics', id(3))
  await store.put('metrics', id(3), value(3))
  await collectGarbage(store, new Map([['metrics', new Set([id(3)])]]), { dryRun: false })
  await store.compact()
  await store.compact()
  await store.close()
  await repairStore(path)
  const again = await openStore({ path, onEvent: fail })
  expect([...again.entries('metrics')].map((entry) => entry.id)).toEqual([id(3)])
  expect(again.get('metrics', id(3))).toEqual(value(3))
  await again.close()
})

test('space comes back only while no other store is open, and what is put meanwhile is kept', async () => {
  const path = join(temporaryFolder(), 'store')
  const store = await openStore({ path, onEvent: fail })
  await fill(store)
  const reader = await openStore({ path, readOnly: true, onEvent: fail })
  await collectGarbage(store, new Map([['metrics', kept]]), { dryRun: false })
  // What a store looks up in one turn is of one moment, and it may be that of a turn before.
  await vi.waitFor(() => expectKept(reader))
  await expect(store.compact()).rejects.toThrow('cache/in-use')
  await reader.close()
  const puts = Promise.all(Array.from({ length: 500 }, (_, n) => store.put('traces', String(n), n)))
  const compaction = store.compact()
  const opening = openStore({ path, onEvent: fail })
  const more = Promise.all(Array.from({ length: 500 }, (_, n) => store.put('traces', String(-n - 1), -n - 1)))
  expect(await compaction).toMatchObject({ segments: 1 })
  const other = await opening
  await Promise.all([puts, more])
  for (const one of [store, other]) {
    await vi.waitFor(() => {
      expectKept(one)
      for (let n = -500; n < 500; n++) expect(one.get('traces', String(n))).toBe(n)
    })
    await one.close()
  }
  expect(await verifyStore(path)).toMatchObject({ sound: true })
})

test('the counts of a store are those of its records', async () => {
  const path = join(temporaryFolder(), 'store')
  const store = await openStore({ path, onEvent: fail })
  await fill(store)
  const stats = await storeStats(path, fail)
  expect(stats.tables.filter(({ records }) => records > 0)).toEqual([
    { table: 'metrics', records: COUNT, bytes: expect.any(Number) },
    { table: 'records', records: 1, bytes: expect.any(Number) },
  ])
  expect(stats.unusedBytes).toBe(0)
  expect(stats.valuesBytes).toBe(statSync(join(path, 'values', '00000001.log')).size)
  expect(stats.segments).toBe(1)
  await store.close()
})
