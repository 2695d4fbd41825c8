import { setMaxListeners } from 'node:events'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import type { DeploymentLimits } from '../../../models/deployment/model.ts'
import { Limiter, type Turn, unshared, type Sharing } from '../../../models/limits/limiter.ts'

const never = new AbortController().signal
// Every limiter leaves a listener on it.
setMaxListeners(0, never)
let started: Turn[]

beforeEach(() => {
  vi.useFakeTimers()
  started = []
})
afterEach(() => {
  vi.useRealTimers()
})

const limiterOf = (limits: DeploymentLimits, sharing: Partial<Sharing> = {}): Limiter =>
  new Limiter(limits, () => Date.now(), { ...unshared(() => Date.now()), ...sharing })

/** Asks for so many turns; those that may start are in `started`. */
const ask = async (limiter: Limiter, turns = 1): Promise<void> => {
  for (let turn = 0; turn < turns; turn += 1) void limiter.acquire(never).then((each) => started.push(each))
  await vi.advanceTimersByTimeAsync(0)
}
const after = async (milliseconds: number): Promise<number> => {
  await vi.advanceTimersByTimeAsync(milliseconds)
  return started.length
}
const first = (): Turn => {
  const [turn] = started
  if (turn === undefined) throw new Error('none has started')
  return turn
}

test('Without limits as many start as a server that is not known yet is sent.', async () => {
  const limiter = limiterOf({})
  expect(limiter.concurrency).toBe(32)
  await ask(limiter, 40)
  expect(started).toHaveLength(8)
  first().accepted()
  first().release()
  // One more has its place, and one more is dared.
  expect(await after(0)).toBe(10)
})

test('Requests a minute are spaced, and no minute holds more.', async () => {
  const limiter = limiterOf({ requestsPerMinute: 60 })
  await ask(limiter, 100)
  expect(started).toHaveLength(1)
  expect(await after(1000)).toBe(1)
  expect(await after(1)).toBe(2)
  for (const turn of started) turn.release()
  expect(await after(59_000)).toBeLessThanOrEqual(60)
})

test('A rate that another process learned is shared evenly, too.', async () => {
  const told = [{ wait: 0, rate: 1 / 1000 }]
  const news = () => told.shift() ?? { wait: 0 }
  await ask(limiterOf({}, { members: () => 2, news }), 2)
  expect(await after(1999)).toBe(1)
  expect(await after(1)).toBe(2)
})

test('Tokens a minute hold back the next call by what the last one used, and others by what they will use.', async () => {
  const limiter = limiterOf({ tokensPerMinute: 60_000 })
  await ask(limiter, 8)
  // What a call takes is not known yet.
  expect(await after(5000)).toBe(1)
  const told = (turn: Turn | undefined, tokens: number): void => {
    turn?.spent(tokens)
    turn?.accepted()
    turn?.release()
  }
  told(first(), 2000)
  expect(await after(1900)).toBe(1)
  expect(await after(110)).toBe(2)
  // It is still under way.
  expect(await after(1900)).toBe(2)
  expect(await after(110)).toBe(3)
  told(started[1], 1000)
  told(started[2], 5000)
  expect(await after(3900)).toBe(3)
  expect(await after(120)).toBe(4)
  const free = limiterOf({})
  await ask(free, 2)
  started[4]?.spent(1e9)
  expect(await after(0)).toBe(6)
})

describe('What headers say', () => {
  test.each([
    ['no request left', { requests: { remaining: 0, reset: 700 } }, 700],
    ['a request left', { requests: { remaining: 1, reset: 700 } }, 0],
    ['too few tokens left', { tokens: { remaining: 99, reset: 700 } }, 700],
    ['enough tokens left', { tokens: { remaining: 100, reset: 700 } }, 0],
    ['too few of known many', { tokens: { remaining: 99, reset: 700, limit: 1000 } }, 70],
    ['too few of fewer than one call has', { tokens: { remaining: 9, reset: 700, limit: 50 } }, 700],
    ['to wait for hours', { requests: { remaining: 0, reset: 1e9 } }, 120_000],
    ['both', { requests: { remaining: 0, reset: 300 }, tokens: { remaining: 0, reset: 700 } }, 700],
    ['nothing', {}, 0],
  ])('%s, is heeded', async (_, headers, wait) => {
    const limiter = limiterOf({})
    const turn = await limiter.acquire(never)
    turn.spent(100)
    turn.release()
    limiter.told(headers)
    await ask(limiter)
    if (wait > 0) {
      expect(await after(wait - 1)).toBe(0)
      await after(1)
    }
    expect(started).toHaveLength(1)
  })
})

test('Headers that tell less than no tokens of none leave the limit as it is.', async () => {
  const limiter = limiterOf({ requestsPerMinute: 60 })
  limiter.told({ tokens: { remaining: -1, reset: 700, limit: 0 } })
  await ask(limiter, 2)
  await after(700)
  expect(started).toHaveLength(1)
  expect(await after(1001)).toBe(2)
})

