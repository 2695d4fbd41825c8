import { beforeEach, afterEach, describe, expect, test, vi } from 'vitest'
import {
  Availability,
  type ModelEvent,
  DEFAULT_RETRY,
  sleep,
  withRetries,
  type RetryContext,
  type RetryPolicy,
} from '../../models/retry.ts'
import { ClientError, mayLast } from '../../models/calls/client.ts'
import { Limiter, type Turn } from '../../models/limits/limiter.ts'

const policy: RetryPolicy = {
  attempts: 4,
  rejections: 5,
  longestDrought: 1000,
  base: 100,
  longest: 300,
  longestRetryAfter: 5000,
}
const http = (status: number, retryAfter?: number): ClientError =>
  new ClientError(`http/${status}`, 'no', {
    retriable: status === 429 || status >= 500,
    status,
    ...(retryAfter === undefined ? {} : { retryAfter }),
  })
const refused = new ClientError('call/unreached', 'nobody there', { retriable: true })

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

interface Watched {
  readonly outcome: unknown
  /** What limiter and availability were told, in order. */
  readonly told: readonly string[]
  readonly waits: readonly (number | undefined)[]
  /** Which attempt each retry follows. */
  readonly counted: readonly number[]
  readonly milliseconds: number
}

const run = async (
  errors: readonly unknown[],
  {
    drought = [],
    doubted = async () => undefined,
    isOpen = () => true,
    signal = new AbortController().signal,
    given = policy,
  }: {
    readonly drought?: readonly number[]
    readonly doubted?: Availability['doubted']
    readonly isOpen?: () => boolean
    readonly signal?: AbortSignal
    readonly given?: RetryPolicy
  } = {},
): Promise<Watched> => {
  const told: string[] = []
  const events: ModelEvent[] = []
  const droughts = [...drought]
  const turn: Turn = {
    spent: () => undefined,
    accepted: () => void told.push('accepted'),
    rejected: (wait) => void told.push(`rejected ${wait}`),
    drought: () => droughts.shift() ?? 0,
    renew: async () => false,
    release: () => void told.push('released'),
  }
  const limiter = {
    acquire: async () => turn,
    forget: () => void told.push('forgotten'),
  }
  const availability: RetryContext['availability'] = {
    open: async () => undefined,
    isOpen,
    answered: () => void told.push('answered'),
    mayLast,
    doubted: async (failure, check) => {
      told.push(`doubted ${failure.code} ${check.attempts}`)
      return doubted(failure, check)
    },
  }
  let calls = 0
  const started = Date.now()
  const outcome = withRetries(
    async () => {
      told.push('called')
      const error = errors[calls]
      calls += 1
      if (error !== undefined) throw error
      return 'reply'
    },
    {
      deployment: 'd/m',
      policy: given,
      limiter,
      availability,
      check: async () => undefined,
      onStopped: () => undefined,
      signal,
      onEvent: (event) => void events.push(event),
      random: () => 0.5,
    },
  ).then(
    (value: unknown) => ({ value, at: Date.now() }),
    (value: unknown) => ({ value, at: Date.now() }),
  )
  await vi.runAllTimersAsync()
  const { value, at } = await outcome
  return {
    outcome: value,
    told,
    waits: events.map((event) => ('wait' in event ? event.wait : undefined)),
    counted: events.flatMap((event) => (event.type === 'call-retried' ? [event.attempt] : [])),
    milliseconds: at - started,
  }
}

test('A reply is accepted and answered, and its turn ends.', async () => {
  expect(await run([])).toMatchObject({
    outcome: 'reply',
    told: ['called', 'accepted', 'answered', 'released'],
    milliseconds: 0,
  })
})

test('A server’s failure counts as accepted and answered; a lost connection as neither.', async () => {
  const lost = new ClientError('call/connection', 'lost', { retriable: true })
  expect((await run([http(500)])).told.slice(0, 4)).toEqual(['called', 'answered', 'accepted', 'released'])
  expect((await run([lost])).told.slice(0, 2)).toEqual(['called', 'released'])
})

test('Backoff doubles up to the longest, by chance between nothing and that.', async () => {
  const { outcome, waits, milliseconds } = await run([http(500), http(500), http(500)])
  expect(outcome).toBe('reply')
  expect(waits).toEqual([50, 100, 150])
  expect(milliseconds).toBe(300)
})

test('A failure that asks for no wait is tried again later each time, as one that asks for nothing.', async () => {
  const found = await run([http(503, 0), http(503, 0), http(503, 0)])
  expect(found).toMatchObject({ milliseconds: 50 + 100, waits: [0, 50, 100] })
  // Rejections beside it do not count there, and are attempts.
  expect(await run([http(429, 1), http(429, 1), http(503, 0)])).toMatchObject({
    milliseconds: 0,
    counted: [1, 2, 3],
  })
})

test('Failures end with the last error and the number of attempts, its status and cause with it.', async () => {
  const { outcome } = await run([http(500), http(502), http(500), http(503)])
  expect(outcome).toMatchObject({ code: 'http/503', status: 503, attempts: 4, retriable: true })
  const refusal = await run([http(400)])
  expect(refusal).toMatchObject({ waits: [], outcome: { code: 'http/400', attempts: 1 } })
  const lost = new ClientError('call/timeout', 'late', { retriable: false })
  expect(await run([http(429), lost])).toMatchObject({
    outcome: { code: 'call/timeout', attempts: 2, cause: lost },
  })
  expect((await run([lost])).outcome).not.toHaveProperty('status', expect.anything())
})

