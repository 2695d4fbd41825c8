import { describe, expect, it, vi } from 'vitest'
import { Limiter } from '../../../models/limits/limiter.ts'

const never = new AbortController().signal
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

describe('a limiter', () => {
  it('lets so many through at a time, first come first served', async () => {
    const limiter = new Limiter({ concurrency: 2 })
    const started: number[] = []
    const releases: (() => void)[] = []
    for (const each of [0, 1, 2, 3])
      void limiter.acquire(never).then((turn) => {
        started.push(each)
        return releases.push(() => turn.release())
      })
    await turn()
    expect(started).toEqual([0, 1])
    releases[0]?.()
    releases[0]?.()
    await turn()
    expect(started).toEqual([0, 1, 2])
  })

  it('gives up waiting when the run is stopped and passes the turn on', async () => {
    const limiter = new Limiter({ concurrency: 1 })
    const turn = await limiter.acquire(never)
    const stop = new AbortController()
    const waiting = limiter.acquire(stop.signal)
    const next = limiter.acquire(never)
    stop.abort()
    await expect(waiting).rejects.toMatchObject({ code: 'call/aborted' })
    turn.release()
    await expect(next).resolves.toHaveProperty('release')
  })

  it('spaces requests evenly over a minute', async () => {
    let now = 0
    const limiter = new Limiter({ requestsPerMinute: 60_000_000 }, () => now)
    await limiter.acquire(never)
    let second = false
    void limiter.acquire(never).then(() => (second = true))
    await turn()
    expect(second).toBe(false)
    now = 1
    await vi.waitFor(() => expect(second).toBe(true))
  })
})
