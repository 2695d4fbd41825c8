import { describe, expect, it } from 'vitest'
import { LearnedRate } from '../../../models/limits/learned-rate.ts'

const perSecond = (rate: LearnedRate): number => rate.rate * 1000

/** Sends at the learned rate to a server that takes so many in a second of its own, and tells what came of it. */
const drive = (rate: LearnedRate, limit: number, from: number, seconds: number) => {
  let now = from
  let windowStart = from
  let inWindow = 0
  let taken = 0
  let rejected = 0
  while (now < from + seconds * 1000) {
    if (now - windowStart >= 1000) [windowStart, inWindow] = [now, 0]
    inWindow += 1
    if (inWindow > limit) {
      rejected += 1
      rate.rejected({ sent: now, now }, 1000, 1)
      now += 1000
    } else {
      taken += 1
      rate.accepted(now, 1)
      now += Math.max(2, 1 / rate.rate)
    }
  }
  return { taken, rejected, now }
}

describe('a learned rate', () => {
  it('knows nothing until the server rejects', () => {
    const rate = new LearnedRate()
    for (let now = 0; now < 5000; now += 1) rate.accepted(now, 1)
    expect(rate.rate).toBe(Number.POSITIVE_INFINITY)
  })

  it('takes what passed over the wait asked for, a little less', () => {
    const rate = new LearnedRate()
    for (let call = 0; call < 50; call += 1) rate.accepted(call * 2, 1)
    rate.rejected({ sent: 100, now: 100 }, 1000, 1)
    expect(perSecond(rate)).toBeCloseTo(48.5, 1)
  })

  it('is cut once for all requests that were under way', () => {
    const rate = new LearnedRate()
    for (let call = 0; call < 50; call += 1) rate.accepted(call, 1)
    expect(rate.rejected({ sent: 40, now: 60 }, 940, 1)).toBe(true)
    const cut = rate.rate
    expect(rate.rejected({ sent: 59, now: 70 }, 930, 1)).toBe(false)
    expect(rate.rate).toBe(cut)
  })

  it.each([5, 50, 300])('uses nine tenths of %i requests a second and is seldom rejected', (limit) => {
    const rate = new LearnedRate()
    const { taken, rejected } = drive(rate, limit, 0, 300)
    expect(taken).toBeGreaterThan(0.9 * limit * 300)
    expect(rejected).toBeLessThan(0.02 * limit * 300)
  })

  it('follows a limit that falls and rises', () => {
    const rate = new LearnedRate()
    const first = drive(rate, 100, 0, 60)
    const low = drive(rate, 40, first.now, 120)
    expect(perSecond(rate)).toBeLessThan(45)
    drive(rate, 100, low.now, 600)
    expect(perSecond(rate)).toBeGreaterThan(80)
  })

  it('is the rate of all processes that share it', () => {
    const rate = new LearnedRate()
    for (let call = 0; call < 50; call += 1) rate.accepted(call * 2, 2)
    rate.rejected({ sent: 100, now: 100 }, 1000, 2)
    expect(perSecond(rate)).toBeCloseTo(97, 1)
  })

  it('tries more by six in a hundred, by more only once more has held twice', () => {
    const rate = new LearnedRate()
    rate.rejected({ sent: 0, now: 0 }, 1, 1)
    const tried = [rate.rate]
    const times = [0]
    // Calls that use the whole rate, a second's worth at a time.
    for (let now = 1; tried.length < 6; now += 1) {
      rate.accepted(now, 1)
      if (rate.rate === tried.at(-1)) continue
      tried.push(rate.rate)
      times.push(now)
    }
    // Each is held for three seconds.
    expect(times.slice(1).map((time, index) => time - (times[index] ?? 0))).toEqual([
      3000, 3000, 3000, 3000, 3000,
    ])
    const steps = tried.slice(1).map((each, index) => each / (tried[index] ?? Number.NaN) - 1)
    for (const [index, step] of [0.06, 0.06, 0.12, 0.15, 0.15].entries())
      expect(steps[index]).toBeCloseTo(step, 9)
  })

  it('is cut by a twentieth, or to what passed where that is less; what was tried falls back to what held', () => {
    const rate = new LearnedRate()
    for (let call = 0; call < 50; call += 1) rate.accepted(call * 2, 1)
    rate.rejected({ sent: 100, now: 100 }, 1000, 1)
    const first = (0.97 * 50) / 1000
    // 50 passed in 200 ms and the 100 ms to wait: more than the rate.
    rate.rejected({ sent: 200, now: 200 }, 100, 1)
    expect(rate.rate).toBeCloseTo(first * 0.95, 12)
    rate.rejected({ sent: 1200, now: 1200 }, 8800, 1)
    expect(rate.rate).toBeCloseTo(50 / 10_000, 12)
    for (let now = 1300; rate.rate < 0.00501; now += 100) rate.accepted(now, 1)
    // The first step after two cuts is a quarter of six in a hundred, but never less than two.
    expect(rate.rate).toBeCloseTo(0.005 * 1.02, 12)
    rate.rejected({ sent: 1e6, now: 1e6 }, 1, 1)
    expect(rate.rate).toBeCloseTo(0.005, 12)
  })

  it('begins with small steps again once more was too much', () => {
    const rate = new LearnedRate()
    rate.rejected({ sent: 0, now: 0 }, 1, 1)
    let now = 0
    const raise = (): number => {
      const before = rate.rate
      while (rate.rate === before) rate.accepted((now += 1), 1)
      return rate.rate / before - 1
    }
    for (const step of [0.06, 0.06, 0.12]) expect(raise()).toBeCloseTo(step, 9)
    now += 1
    rate.rejected({ sent: now, now }, 1, 1)
    expect(raise()).toBeCloseTo(0.06, 9)
  })

  it('counts each call for as many as there are processes, and twenty at least before more is tried', () => {
    for (const [members, enough] of [
      [1, 20],
      [2, 10],
    ] as const) {
      const rate = new LearnedRate()
      rate.rejected({ sent: 0, now: 0 }, 60_000, members)
      const slow = rate.rate
      for (let call = 1; call < enough; call += 1) rate.accepted(4000, members)
      expect(rate.rate).toBe(slow)
      rate.accepted(4000, members)
      expect(rate.rate).toBeGreaterThan(slow)
    }
  })

  it('is not raised where less than seven tenths of it were used', () => {
    const rate = new LearnedRate()
    for (let call = 0; call < 100; call += 1) rate.accepted(0, 1)
    rate.rejected({ sent: 0, now: 0 }, 97, 1)
    expect(rate.rate).toBe(1)
    // Of 4,000 that fit into four seconds 2,800 are seven tenths.
    for (let call = 1; call < 2800; call += 1) rate.accepted(4000, 1)
    expect(rate.rate).toBe(1)
    rate.accepted(4000, 1)
    expect(rate.rate).toBeCloseTo(1.06, 9)
  })

  it('that another process learned is no trial of this one', () => {
    const rate = new LearnedRate()
    for (const now of [0, 1]) rate.rejected({ sent: now, now }, 1000, 1)
    expect(rate.rate).toBeLessThan(0.001)
    rate.adopt(0.2, 2)
    for (let call = 0; call < 1000; call += 1) rate.accepted(3, 1)
    rate.rejected({ sent: 4, now: 4 }, 1, 1)
    expect(rate.rate).toBeCloseTo(0.19, 12)
  })

  it('waits for three seconds before it tries more, and after each that was too much twice as long, two minutes at most', () => {
    const rate = new LearnedRate()
    for (let call = 0; call < 50; call += 1) rate.accepted(call * 2, 1)
    const waits: number[] = []
    for (let now = 100; waits.length < 7;) {
      const rejected = now
      rate.rejected({ sent: now, now }, 1000, 1)
      const cut = rate.rate
      for (; rate.rate === cut; now += 10) rate.accepted(now, 1)
      waits.push(now - 10 - rejected)
    }
    expect(waits).toEqual([3000, 10_000, 20_000, 40_000, 80_000, 120_000, 120_000])
  })

  it('never falls to nothing', () => {
    const rate = new LearnedRate()
    rate.rejected({ sent: 0, now: 0 }, 60_000, 1)
    expect(rate.rate).toBeCloseTo(1 / 60_000, 9)
    rate.rejected({ sent: 1, now: 1 }, 600_000, 1)
    expect(rate.rate).toBe(1 / 60_000)
  })
})
