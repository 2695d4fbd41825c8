import { describe, expect, it } from 'vitest'
import { Availability, type ModelEvent, withRetries, type RetryPolicy } from '../../models/retry.ts'
import { ClientError } from '../../models/calls/client.ts'
import { Limiter } from '../../models/limits/limiter.ts'

const policy: RetryPolicy = {
  attempts: 3,
  rejections: 5,
  longestDrought: 1000,
  base: 1,
  longest: 4,
  longestRetryAfter: 50,
}

const CHECKS = {
  availability: new Availability(),
  check: () => Promise.resolve(),
  onStopped: () => undefined,
}

const run = async (errors: readonly ClientError[]) => {
  const events: ModelEvent[] = []
  let calls = 0
  const outcome = await withRetries(
    () => {
      const error = errors[calls]
      calls += 1
      return error === undefined ? Promise.resolve('reply') : Promise.reject(error)
    },
    {
      deployment: 'x',
      policy,
      limiter: new Limiter({}),
      ...CHECKS,
      signal: new AbortController().signal,
      onEvent: (event) => events.push(event),
      random: () => 0.5,
    },
  ).catch((error: unknown) => error)
  return { outcome, calls, events }
}

const http = (status: number, retryAfter?: number): ClientError =>
  new ClientError(`http/${status}`, 'no', {
    retriable: status === 429 || status >= 500,
    status,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })

describe('retries', () => {
  it('go on after server errors until a reply comes', async () => {
    expect(await run([http(500), http(503)])).toMatchObject({ outcome: 'reply', calls: 3 })
  })

  it('back off exponentially with jitter', async () => {
    const { events } = await run([http(500), http(500)])
    expect(events.map((event) => ('wait' in event ? event.wait : undefined))).toEqual([0.5, 1])
  })

  it('end after the attempts of the policy with the last error and their number', async () => {
    const { outcome, calls } = await run([http(500), http(500), http(503), http(500)])
    expect(calls).toBe(3)
    expect(outcome).toMatchObject({ code: 'http/503', attempts: 3 })
  })

  it('do not happen for other client errors', async () => {
    expect(await run([http(400)])).toMatchObject({ calls: 1, outcome: { code: 'http/400', attempts: 1 } })
  })

  it('count rejections apart from failures', async () => {
    expect(await run([http(429, 0), http(429, 0), http(429, 0), http(500)])).toMatchObject({
      outcome: 'reply',
      calls: 5,
    })
  })

  it('end where a deployment has let nothing through for long, and then at the first rejection', async () => {
    let skipped = 0
    const limiter = new Limiter({}, () => performance.now() + skipped)
    let calls = 0
    const ask = () =>
      withRetries(
        () => {
          calls += 1
          skipped += 400
          return Promise.reject(http(429, 0.001))
        },
        {
          deployment: 'x',
          policy: { ...policy, rejections: 40 },
          limiter,
          ...CHECKS,
          signal: new AbortController().signal,
          onEvent: () => undefined,
          random: () => 0.5,
        },
      ).catch((error: unknown) => error)
    expect(await ask()).toMatchObject({ code: 'http/429', attempts: 4 })
    expect(await ask()).toMatchObject({ code: 'http/429', attempts: 1 })
    expect(calls).toBe(5)
  })

  it('obey Retry-After up to a limit and fail above it', async () => {
    const { events } = await run([http(429, 7)])
    expect(events[0]).toMatchObject({ wait: 7 })
    expect(await run([http(429, 51)])).toMatchObject({ calls: 1, outcome: { code: 'call/retry-after' } })
  })
})
