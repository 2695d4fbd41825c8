import {
  appendFileSync,
  closeSync,
  cpSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { cp } from 'node:fs/promises'
import { join } from 'node:path'
import { open, type Database } from 'lmdb'
import { beforeAll, describe, expect, test } from 'vitest'
import { digestOf } from '../../cache/values/digest.ts'
import { recordKey, stateKey } from '../../cache/lmdb/index-entry.ts'
import { openStore } from '../../cache/open-store.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import { repairStore } from '../../cache/repair-store.ts'
import { storeStats } from '../../cache/store-stats.ts'
import type { StoreEvent } from '../../cache/store.ts'
import { verifyStore } from '../../cache/verify-store.ts'
import { temporaryFolder } from '../rig/temporary-folder.ts'

const COUNT = 2000
const id = (n: number): string => digestOf(`record ${n}`)
const value = (n: number): { n: number; text: string } => ({ n, text: `text of ${n} `.repeat(20) })

let template = ''
beforeAll(async () => {
  template = join(temporaryFolder(), 'store')
  const store = await openStore({ path: template, onEvent: () => {} })
  await Promise.all(Array.from({ length: COUNT }, (_, n) => store.put('metrics', id(n), 'overwritten')))
  await Promise.all(Array.from({ length: COUNT }, (_, n) => store.put('metrics', id(n), value(n))))
  await store.put('traces', 'kept', 1)
  await store.put('traces', 'removed', 1)
  await store.remove('traces', 'removed')
  await store.close()
})

const copy = async (): Promise<{ path: string; index: string; log: string }> => {
  const path = join(temporaryFolder(), 'store')
  await cp(template, path, { recursive: true, verbatimSymlinks: true })
  return { path, index: join(path, 'index.lmdb'), log: join(path, 'values', '00000001.log') }
}

const scribble = (file: string, offset: number, bytes: Buffer): void => {
  const handle = openSync(file, 'r+')
  writeSync(handle, bytes, 0, bytes.length, offset)
  closeSync(handle)
}

const expectDamaged = async (path: string): Promise<void> => {
  const error: unknown = await openStore({ path, onEvent: () => {} }).catch((e: unknown) => e)
  expect(error).toBeInstanceOf(ProblemError)
  expect(error).toMatchObject({
    problems: [{ code: 'cache/damaged', where: { file: join(path, 'index.lmdb') } }],
  })
  await expect(openStore({ path, readOnly: true, onEvent: () => {} })).rejects.toThrow('cache/damaged')
}

const expectAllThere = async (path: string, except: ReadonlySet<number> = new Set()): Promise<void> => {
  const events: StoreEvent[] = []
  const store = await openStore({ path, onEvent: (event) => events.push(event) })
  for (let n = 0; n < COUNT; n++) if (!except.has(n)) expect(store.get('metrics', id(n))).toEqual(value(n))
  expect(store.get('traces', 'kept')).toBe(1)
  expect(store.has('traces', 'removed')).toBe(false)
  await store.put('traces', 'new', 2)
  await store.close()
  expect(events).toEqual([])
}

/** For writing to the index past the store. */
const openIndex = (index: string): Database<Buffer, Buffer> =>
  open({ path: index, noSubdir: true, encoding: 'binary', keyEncoding: 'binary' })

/** Deterministic bytes without structure. */
const noise = (size: number, seed: number): Buffer =>
  Buffer.concat(
    Array.from({ length: Math.ceil(size / 32) }, (_, i) => Buffer.from(digestOf(`${seed} ${i}`), 'hex')),
  ).subarray(0, size)

describe('a damaged index is told of, its file left alone, and built anew from the log', () => {
  test.each<[string, (index: string) => void]>([
    ['empty', (index) => truncateSync(index, 0)],
    ['gone', (index) => rmSync(index)],
    ['garbage', (index) => writeFileSync(index, noise(200_000, 1))],
    ['a text', (index) => writeFileSync(index, 'hello')],
    ['cut to a page', (index) => truncateSync(index, 4096)],
    ['cut in half', (index) => truncateSync(index, Math.floor(statSync(index).size / 2))],
    ['cut by 8 kB', (index) => truncateSync(index, statSync(index).size - 8192)],
    ['without magic', (index) => scribble(index, 24, Buffer.alloc(8))],
    ['without second magic', (index) => scribble(index, 4096 + 24, Buffer.alloc(8))],
    ['full of zeros', (index) => scribble(index, 8192, Buffer.alloc(statSync(index).size - 8192))],
    ['full of noise', (index) => scribble(index, 8192, noise(statSync(index).size - 8192, 2))],
    [
      'a folder',
      (index) => {
        rmSync(index)
        mkdirSync(index)
      },
    ],
  ])('when it is %s', async (_, damage) => {
    const { path, index } = await copy()
    damage(index)
    const before = statSync(index, { throwIfNoEntry: false })?.isFile() ? readFileSync(index) : undefined
    await expectDamaged(path)
    expect(await verifyStore(path)).toMatchObject({ sound: false, indexDamage: expect.any(String) })
    if (before !== undefined) expect(readFileSync(index).equals(before)).toBe(true)
    const report = await repairStore(path)
    expect(report.records.get('metrics')).toBe(COUNT)
    expect(report.records.get('traces')).toBe(1)
    expect(report.lostBytes).toBe(0)
    if (before === undefined)
      expect(report.kept === undefined || statSync(report.kept).isDirectory()).toBe(true)
    else expect(readFileSync(report.kept ?? '').equals(before)).toBe(true)
    await expectAllThere(path)
    expect(await verifyStore(path)).toMatchObject({ sound: true })
  })
})

test('an index that was copied here from another store is refused, and built anew from the log', async () => {
  const other = join(temporaryFolder(), 'store')
  const store = await openStore({ path: other, onEvent: () => {} })
  await Promise.all(Array.from({ length: 300 }, (_, n) => store.put('files', id(n), `of another ${n}`)))
  await store.close()
  const { path, index } = await copy()
  cpSync(join(other, 'index.lmdb'), index)
  await expect(openStore({ path, onEvent: () => {} })).rejects.toThrow('it is of another store')
  await repairStore(path)
  await expectAllThere(path)
})

test('of several that open a damaged store at once, none gets through', async () => {
  const { path, index } = await copy()
  scribble(index, 8192, noise(statSync(index).size - 8192, 4))
  const opening = Array.from({ length: 4 }, () => openStore({ path, onEvent: () => {} }))
  for (const result of await Promise.allSettled(opening))
    expect(result).toMatchObject({ status: 'rejected', reason: { problems: [{ code: 'cache/damaged' }] } })
})

test('a single wrong byte anywhere in the index never brings a wrong value nor ends the process', async () => {
  const { path, index } = await copy()
  const sound = readFileSync(index)
  let refused = 0
  for (let round = 0; round < 80; round++) {
    const at = noise(8, round).readUInt32LE(0) % sound.length
    const broken = Buffer.from(sound)
    broken[at] = (broken[at] ?? 0) ^ (1 << (round % 8))
    writeFileSync(index, broken)
    try {
      const store = await openStore({ path, onEvent: () => {} })
      for (let n = 0; n < COUNT; n += 7) {
        const got = store.get('metrics', id(n))
        if (got !== undefined && got !== 'overwritten') expect(got).toEqual(value(n))
      }
      await store.put('traces', 'new', round)
      await store.close()
    } catch (error) {
      expect(String(error)).toContain('cache/damaged')
      refused++
    }
  }
  expect(refused).toBeGreaterThan(0)
})

test('a scribbled lock file keeps nobody from opening', async () => {
  const { path, index } = await copy()
  writeFileSync(`${index}-lock`, noise(65_744, 3))
  await expectAllThere(path)
})

describe('a damaged log', () => {
  test('costs the records that were hit, each a miss that is told of', async () => {
    const { path, log } = await copy()
    const size = statSync(log).size
    // The second half holds what was put last.
    for (let i = 0; i < 10; i++) scribble(log, Math.floor(size * (0.55 + i * 0.04)), noise(600, i))
    const events: StoreEvent[] = []
    const store = await openStore({ path, onEvent: (event) => events.push(event) })
    const missing = Array.from({ length: COUNT }, (_, n) => n).filter((n) => {
      const got = store.get('metrics', id(n))
      if (got !== undefined) expect(got).toEqual(value(n))
      return got === undefined
    })
    expect(missing.length).toBeGreaterThan(9)
    expect(missing.length).toBeLessThan(60)
    expect(events).toEqual(
      missing.map((n) => ({ type: 'store-corrupt-record', table: 'metrics', id: id(n) })),
    )
    expect(missing.every((n) => !store.has('metrics', id(n)))).toBe(true)
    await store.close()
    const report = await verifyStore(path)
    expect(report).toMatchObject({ sound: false, indexDamage: undefined })
    expect([...report.unreadable].sort()).toEqual(missing.map((n) => `metrics/${id(n)}`).sort())
    const repaired = await repairStore(path)
    expect(repaired.lostBytes).toBeGreaterThan(0)
    expect(await verifyStore(path)).toMatchObject({ sound: true })
    await expectAllThere(path, new Set(missing))
  })

  test('that lost its end, or has a stranger’s bytes there, keeps the rest', async () => {
    const { path, log } = await copy()
    appendFileSync(log, noise(5000, 9))
    await expectAllThere(path)
    truncateSync(log, statSync(log).size - 6000)
    const store = await openStore({ path, onEvent: () => {} })
    expect(store.get('metrics', id(0))).toEqual(value(0))
    await store.put('traces', 'kept', 1)
    await store.close()
    expect((await repairStore(path)).records.get('metrics')).toBe(COUNT)
  })

  test.each<[string, (log: string) => void]>([
    ['a folder', (log) => mkdirSync(log)],
    ['a link to itself', (log) => symlinkSync('00000001.log', log)],
  ])('in the place of which is %s leaves misses that are told of', async (_, damage) => {
    const { path, log } = await copy()
    rmSync(log)
    damage(log)
    const events: StoreEvent[] = []
    const store = await openStore({ path, onEvent: (event) => events.push(event) })
    expect([store.get('metrics', id(5)), store.has('traces', 'kept')]).toEqual([undefined, false])
    expect(events).toEqual([
      { type: 'store-corrupt-record', table: 'metrics', id: id(5) },
      { type: 'store-corrupt-record', table: 'traces', id: 'kept' },
    ])
    await store.put('metrics', id(5), value(5))
    expect(store.get('metrics', id(5))).toEqual(value(5))
    await store.close()
    expect((await storeStats(path, () => {})).unusedBytes).toBe(0)
    expect((await verifyStore(path)).unreadable).toHaveLength(COUNT)
    expect((await repairStore(path)).records.get('metrics')).toBe(1)
    expect(await verifyStore(path)).toMatchObject({ sound: true })
  })

  test('that is gone altogether leaves misses', async () => {
    const { path, log } = await copy()
    rmSync(log)
    const events: StoreEvent[] = []
    const store = await openStore({ path, onEvent: (event) => events.push(event) })
    expect(store.get('metrics', id(5))).toBeUndefined()
    expect(events).toHaveLength(1)
    await store.put('metrics', id(5), value(5))
    expect(store.get('metrics', id(5))).toEqual(value(5))
    await store.close()
  })
})

test.each(['a repair', 'whoever opens it', 'whoever reads it'])(
  'what an index lost that went back to an earlier state is counted, and %s brings it back',
  async (by) => {
    const { path, index } = await copy()
    cpSync(index, `${index}.before`)
    const store = await openStore({ path, onEvent: () => {} })
    await Promise.all(Array.from({ length: 7 }, (_, n) => store.put('completions', id(n), value(n))))
    await store.put('metrics', id(0), 'later')
    await store.put('traces', 'passing', 1)
    await store.remove('traces', 'passing')
    await store.remove('traces', 'kept')
    await store.close()
    expect((await verifyStore(path)).unindexed).toBe(0)
    cpSync(`${index}.before`, index)
    expect(await verifyStore(path)).toMatchObject({ sound: true, unindexed: 9 })
    const events: StoreEvent[] = []
    const onEvent = (event: StoreEvent): void => void events.push(event)
    if (by === 'a repair') await repairStore(path)
    else await (await openStore({ path, readOnly: by === 'whoever reads it', onEvent })).close()
    expect(events).toEqual(by === 'a repair' ? [] : [{ type: 'store-behind', listed: 9 }])
    expect(await verifyStore(path)).toMatchObject({ sound: true, unindexed: 0 })
    const again = await openStore({ path, onEvent })
    expect(events).toHaveLength(by === 'a repair' ? 0 : 1)
    // What is written from now on comes after what came back.
    await again.put('metrics', id(1), 'newest')
    await again.put('metrics', id(1), value(1))
    for (let n = 0; n < 7; n++) expect(again.get('completions', id(n))).toEqual(value(n))
    expect(again.get('metrics', id(0))).toBe('later')
    expect([again.has('traces', 'kept'), again.has('traces', 'passing')]).toEqual([false, false])
    await again.close()
    await repairStore(path)
    expect(await verifyStore(path)).toMatchObject({ sound: true, unindexed: 0 })
    const repaired = await openStore({ path, onEvent })
    expect(repaired.get('metrics', id(1))).toEqual(value(1))
    await repaired.close()
  },
)

test('a value that was put and never listed stays gone where another process removed it since', async () => {
  const { path, index, log } = await copy()
  const before = statSync(log).size
  const [one, two] = [
    await openStore({ path, onEvent: () => {} }),
    await openStore({ path, onEvent: () => {} }),
  ]
  await one.put('traces', 'passing', 1)
  await one.put('traces', 'lasting', 1)
  await two.remove('traces', 'passing')
  for (const store of [one, two]) await store.close()
  // The index has heard of the removal alone, which lies in a segment of its own.
  const db = openIndex(index)
  await db.put(stateKey('end 1'), Buffer.from(String(before)))
  await db.remove(recordKey('traces', 'lasting'))
  await db.close()
  const again = await openStore({ path, onEvent: () => {} })
  expect([again.has('traces', 'passing'), again.has('traces', 'lasting')]).toEqual([false, true])
  await again.close()
})

test('a writer whose index is set back meanwhile stops, and nothing that it told is lost', async () => {
  const { path, index } = await copy()
  const store = await openStore({ path, onEvent: () => {} })
  await store.put('completions', id(1), value(1))
  const raw = await import('lmdb')
  const db = raw.open<Buffer, Buffer>({
    path: index,
    noSubdir: true,
    encoding: 'binary',
    keyEncoding: 'binary',
  })
  const end = Number(db.get(stateKey('end 1'))?.toString())
  await db.remove(recordKey('completions', id(1)))
  await db.put(stateKey('end 1'), Buffer.from(String(end - 100_000)))
  await expect(store.put('completions', id(2), value(2))).rejects.toMatchObject({
    problems: [{ code: 'cache/set-back' }],
  })
  await store.close()
  await db.close()
  const again = await openStore({ path, onEvent: () => {} })
  expect(again.get('completions', id(1))).toEqual(value(1))
  expect(again.get('metrics', id(5))).toEqual(value(5))
  await again.close()
})

test.each(['values', 'claims'])('a file in the place of the folder of %s is named', async (name) => {
  const { path } = await copy()
  rmSync(join(path, name), { recursive: true, force: true })
  writeFileSync(join(path, name), 'a file')
  const problem = { problems: [{ code: 'cache/not-a-folder', where: { file: join(path, name) } }] }
  await expect(openStore({ path, onEvent: () => {} })).rejects.toMatchObject(problem)
  await expect(repairStore(path)).rejects.toMatchObject(problem)
  const reading = openStore({ path, readOnly: true, onEvent: () => {} })
  if (name === 'values') return expect(reading).rejects.toMatchObject(problem)
  // Who reads needs no claims.
  const store = await reading
  expect(store.get('metrics', id(5))).toEqual(value(5))
  return store.close()
})

test.each(['index.lmdb-lock', 'index.lmdb.seal'])(
  'a folder in the place of %s is in nobody’s way',
  async (name) => {
    for (const repairs of [false, true]) {
      const { path } = await copy()
      rmSync(join(path, name), { force: true })
      mkdirSync(join(path, name, 'more'), { recursive: true })
      if (repairs) expect((await repairStore(path)).records.get('metrics')).toBe(COUNT)
      await expectAllThere(path)
    }
  },
)

test('nothing is written behind a cut, where a later opening would take it for listed', async () => {
  const { path, log } = await copy()
  truncateSync(log, statSync(log).size - 6000)
  const { size } = statSync(log)
  const store = await openStore({ path, onEvent: () => {} })
  await store.put('traces', 'late', 1)
  await store.close()
  expect(statSync(log).size).toBe(size)
  expect(statSync(join(path, 'values/00000002.log')).size).toBeGreaterThan(0)
})

test('what is no link among the claims is named, with the way out', async () => {
  const { path } = await copy()
  mkdirSync(join(path, 'claims', 'opening'), { recursive: true })
  await expect(openStore({ path, onEvent: () => {} })).rejects.toThrow('cache/contradicting-claims')
})

test('an index that can’t be reached is a problem to all that ask for it, who are told to move it alone', async () => {
  const { path, index } = await copy()
  rmSync(index)
  symlinkSync('index.lmdb', index)
  const asking = [
    () => openStore({ path, onEvent: () => {} }),
    () => openStore({ path, readOnly: true, onEvent: () => {} }),
    () => verifyStore(path),
  ]
  const told = [expect.objectContaining({ code: 'cache/not-accessible', where: { file: index } })]
  for (const ask of asking) await expect(ask()).rejects.toMatchObject({ problems: told })
  const repaired = await repairStore(path)
  expect(repaired.records.get('metrics')).toBe(COUNT)
  await expectAllThere(path)
})