describe('A rejection', () => {
  test('that asks for a wait pauses the deployment, and this call no longer than the others.', async () => {
    const { told, waits, milliseconds } = await run([http(429, 700)])
    expect(told).toEqual([
      'called',
      'answered',
      'rejected 700',
      'released',
      'called',
      'accepted',
      'answered',
      'released',
    ])
    expect(waits).toEqual([700])
    expect(milliseconds).toBe(0)
  })

  test('that asks for none lets only its own call wait, longer each time.', async () => {
    const { told, milliseconds } = await run([http(429, 0), http(429, 0), http(429, 0)])
    expect(told.filter((each) => each.startsWith('rejected'))).toEqual(Array(3).fill('rejected 0'))
    // None, then half of 100 and of 200.
    expect(milliseconds).toBe(50 + 100)
  })

  test('that says nothing pauses the deployment by the backoff of all tries.', async () => {
    expect((await run([http(500), http(429)])).waits).toEqual([50, 100])
    expect((await run([http(429), http(500)])).waits).toEqual([50, 100])
  })

  test('has a number of its own, and never counts as accepted.', async () => {
    const rejections = Array.from({ length: 5 }, () => http(429, 0))
    expect(await run([...rejections.slice(1), http(500), http(500), http(500)])).toMatchObject({
      outcome: 'reply',
    })
    const ended = await run(rejections)
    expect(ended.outcome).toMatchObject({ code: 'http/429', attempts: 5 })
    expect(ended.told).not.toContain('accepted')
  })

  test('ends the call where nothing was let through for long, and what was learned is forgotten.', async () => {
    const { outcome, told } = await run([http(429, 1), http(429, 1)], { drought: [999, 1000] })
    expect(outcome).toMatchObject({ attempts: 2 })
    expect(told.filter((each) => each === 'forgotten')).toHaveLength(1)
    // A drought says nothing of a failure that is no rejection.
    expect((await run([http(500)], { drought: [5000] })).outcome).toBe('reply')
  })

  test.each([
    ['a wait', 0.001],
    ['none', 0],
  ])(
    'that asks for %s ends each call at once where the limiter let nothing through for long.',
    async (_, wait) => {
      let skipped = 0
      const limiter = new Limiter({}, () => performance.now() + skipped)
      const ask = (): Promise<unknown> =>
        withRetries(
          () => {
            skipped += 400
            return Promise.reject(http(429, wait))
          },
          {
            deployment: 'x',
            policy: { ...policy, rejections: 40 },
            limiter,
            availability: new Availability(),
            check: () => Promise.resolve(),
            onStopped: () => undefined,
            signal: new AbortController().signal,
            onEvent: () => undefined,
            random: () => 0.5,
          },
        ).catch((error: unknown) => error)
      const [first, second] = [ask(), vi.runAllTimersAsync().then(ask)]
      await vi.runAllTimersAsync()
      expect(await first).toMatchObject({ code: 'http/429', attempts: 4 })
      expect(await second).toMatchObject({ code: 'http/429', attempts: 1 })
    },
  )

  test('that asks for too long a wait fails at once and says how long.', async () => {
    expect((await run([http(429, 5000)])).outcome).toBe('reply')
    expect((await run([http(503, 5001)])).outcome).toMatchObject({
      code: 'call/retry-after',
      message: 'the server asks to wait 5 s',
      retriable: true,
      attempts: 1,
    })
  })
})

describe('A failure that all calls may meet', () => {
  test('is looked into first, and then tried again.', async () => {
    const { told, outcome } = await run([refused])
    expect(told.slice(0, 3)).toEqual(['called', 'doubted call/unreached 4', 'released'])
    expect(outcome).toBe('reply')
    expect((await run([http(401)])).told).toEqual(['called', 'doubted http/401 4', 'accepted', 'released'])
  })

  test('ends the call with what the check found, and with a problem of the check as it is.', async () => {
    const stopped = await run([http(500), refused], { doubted: () => Promise.reject(http(401)) })
    expect(stopped.outcome).toMatchObject({ code: 'http/401', attempts: 2 })
    const problem = new Error('of the check')
    expect((await run([refused], { doubted: () => Promise.reject(problem) })).outcome).toBe(problem)
  })

  test('is not looked into once the run is stopped.', async () => {
    const stop = new AbortController()
    stop.abort()
    const { told, outcome } = await run([refused], { signal: stop.signal })
    expect(told).toEqual(['called', 'released'])
    expect(outcome).toMatchObject({ code: 'call/unreached', attempts: 1 })
  })
})

test('A turn that came too late, while the deployment is looked into, goes back and is asked for anew.', async () => {
  const open = [false, true]
  expect((await run([], { isOpen: () => open.shift() ?? true })).told).toEqual([
    'released',
    'called',
    'accepted',
    'answered',
    'released',
  ])
})

test('A fault of ours is no failure of the server: it ends the call, and the turn.', async () => {
  const fault = new TypeError('ours')
  expect(await run([fault])).toMatchObject({ outcome: fault, told: ['called', 'released'] })
})

test('A wait that is given up ends at once, and nothing is left that a process would have to wait for.', async () => {
  const stop = new AbortController()
  const end = sleep(60_000, stop.signal)
  stop.abort()
  await expect(end).rejects.toMatchObject({ code: 'call/aborted' })
  expect(vi.getTimerCount()).toBe(0)
})

test('The policy that rules where none is given.', () => {
  expect(DEFAULT_RETRY).toEqual({
    attempts: 6,
    rejections: 40,
    longestDrought: 120_000,
    base: 500,
    longest: 30_000,
    longestRetryAfter: 120_000,
  })
})
