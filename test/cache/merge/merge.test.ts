import { appendFileSync, mkdirSync, readdirSync, truncateSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test, vi } from 'vitest'
import { digestOf } from '../../../cache/values/digest.ts'
import type { DiskStore } from '../../../cache/disk-store.ts'
import type { Json } from '../../../cache/values/json.ts'
import { ledgerId, mergeValues, type Replacing } from '../../../cache/merge/merge-values.ts'
import { SHARED, type RawValue } from '../../../cache/values/encoded.ts'
import { openTier } from '../../../cache/tier/open-tier.ts'
import { pushValues } from '../../../cache/tier/push-values.ts'
import { tierValues, type TierDamage } from '../../../cache/tier/read-tier.ts'
import type { Tier } from '../../../cache/tier/tier.ts'
import { openStore } from '../../../cache/open-store.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const open = (path = join(temporaryFolder(), 'store')): Promise<DiskStore> =>
  openStore({ path, onEvent: (event) => expect.fail(JSON.stringify(event)) })

const numbersFrom = (seed: number): (() => number) => {
  let n = 0
  return () => parseInt(digestOf(`${seed} ${n++}`).slice(0, 8), 16)
}

/** Replies that the stores share, replies in which they differ, replies of one alone, and the payments of all. */
const filled = async (seed: number): Promise<DiskStore> => {
  const store = await open()
  const next = numbersFrom(seed)
  for (let n = 0; n < 30; n++) {
    const completion = digestOf<'completion'>(`call ${next() % 40}`)
    const reply = next() % 3 === 0 ? `reply of ${seed} to ${completion}` : `reply to ${completion}`
    const paid = { time: `2026-01-0${1 + (next() % 3)}T00:00:00Z`, run: `${seed}`, usd: next() % 100, n }
    await store.put('ledger', ledgerId(paid.time.slice(0, 10), completion, JSON.stringify(paid)), paid)
    if (!store.has('completions', completion)) await store.put('completions', completion, { reply })
  }
  await store.put('records', `own ${seed}`, seed)
  return store
}

const permutations = <T>(items: readonly T[]): readonly (readonly T[])[] =>
  items.length < 2
    ? [items]
    : items.flatMap((item, at) =>
        permutations([...items.slice(0, at), ...items.slice(at + 1)]).map((rest) => [item, ...rest]),
      )

const tierAt = (folder: string): Promise<Tier> => openTier(folder, '/')

const valuesOf = (tier: Tier, onDamage: (damage: TierDamage) => void): AsyncIterable<RawValue> =>
  tierValues(tier, { onDamage })

const all = async (values: AsyncIterable<RawValue>): Promise<number> => {
  let count = 0
  for await (const _ of values) count += 1
  return count
}

/** Over what two stores that were merged share: equal where they hold the same, in whichever order it was written. */
const sharedDigest = (store: DiskStore): string =>
  digestOf(
    JSON.stringify(
      Array.from(store.values(SHARED), ({ table, id, payload }) => [table, id, payload.toString('base64')]),
    ),
  )

const replacing: Replacing = (write) => write()

const merge = (into: DiskStore, from: DiskStore) => mergeValues(into, from.values(SHARED), replacing)

test('of two replies to one call that with the smaller sha256 counts, on every machine', async () => {
  const id = digestOf<'completion'>('call')
  // sha256 of {"reply":"one"} begins with 955e, that of {"reply":"two"} with ef70.
  for (const own of ['one', 'two']) {
    const [into, from] = await Promise.all([open(), open()])
    await into.put('completions', id, { reply: own })
    await from.put('completions', id, { reply: own === 'one' ? 'two' : 'one' })
    expect(await merge(into, from)).toEqual({
      added: 0,
      known: 0,
      differing: 1,
      replaced: own === 'one' ? 0 : 1,
    })
    expect(into.get('completions', id)).toEqual({ reply: 'one' })
    await Promise.all([into.close(), from.close()])
  }
})