describe('A rejection', () => {
  test('stops all for as long as it asks, and is told to the others with the rate that was learned.', async () => {
    const told: Parameters<Sharing['tell']>[0][] = []
    const limiter = limiterOf({}, { tell: (news) => void told.push(news) })
    await ask(limiter, 2)
    await after(1)
    first().rejected(1000)
    started[1]?.rejected(1000)
    for (const turn of started) turn.release()
    await ask(limiter)
    expect(await after(999)).toBe(2)
    expect(await after(1)).toBe(3)
    expect(told).toEqual([{ wait: 1000, rate: expect.closeTo(0.97 / 1000, 9) }])
  })

  test('that asks for no wait holds nobody back, and says nothing of the rate.', async () => {
    const told: unknown[] = []
    const limiter = limiterOf({}, { tell: (news) => void told.push(news) })
    await ask(limiter)
    first().rejected(0)
    await ask(limiter, 7)
    expect(started).toHaveLength(8)
    expect(told).toEqual([])
  })

  test('begins a drought, which the next accepted call ends, and which is none while others are under way.', async () => {
    const limiter = limiterOf({})
    await ask(limiter, 2)
    const [one, other] = started
    expect(one?.drought()).toBe(0)
    one?.rejected(0)
    await after(400)
    one?.rejected(0)
    expect(one?.drought()).toBe(0)
    other?.release()
    expect(one?.drought()).toBe(400)
    one?.accepted()
    expect(one?.drought()).toBe(0)
  })

  test('that asks for no wait is no call under way, so that several of them are a drought together.', async () => {
    const limiter = limiterOf({})
    await ask(limiter, 3)
    const [one, two, three] = started
    for (const turn of [one, two, two]) turn?.rejected(0)
    await after(400)
    expect(one?.drought()).toBe(0)
    expect(three?.drought()).toBe(400)
    two?.release()
    await ask(limiter)
    expect(three?.drought()).toBe(0)
  })

  test('is forgotten where it says nothing: neither pause nor rate is left, but what is stated is.', async () => {
    const limiter = limiterOf({ requestsPerMinute: 600 })
    await ask(limiter)
    first().rejected(100_000)
    first().release()
    limiter.forget()
    await ask(limiter, 2)
    expect(await after(101)).toBe(2)
    expect(await after(101)).toBe(3)
  })

  test('lets fewer calls into flight.', async () => {
    const limiter = limiterOf({})
    await ask(limiter, 8)
    first().rejected(1)
    for (const turn of started) turn.release()
    started = []
    await ask(limiter, 8)
    limiter.forget()
    expect(await after(10)).toBe(5)
  })
})

describe('With other processes', () => {
  test('a call waits until one of them gives its place.', async () => {
    let free = false
    const given: string[] = []
    const limiter = limiterOf({}, { take: () => free, give: () => void given.push('given') })
    await ask(limiter)
    expect(await after(100)).toBe(0)
    free = true
    expect(await after(20)).toBe(1)
    first().release()
    first().release()
    expect(given).toEqual(['given'])
  })

  test('a call whose turn has gone keeps its place while it waits for another.', async () => {
    const given: string[] = []
    const dues = [0, 0, 300, 0]
    const limiter = limiterOf(
      { requestsPerMinute: 60 },
      { give: () => void given.push('given'), reserve: () => dues.shift() ?? 0 },
    )
    await ask(limiter, 2)
    await after(100)
    const renewed = first().renew(never)
    await after(300)
    expect(await renewed).toBe(true)
    expect(given).toEqual([])
  })

  test('what one of them was asked to wait, and learned, holds here too.', async () => {
    const news = [{ wait: 500 }, { wait: 0, rate: 1 / 1000 }]
    const limiter = limiterOf({}, { news: () => news.shift() ?? { wait: 0 } })
    await ask(limiter, 3)
    expect(await after(499)).toBe(0)
    expect(await after(1)).toBe(1)
    expect(await after(999)).toBe(1)
    expect(await after(1)).toBe(2)
  })

  test('closing ends what was to start and lets the others know.', async () => {
    let isClosed = false
    const limiter = limiterOf({ requestsPerMinute: 60 }, { close: () => void (isClosed = true) })
    await ask(limiter, 2)
    limiter.close()
    expect(await after(5000)).toBe(1)
    expect(isClosed).toBe(true)
  })
})

test('Who was stopped before it asked gets no turn, and takes none from the next.', async () => {
  const limiter = limiterOf({ requestsPerMinute: 60 })
  await expect(limiter.acquire(AbortSignal.abort())).rejects.toMatchObject({ code: 'call/aborted' })
  await ask(limiter)
  expect(started).toHaveLength(1)
})

test('What a call used delays nobody where tokens are not limited.', async () => {
  const limiter = limiterOf({ requestsPerMinute: 60 })
  await ask(limiter)
  // A start that is at most 50 ms late takes nothing from the next.
  await after(1030)
  first().spent(1e6)
  await ask(limiter, 2)
  expect(started).toHaveLength(2)
  expect(await after(971)).toBe(2)
  expect(await after(1)).toBe(3)
})

test('A server that tells more tokens than can be holds the next call back for a minute, no longer.', async () => {
  const limiter = limiterOf({ tokensPerMinute: 60_000 })
  await ask(limiter, 3)
  first().spent(Number.MAX_SAFE_INTEGER)
  first().accepted()
  first().release()
  expect(await after(59_000)).toBe(1)
  expect(await after(1100)).toBe(2)
})

test('The first call of a process waits for the tokens of the others.', async () => {
  await ask(limiterOf({ tokensPerMinute: 60_000 }, { reserve: () => 5000 }))
  expect(await after(4000)).toBe(0)
})
