import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import type { DeploymentLimits } from '../../../models/deployment/model.ts'
import { Limiter, unshared } from '../../../models/limits/limiter.ts'
import { shareOnMachine } from '../../../models/limits/machine-sharing.ts'
import { temporaryFolder } from '../../rig/temporary-folder.ts'
import { firstPause, splitLimits } from '../../../models/limits/split-limits.ts'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

/** Calls' tokens by time, milliseconds, as a provider sees those of all tasks. */
type Seen = { readonly at: number; readonly tokens: number }[]

const TOKENS = 900

/** A task that calls as often as it may for so long, and is then gone without a word. */
const task = async (
  limits: DeploymentLimits,
  { seen, resumed, milliseconds }: { seen: Seen; resumed: boolean; milliseconds: number },
): Promise<void> => {
  const stop = new AbortController()
  const limiter = new Limiter(
    limits,
    () => Date.now(),
    unshared(() => Date.now()),
    firstPause(limits, resumed),
  )
  const work = async (): Promise<void> => {
    for (;;) {
      const turn = await limiter.acquire(stop.signal)
      seen.push({ at: Date.now(), tokens: TOKENS })
      turn.spent(TOKENS)
      turn.accepted()
      turn.release()
    }
  }
  void work().catch(() => undefined)
  await vi.advanceTimersByTimeAsync(milliseconds)
  stop.abort()
  limiter.close()
}

/** The most that any window of a minute holds, over all tasks. */
const worst = (seen: Seen, of: 'calls' | 'tokens'): number =>
  Math.max(
    ...seen.map(({ at }) =>
      seen
        .filter((each) => each.at >= at && each.at < at + 60_000)
        .reduce((sum, { tokens }) => sum + (of === 'calls' ? 1 : tokens), 0),
    ),
  )

test.each([
  [5, 5],
  [4, 100],
  [7, 30],
])('%i tasks that are killed and tried again keep %i requests a minute', async (count, requestsPerMinute) => {
  const seen: Seen = []
  for (const [attempt, milliseconds] of [700, 61_000, 100, 3000, 130_000, 20, 70_000].entries()) {
    const parts = Array.from({ length: count }, (_, index) =>
      splitLimits({ requestsPerMinute }, { index, count }),
    )
    // One clock for all: they work and end together.
    const start = Date.now()
    for (const limits of parts) {
      vi.setSystemTime(start)
      await task(limits, { seen, resumed: attempt > 0, milliseconds })
    }
  }
  expect(seen.length).toBeGreaterThan(requestsPerMinute)
  expect(worst(seen, 'calls')).toBeLessThanOrEqual(requestsPerMinute)
})

test.each([
  [{ requestsPerMinute: 10 }, 'calls', 10],
  [{ requestsPerMinute: 400 }, 'calls', 400],
  [{ tokensPerMinute: 9000 }, 'tokens', 9000 + TOKENS],
] as const)('processes of a machine that come and go keep %o together', async (limits, of, most) => {
  const folder = temporaryFolder()
  const seen: Seen = []
  const process = async (milliseconds: number): Promise<void> => {
    const limiter = new Limiter(limits, () => Date.now(), shareOnMachine(folder, 'a', 16))
    const own = new AbortController()
    const work = async (): Promise<void> => {
      for (;;) {
        const turn = await limiter.acquire(own.signal)
        seen.push({ at: Date.now(), tokens: TOKENS })
        await new Promise((resolve) => setTimeout(resolve, 700))
        turn.spent(TOKENS)
        turn.accepted()
        turn.release()
      }
    }
    for (let call = 0; call < 8; call += 1) void work().catch(() => undefined)
    await new Promise((resolve) => setTimeout(resolve, milliseconds))
    own.abort()
    limiter.close()
  }
  const ended = [200_000, 150_000, 20_000, 1500].map(async (milliseconds) => {
    for (let again = 0; again < 3; again += 1) await process(milliseconds / 3)
  })
  await vi.advanceTimersByTimeAsync(210_000)
  await Promise.all(ended)
  expect(worst(seen, of)).toBeLessThanOrEqual(most)
  expect(worst(seen, of)).toBeGreaterThan(most * 0.8)
})

test('a task that is tried again waits for the tokens of the one before it', async () => {
  const limits = { tokensPerMinute: 2000 }
  const seen: Seen = []
  for (const [attempt, milliseconds] of [50_000, 900, 900, 900, 200_000].entries())
    await task(limits, { seen, resumed: attempt > 0, milliseconds })
  expect(seen.length).toBeGreaterThan(5)
  expect(worst(seen, 'tokens')).toBeLessThanOrEqual(2000 + TOKENS)
  expect(firstPause({ requestsPerMinute: 1, tokensPerMinute: 5, perMachine: true }, true)).toBe(0)
})

test.each([
  ['hangs', 0],
  ['hangs twice', 40_000],
])('calls that wait for a tier that %s keep the requests a minute when it goes on', async (_, again) => {
  const requestsPerMinute = 30
  const limiter = new Limiter({ requestsPerMinute, concurrency: 32 }, () => Date.now())
  const stop = new AbortController()
  const seen: Seen = []
  const from = Date.now()
  /** Milliseconds of hanging, from when on. */
  const hangs = [[10_000, 100_000], ...(again > 0 ? [[111_000, again]] : [])] as const
  const tier = async (): Promise<void> => {
    const age = Date.now() - from
    const hang = hangs.find(([begin = 0, length = 0]) => age >= begin && age < begin + length)
    if (hang === undefined) return
    await new Promise((resolve) => setTimeout(resolve, from + hang[0] + hang[1] - Date.now()))
  }
  const work = async (): Promise<void> => {
    for (;;) {
      const turn = await limiter.acquire(stop.signal)
      await tier()
      while (await turn.renew(stop.signal)) await tier()
      seen.push({ at: Date.now(), tokens: 0 })
      await new Promise((resolve) => setTimeout(resolve, 3000))
      turn.accepted()
      turn.release()
    }
  }
  for (let call = 0; call < 64; call += 1) void work().catch(() => undefined)
  await vi.advanceTimersByTimeAsync(400_000)
  stop.abort()
  await vi.advanceTimersByTimeAsync(4000)
  limiter.close()
  expect(worst(seen, 'calls')).toBeLessThanOrEqual(requestsPerMinute)
  // Nothing is given away but the time of hanging.
  expect(seen.length).toBeGreaterThan(((400 - 100 - again / 1000) * requestsPerMinute) / 60 - 6)
})

test('a turn that passed is not waited for once the run stops', async () => {
  const limiter = new Limiter({ requestsPerMinute: 2 }, () => Date.now())
  const stop = new AbortController()
  const turn = await limiter.acquire(stop.signal)
  await vi.advanceTimersByTimeAsync(20_000)
  const renewed = turn.renew(stop.signal)
  stop.abort()
  await expect(renewed).rejects.toMatchObject({ code: 'call/aborted' })
  limiter.close()
})