test('stores merge in any order, in any grouping and any number of times to the same', async () => {
  const stores = await Promise.all([1, 2, 3, 4].map(filled))
  const digests = new Set<string>()
  for (const [n, order] of permutations(stores).entries()) {
    const all = await open()
    for (const store of order) await merge(all, store)
    digests.add(sharedDigest(all))
    // Once more, and into itself by way of another.
    for (const store of order) expect((await merge(all, store)).added).toBe(0)
    digests.add(sharedDigest(all))
    await all.close()
    if (n % 5 !== 0) continue
    const [left, right] = [await open(), await open()]
    for (const store of order.slice(0, 2)) await merge(left, store)
    for (const store of order.slice(1)) await merge(right, store)
    await merge(left, right)
    digests.add(sharedDigest(left))
    for (const each of [left, right]) await each.close()
  }
  expect(digests.size).toBe(1)
  const [first, second] = stores as [DiskStore, DiskStore]
  const entries = (store: DiskStore): readonly string[] => [...store.entries('ledger')].map(({ id }) => id)
  const payments = new Set([...entries(first), ...entries(second)]).size
  const report = await merge(first, second)
  expect(report.differing).toBeGreaterThan(0)
  expect(report.replaced).toBeGreaterThan(0)
  expect(report.replaced).toBeLessThan(report.differing)
  expect(entries(first)).toHaveLength(payments)
  expect(first.has('records', 'own 2')).toBe(false)
  for (const each of stores) await each.close()
})

test('by way of a tier they merge to the same; what is there is not pushed again, damage costs what it hit', async () => {
  const stores = await Promise.all([5, 6, 7].map(filled))
  const folder = temporaryFolder()
  const tier = await tierAt(folder)
  const direct = await open()
  for (const store of stores) await merge(direct, store)
  const push = async (): Promise<readonly number[]> => {
    const pushed: number[] = []
    for (const store of stores) pushed.push(await pushValues(tier, undefined, store.values(SHARED)))
    return pushed
  }
  expect((await push())[0]).toBe([...(stores[0] as DiskStore).values(SHARED)].length)
  expect(await push()).toEqual([0, 0, 0])
  const place = join(folder, 'medmake-1/segments')
  const segments = readdirSync(place).map((name) => join(place, name))
  expect(segments).toHaveLength(3)
  const pulled = await open()
  await mergeValues(
    pulled,
    valuesOf(tier, () => expect.fail('damage')),
    replacing,
  )
  expect(sharedDigest(pulled)).toBe(sharedDigest(direct))

  // A writer that was stopped half-way, and bytes that are nothing.
  const [cut = '', noisy = ''] = segments
  truncateSync(cut, statSync(cut).size - 10)
  appendFileSync(noisy, Buffer.from(digestOf('noise'), 'hex'))
  const rest = await open()
  await mergeValues(
    rest,
    valuesOf(tier, () => expect.fail('an unfinished end is no damage')),
    replacing,
  )
  expect([...rest.values(SHARED)].length).toBeGreaterThanOrEqual([...pulled.values(SHARED)].length - 1)
  for (const each of [...stores, direct, pulled, rest]) await each.close()
})

test('a tier that is not there is told of; one without a push is empty', async () => {
  const tier = temporaryFolder()
  const count = async (place: string): Promise<number> => all(valuesOf(await tierAt(place), () => undefined))
  expect(await count(tier)).toBe(0)
  const missing = join(tier, 'missing')
  await expect(count(missing)).rejects.toThrow('cache/no-tier')
  mkdirSync(missing)
  expect(await count(missing)).toBe(0)
})

test('payments that earlier versions numbered in each store alone are all counted, and once', async () => {
  const place = `2026-01-01:${digestOf('call')}`
  const paid = (usd: number): Json => ({ time: '2026-01-01T00:00:00Z', usd })
  const [one, other] = [await open(), await open()]
  await one.put('ledger', place, paid(1))
  await one.put('ledger', `${place}:1`, paid(2))
  await other.put('ledger', place, paid(3))
  await other.put('ledger', `${place}:1`, paid(4))
  await merge(one, other)
  await merge(other, one)
  await merge(one, other)
  const sum = (store: DiskStore): number =>
    [...store.entries('ledger')].reduce(
      (total, { id }) => total + (store.get('ledger', id) as { usd: number }).usd,
      0,
    )
  expect([sum(one), sum(other)]).toEqual([10, 10])
  expect([...one.entries('ledger')]).toHaveLength(4)
  expect(sharedDigest(one)).toBe(sharedDigest(other))
  for (const each of [one, other]) await each.close()
})

test('of what another store has only what is shared is merged', async () => {
  const [into, from] = await Promise.all([open(), open()])
  await from.put('metrics', 'a', 1)
  await from.put('completions', 'a', { reply: 'one' })
  const report = await mergeValues(into, from.values(['metrics', 'completions']), replacing)
  expect(report).toEqual({ added: 1, known: 0, differing: 0, replaced: 0 })
  expect([into.has('metrics', 'a'), into.has('completions', 'a')]).toEqual([false, true])
  await Promise.all([into.close(), from.close()])
})

