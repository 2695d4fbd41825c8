import { expect, onTestFinished, test, vi } from 'vitest'
import type { Session } from '../../../tools/session/session.ts'
import { inRounds } from '../../../tools/cli/run/build-runs.ts'

test('A batch that has ended and brings nothing is given up for now, and looked at less and less often until then', async () => {
  vi.useFakeTimers()
  onTestFinished(() => void vi.useRealTimers())
  const waiting = [{ id: 'b', deployment: 'a/b', requests: 2, sent: '2026-03-04' }]
  const batches = { send: async () => waiting, anyEnded: async () => true, forget: () => undefined }
  const session = { batches, env: { stop: new AbortController().signal } } as unknown as Session
  const built: number[] = []
  const rounds = inRounds(async () => built.push(Date.now()), session, true)
  await vi.advanceTimersByTimeAsync(600_000)
  expect((await rounds).waiting).toEqual(waiting)
  const pauses = built.slice(1).map((time, place) => time - (built[place] ?? 0))
  expect(pauses).toEqual([0, 1000, 2000, 4000, 8000, 16_000, 32_000])
})
