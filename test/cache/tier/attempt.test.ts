import { readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { digestOf } from '../../../cache/values/digest.ts'
import { Attempt, isLaterAttempt, type AttemptOptions } from '../../../cache/tier/attempt.ts'
import { openTier } from '../../../cache/tier/open-tier.ts'
import type { Tier } from '../../../cache/tier/tier.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'

const LEASE = 60_000
const PLAN = digestOf<'plan'>('plan')
const forever = new AbortController().signal

/** Attempts at one shard, each by a clock of its own. */
const shard = async () => {
  const folder = temporaryFolder()
  const tier = await openTier(folder, '/')
  const begin = async (clock: { now: number }, more: Partial<AttemptOptions> = {}): Promise<Attempt> =>
    Attempt.begin({ tier, plan: PLAN, shard: 0, lease: LEASE, now: () => clock.now, ...more })
  return { folder, tier, begin }
}

test('who was taken over begins calls for the rest of its lease at most', async () => {
  const { begin } = await shard()
  const [old, own] = [{ now: 0 }, { now: 7_000_000 }]
  const first = await begin(old)
  expect(await first.pass()).toBe(true)
  const second = await begin(own)
  old.now += LEASE - 1
  expect(await first.pass()).toBe(true)
  // However it spent the time: paused, or cut off.
  old.now += 1
  expect(await first.pass()).toBe(false)
  old.now -= 1
  expect(await first.pass()).toBe(false)
  expect(await second.pass()).toBe(true)
})

test('a look is as old as its beginning, however long the tier took to answer', async () => {
  const { tier, begin } = await shard()
  const clock = { now: 0 }
  const slow: Tier = Object.assign(Object.create(tier) as Tier, {
    beat: async (name: string) => {
      clock.now += 0.8 * LEASE
      await tier.beat(name)
    },
  })
  const first = await begin(clock, { tier: slow })
  expect(await first.pass()).toBe(true)
  const second = await begin({ now: 0 })
  expect([first.name.number, second.name.number]).toEqual([0, 1])
  // Who comes next may begin now: a look that ended a fifth of a lease ago is no excuse.
  clock.now = LEASE
  expect(await first.pass()).toBe(false)
})

test('who begins waits for those before it, for longer than their lease, unless they say that they ended', async () => {
  const { begin } = await shard()
  const first = await begin({ now: 0 })
  const other = await begin({ now: 0 }, { shard: 1 })
  const clock = { now: 5000 }
  const second = await begin(clock)
  const told: number[] = []
  // Each look at the clock takes a tenth of its lease.
  const ticking = await begin(clock, { now: () => (clock.now += 6), lease: 60 })
  const before = clock.now
  await ticking.waitForEarlier(forever, (live) => void told.push(live.length))
  expect(told).toEqual([2])
  // A quarter longer: what they wrote may be listed that late.
  expect(clock.now - before).toBeGreaterThan(75)
  await first.end({ state: 'stopped' })
  await second.end({ state: 'stopped' })
  const last = await begin({ now: 0 })
  await ticking.end({ state: 'done' })
  await last.waitForEarlier(forever, () => expect.fail('all have ended'))
  await other.waitForEarlier(forever, () => expect.fail('it is alone'))
})

test('without a tier that takes what is written no call begins', async () => {
  const { folder, begin } = await shard()
  const clock = { now: 0 }
  const attempt = await begin(clock)
  const attempts = join(folder, 'medmake-1/attempts')
  expect(readdirSync(attempts)).toHaveLength(1)
  expect(await attempt.pass()).toBe(true)
  rmSync(attempts, { recursive: true })
  clock.now += LEASE
  await expect(attempt.pass()).rejects.toThrow('cache/write-failed')
})

test('of two attempts exactly one is the later', () => {
  const names = [0, 1].flatMap((number) => ['a', 'b'].map((nonce) => ({ shard: 0, number, nonce })))
  for (const a of names)
    for (const b of names) if (a !== b) expect(isLaterAttempt(a, b)).toBe(!isLaterAttempt(b, a))
})

test('an attempt’s number is one above all others at its shard, though some are gone', async () => {
  const { folder, tier, begin } = await shard()
  const clock = { now: 0 }
  const first = await begin(clock)
  const second = await begin(clock)
  const [file = ''] = (await tier.list('attempts')).map(({ name }) => name)
  expect(file).toContain(first.name.nonce)
  rmSync(join(folder, 'medmake-1', file))
  const third = await begin(clock)
  const other = await begin(clock, { shard: 1 })
  expect([first, second, third, other].map(({ name }) => name.number)).toEqual([0, 1, 2, 0])
  expect(await third.pass()).toBe(true)
  expect(await second.pass()).toBe(false)
})

test('half a lease after a look the next one is under way, and no call waits for it', async () => {
  const { tier, begin } = await shard()
  let looks = 0
  const counting: Tier = Object.assign(Object.create(tier) as Tier, {
    beat: (name: string) => {
      looks += 1
      return tier.beat(name)
    },
  })
  const clock = { now: 0 }
  const attempt = await begin(clock, { tier: counting })
  const seen: number[] = []
  for (const now of [0, 0.4, 0.5]) {
    clock.now = now * LEASE
    expect(await attempt.pass()).toBe(true)
    seen.push(looks)
  }
  expect(seen).toEqual([1, 1, 2])
})

test('a look beside a call that failed makes the next call look itself, and end with what is wrong', async () => {
  const { tier, begin } = await shard()
  const clock = { now: 0 }
  let beats = 0
  const failing: Tier = Object.assign(Object.create(tier) as Tier, {
    beat: async (name: string) => {
      beats += 1
      if (beats > 1) throw new Error('the tier was away')
      await tier.beat(name)
    },
  })
  const attempt = await begin(clock, { tier: failing })
  expect(await attempt.pass()).toBe(true)
  clock.now = LEASE / 2
  // The second look begins beside this call and fails.
  expect(await attempt.pass()).toBe(true)
  await new Promise((resolve) => setImmediate(resolve))
  await expect(attempt.pass()).rejects.toThrow('the tier was away')
})

test('calls that wait for a look share one', async () => {
  const { tier, begin } = await shard()
  let beats = 0
  const counting: Tier = Object.assign(Object.create(tier) as Tier, {
    beat: async (name: string) => {
      beats += 1
      await tier.beat(name)
    },
  })
  const attempt = await begin({ now: 0 }, { tier: counting })
  expect(await Promise.all([attempt.pass(), attempt.pass(), attempt.pass()])).toEqual([true, true, true])
  expect(beats).toBe(1)
})

test('who was taken over stays so, though the later attempt’s name is gone from the tier', async () => {
  const { folder, tier, begin } = await shard()
  const clock = { now: 0 }
  const first = await begin(clock)
  const second = await begin({ now: 0 })
  expect(await first.pass()).toBe(false)
  const listed = await tier.list('attempts')
  const file = listed.find(({ name }) => name.includes(second.name.nonce))
  rmSync(join(folder, 'medmake-1', file?.name ?? 'no attempt is listed'))
  clock.now = 10 * LEASE
  await first.waitForEarlier(forever, () => undefined)
  expect(first.isTakenOver).toBe(true)
})
