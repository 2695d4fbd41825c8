import { expect, it, vi } from 'vitest'
import type { Cap } from '../../../targets/spend/cap.ts'
import { type DayAccounts, createCappedBudget } from '../../../targets/spend/capped-spending.ts'

const NOON = Date.UTC(2026, 0, 31, 12)
const NOBODY = { settled: new Map<string, number>(), reserved: new Map<string, number>() }
const days = (over: Partial<DayAccounts> = {}): DayAccounts => ({
  exclusively: (_, decide) => Promise.resolve(decide(NOBODY)),
  write: () => undefined,
  ...over,
})
const cap = (period: Cap['period']): Cap => ({ period, usd: 1, name: 'cap' })

it('makes room again when a call cost less than it might have', async () => {
  const budget = createCappedBudget({ caps: [cap('run')], days: days(), now: () => NOON })
  const { day } = await budget.take('a', 0.6)
  expect((await budget.take('a', 0.6)).room.kind).toBe('wait')
  const changed = budget.changed()
  budget.settle('a', day, { ceiling: 0.6, usd: 0.1 })
  await changed
  expect((await budget.take('a', 0.6)).room.kind).toBe('fits')
  expect(budget.spent(cap('run'), day)).toBeCloseTo(0.1, 12)
})

it('lets no two calls asked for at once take the same room', async () => {
  const budget = createCappedBudget({ caps: [cap('run')], days: days(), now: () => NOON })
  const taken = await Promise.all([1, 2, 3].map(() => budget.take('a', 0.4)))
  expect(taken.map(({ room }) => room.kind)).toEqual(['fits', 'fits', 'wait'])
})

it('begins anew at midnight UTC', async () => {
  let now = NOON
  const budget = createCappedBudget({ caps: [cap('day')], days: days(), now: () => now })
  const { day } = await budget.take('a', 0.9)
  budget.settle('a', day, { ceiling: 0.9, usd: 0.9 })
  expect((await budget.take('a', 0.9)).room.kind).toBe('over')
  now += 12 * 3600 * 1000
  expect(await budget.take('a', 0.9)).toMatchObject({ room: { kind: 'fits' }, day: '2026-02-01' })
})

it('makes no further call once it cannot tell others what it spends', async () => {
  let fails = false
  const write = (): void => {
    if (fails) throw new Error('disk full')
  }
  const budget = createCappedBudget({ caps: [cap('day')], days: days({ write }), now: () => NOON })
  const { day } = await budget.take('a', 0.1)
  fails = true
  expect(() => budget.settle('a', day, { ceiling: 0.1, usd: 0.1 })).not.toThrow()
  // Also not once it could again: others were never told.
  fails = false
  await expect(budget.take('a', 0.1)).rejects.toThrow('disk full')
})

it('counts what was spent before: of a run its own attempts', async () => {
  const before = () => Promise.resolve(new Map([['a', 0.7]]))
  const budget = createCappedBudget({ caps: [cap('run')], days: days(), now: () => NOON, before })
  const { day, room } = await budget.take('a', 0.4)
  expect([room.kind, (await budget.take('a', 0.2)).room.kind]).toEqual(['over', 'fits'])
  expect(budget.spent(cap('run'), day)).toBe(0.7)
})

it('counts in a day what others spent, and in a run nothing of that', async () => {
  const others = { settled: new Map([['a', 0.5]]), reserved: new Map<string, number>() }
  const exclusively: DayAccounts['exclusively'] = (_, decide) => Promise.resolve(decide(others))
  const budget = createCappedBudget({ caps: [cap('day')], days: days({ exclusively }), now: () => NOON })
  const { day } = await budget.take('a', 0.25)
  budget.settle('a', day, { ceiling: 0.25, usd: 0.25 })
  expect([budget.spent(cap('day'), day), budget.spent(cap('run'), day)]).toEqual([0.75, 0.25])
  expect((await budget.take('a', 0.5)).room.kind).toBe('over')
})

it('makes no call where what was spent before can’t be read', async () => {
  const before = () => Promise.reject(new Error('no ledger'))
  const budget = createCappedBudget({ caps: [cap('run')], days: days(), now: () => NOON, before })
  for (const _ of [1, 2]) await expect(budget.take('a', 0.1)).rejects.toThrow('no ledger')
})

it('looks again after a while where other processes may have ended calls, and else only when woken', async () => {
  vi.useFakeTimers()
  try {
    const woken = async (period: Cap['period']): Promise<boolean> => {
      const budget = createCappedBudget({ caps: [cap(period)], days: days(), now: () => NOON })
      let isWoken = false
      void budget.changed().then(() => (isWoken = true))
      await vi.advanceTimersByTimeAsync(49)
      expect(isWoken).toBe(false)
      await vi.advanceTimersByTimeAsync(1000)
      return isWoken
    }
    expect([await woken('day'), await woken('run')]).toEqual([true, false])
  } finally {
    vi.useRealTimers()
  }
})
