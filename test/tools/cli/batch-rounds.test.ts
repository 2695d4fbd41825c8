import { expect, onTestFinished, test, vi } from 'vitest'
import { ClientError } from '../../../models/calls/client.ts'
import type { Session } from '../../../tools/session/session.ts'
import { inRounds } from '../../../tools/cli/run/build-runs.ts'

const waiting = [{ id: 'b', deployment: 'a/b', requests: 2, sent: '2026-03-04' }]

const sessionOf = (
  anyEnded: () => Promise<boolean>,
  send: () => readonly unknown[],
  stop: AbortSignal = new AbortController().signal,
): Session => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const batches = { send: async () => send(), anyEnded, idle: () => [], forget: () => undefined }
  return { batches, env: { stop } } as unknown as Session
}

test('A batch that has ended and brings nothing is given up for now, and looked at less and less often until then', async () => {
  const session = sessionOf(
    async () => true,
    () => waiting,
  )
  const built: number[] = []
  const rounds = inRounds(async () => built.push(Date.now()), session, true)
  await vi.advanceTimersByTimeAsync(600_000)
  expect((await rounds).waiting).toEqual(waiting)
  const pauses = built.slice(1).map((time, place) => time - (built[place] ?? 0))
  expect(pauses).toEqual([0, 1000, 2000, 4000, 8000, 16_000, 32_000])
})

test('A server that is out of reach now and then is waited for; one that stays so, or refuses, is told', async () => {
  let looks = 0
  const looked = async (fails: (look: number) => boolean, status = 503): Promise<unknown> => {
    looks = 0
    let sends = 0
    const session = sessionOf(
      async () => {
        looks += 1
        if (fails(looks)) throw new ClientError(`http/${status}`, 'no', { retriable: status === 503, status })
        return looks > 7
      },
      () => ((sends += 1) === 1 ? waiting : []),
    )
    const rounds = inRounds(async () => 'built', session, true).catch((error: unknown) => error)
    await vi.advanceTimersByTimeAsync(3_600_000)
    return rounds
  }
  expect(await looked((look) => look < 7)).toEqual({ ended: 'built', waiting: [], idle: [] })
  expect(await looked(() => true)).toMatchObject({ exitCode: 1, problems: [{ code: 'batch/not-sent' }] })
  expect(looks).toBe(7)
  expect(await looked(() => true, 403)).toMatchObject({ exitCode: 2, problems: [{ code: 'batch/not-sent' }] })
  expect(looks).toBe(1)
})

test('Who is stopped while a look is under way waits for no other one', async () => {
  const given = new AbortController()
  const session = sessionOf(
    async () => {
      given.abort()
      return false
    },
    () => waiting,
    given.signal,
  )
  let isOver = false
  void inRounds(async () => 'built', session, true).then(() => (isOver = true))
  await vi.advanceTimersByTimeAsync(0)
  expect(isOver).toBe(true)
})