/** Two stores in which one reply differs; the first is the one whose reply gives way. */
const differing = async () => {
  const paths = [1, 2].map(() => join(temporaryFolder(), 'store'))
  const stores = await Promise.all([open(paths[0]), open(paths[1])])
  for (const [n, store] of stores.entries()) await store.put('completions', 'a', { reply: `reply ${n}` })
  const { replaced } = await mergeValues(stores[0], stores[1].values(SHARED), async () => undefined)
  const [into, from] = replaced === 1 ? stores : [stores[1], stores[0]]
  const path = paths[replaced === 1 ? 0 : 1] ?? ''
  return { into, from, path, reply: (): Json | undefined => into.get('completions', 'a') }
}

test('a reply gives way only after what was made of it is dropped, and not where that fails', async () => {
  const { into, from, reply } = await differing()
  const before = reply()
  const failing = mergeValues(into, from.values(SHARED), async () => {
    throw new Error('no room')
  })
  await expect(failing).rejects.toThrow('no room')
  expect(reply()).toEqual(before)
  const report = await mergeValues(into, from.values(SHARED), async (write) => {
    expect(reply()).toEqual(before)
    await write()
  })
  expect(report).toMatchObject({ replaced: 1 })
  expect(reply()).toEqual(from.get('completions', 'a'))
  await Promise.all([into.close(), from.close()])
})

test('where another process has the store open, no reply of it is replaced', async () => {
  const { into, from, path, reply } = await differing()
  const before = reply()
  const reader = await openStore({ path, onEvent: () => undefined })
  const merging = () => mergeValues(into, from.values(SHARED), (write) => into.exclusively(write))
  await expect(merging()).rejects.toThrow('cache/in-use')
  expect(reply()).toEqual(before)
  await reader.close()
  expect(await merging()).toMatchObject({ replaced: 1 })
  await Promise.all([into.close(), from.close()])
})

test('of three replies to one call the same counts, whichever the others are that one merge brings', async () => {
  const id = digestOf<'completion'>('call')
  const payloads = ['one', 'two', 'three'].map((reply) => Buffer.from(JSON.stringify({ reply })))
  const results = new Set<string>()
  for (const [own, ...others] of permutations(payloads)) {
    const store = await open()
    await store.putPayload('completions', id, own ?? Buffer.alloc(0))
    await mergeValues(
      store,
      others.map((payload) => ({ table: 'completions', id, payload })),
      replacing,
    )
    results.add(JSON.stringify(store.get('completions', id)))
    await store.close()
  }
  expect(results.size).toBe(1)
})

test('a merge or a pull that was killed in its midst took no reply without its payment', async () => {
  const from = await filled(5)
  const tier = await tierAt(temporaryFolder())
  await pushValues(tier, undefined, from.values(SHARED))
  for (const source of [from.values(SHARED), valuesOf(tier, () => undefined)]) {
    const store = await open()
    let left = 40
    const values = async function* (): AsyncGenerator<RawValue> {
      for await (const value of source) {
        if ((left -= 1) < 0) return
        yield value
      }
    }
    await mergeValues(store, values(), (write) => write())
    const paid = new Set([...store.entries('ledger')].map(({ id }) => id.split(':')[1]))
    const replies = [...store.entries('completions')].map(({ id }) => id)
    expect(replies).not.toEqual([])
    expect(replies.filter((id) => !paid.has(id))).toEqual([])
    await store.close()
  }
  await from.close()
})

test('A value that can not be stored while the next one is awaited ends the merge with its problem', async () => {
  const store = await open()
  const full = new Error('the disk is full')
  // No spy, which would look at the promise itself.
  Object.assign(store, { putPayload: () => Promise.reject(full) })
  const unhandled = vi.fn()
  process.on('unhandledRejection', unhandled)
  const slow = async function* (): AsyncGenerator<RawValue> {
    for (const id of ['a', 'b']) {
      yield { table: 'completions', id, payload: Buffer.from('{}') }
      await new Promise((resolve) => setImmediate(resolve))
    }
  }
  await expect(mergeValues(store, slow(), (write) => write())).rejects.toBe(full)
  process.off('unhandledRejection', unhandled)
  expect(unhandled).not.toHaveBeenCalled()
  await store.close()
})
