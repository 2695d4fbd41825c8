import { describe, expect, it, vi } from 'vitest'
import { Availability } from '../../models/retry.ts'
import { ClientError } from '../../models/calls/client.ts'

const never = new AbortController().signal
const http = (status: number): ClientError =>
  new ClientError(`http/${status}`, `status ${status}`, { retriable: false, status })
const refused = (): ClientError => new ClientError('call/unreached', 'refused', { retriable: true })

/** What the checks give, in turn; then they go well. */
const checked = (availability: Availability, results: readonly (ClientError | undefined)[] = []) => {
  const stopped: ClientError[] = []
  let calls = 0
  const call = (): Promise<void> => {
    const failure = results[calls]
    calls += 1
    return failure === undefined ? Promise.resolve() : Promise.reject(failure)
  }
  const onStopped = (error: ClientError): void => void stopped.push(error)
  return {
    doubt: (failure: ClientError) =>
      availability
        .doubted(failure, { call, attempts: 4, signal: never, onStopped })
        .catch((thrown: unknown) => thrown),
    calls: () => calls,
    stopped,
  }
}

describe('a deployment', () => {
  it('is stopped once for all calls when the check fails as they did', async () => {
    const availability = new Availability()
    const { doubt, calls, stopped } = checked(availability, [http(401)])
    const ends = await Promise.all([1, 2, 3].map(() => doubt(http(401))))
    expect(ends).toEqual([1, 2, 3].map(() => expect.objectContaining({ code: 'http/401' }) as unknown))
    expect([calls(), stopped.length, availability.isOpen()]).toEqual([1, 1, false])
    await expect(availability.open(never)).rejects.toMatchObject({ code: 'http/401', status: 401 })
  })

  it('goes on when the check is answered, and is checked less often for more of the same', async () => {
    const availability = new Availability()
    const { doubt, calls } = checked(availability)
    for (let failure = 0; failure < 100; failure += 1) expect(await doubt(http(403))).toBeUndefined()
    expect(calls()).toBe(6)
    // From then on every 64th.
    for (let failure = 100; failure < 1000; failure += 1) await doubt(http(403))
    expect(calls()).toBe(20)
    expect(availability.isOpen()).toBe(true)
    await availability.open(never)
  })

  it('is stopped for replies that can’t be read where it never sent another', async () => {
    const unread = new ClientError('reply/malformed', 'a page', { retriable: true })
    const availability = new Availability()
    expect(availability.mayLast(unread)).toBe(true)
    const { doubt } = checked(availability, [unread, unread])
    expect(await doubt(unread)).toBe(unread)
    const known = new Availability()
    known.answered()
    expect(known.mayLast(unread)).toBe(false)
  })

  it('lets no call begin while it is checked, and none at all that was given up', async () => {
    const availability = new Availability()
    const told: string[] = []
    const { doubt } = checked(availability)
    const end = doubt(http(403)).then(() => told.push('checked'))
    await Promise.all([availability.open(never).then(() => told.push('opened')), end])
    expect(told).toEqual(['checked', 'opened'])
    await expect(availability.open(AbortSignal.abort())).rejects.toMatchObject({ code: 'call/aborted' })
  })

  it('goes on when another call was answered meanwhile', async () => {
    const availability = new Availability()
    const { doubt } = checked(availability, [http(404)])
    const end = doubt(http(404))
    availability.answered()
    expect(await end).toBeUndefined()
    expect(availability.isOpen()).toBe(true)
  })

  it.each([http(500), http(429), new ClientError('call/timeout', 'late', { retriable: true })])(
    'goes on when its check meets what another call need not, such as %s',
    async (passing) => {
      const availability = new Availability()
      const { doubt, stopped } = checked(availability, [passing])
      expect(await doubt(http(401))).toBeUndefined()
      expect([stopped, availability.isOpen()]).toEqual([[], true])
    },
  )

  it('that never answered is looked for once, one that did as often as a call is tried', async () => {
    vi.useFakeTimers()
    try {
      const down = Array.from({ length: 9 }, refused)
      const fresh = checked(new Availability(), down)
      const end = fresh.doubt(refused())
      await vi.advanceTimersByTimeAsync(1000)
      expect(await end).toMatchObject({ code: 'call/unreached' })
      expect(fresh.calls()).toBe(1)
      const known = new Availability()
      known.answered()
      const again = checked(known, down)
      const later = again.doubt(refused())
      await vi.advanceTimersByTimeAsync(3500)
      expect(await later).toMatchObject({ code: 'call/unreached' })
      expect(again.calls()).toBe(3)
    } finally {
      vi.useRealTimers()
    }
  })

  it('that refuses is stopped at once though its check does not reach it, and one that was found is doubted anew', async () => {
    vi.useFakeTimers()
    try {
      const refusing = new Availability()
      refusing.answered()
      const gone = checked(refusing, Array.from({ length: 9 }, refused))
      expect(await gone.doubt(http(403))).toMatchObject({ message: 'refused' })
      expect(gone.calls()).toBe(1)
      // One that comes up again and refuses is looked for no more.
      const back = new Availability()
      back.answered()
      const refusedThen = checked(back, [refused(), http(401), refused()])
      const stopped = refusedThen.doubt(refused())
      await vi.advanceTimersByTimeAsync(9000)
      expect([await stopped, refusedThen.calls()]).toEqual([expect.objectContaining({ status: 401 }), 2])
      const availability = new Availability()
      const { doubt, calls } = checked(availability)
      for (let failure = 0; failure < 3; failure += 1) await doubt(http(403))
      expect(calls()).toBe(2)
      // The row is long by now; a server that was away and came back begins a new one.
      for (let failure = 0; failure < 4; failure += 1) {
        const end = doubt(refused())
        await vi.advanceTimersByTimeAsync(1000)
        await end
      }
      const before = calls()
      await doubt(http(403))
      expect(calls()).toBe(before + 1)
    } finally {
      vi.useRealTimers()
    }
  })

  it('that comes up again while it is looked for is asked on', async () => {
    vi.useFakeTimers()
    try {
      const availability = new Availability()
      availability.answered()
      const { doubt, calls } = checked(availability, [refused(), undefined])
      const end = doubt(refused())
      await vi.advanceTimersByTimeAsync(1500)
      expect(await end).toBeUndefined()
      expect([calls(), availability.isOpen()]).toEqual([2, true])
    } finally {
      vi.useRealTimers()
    }
  })
})
