import { expect, test } from 'vitest'
import type { Event } from '../../../targets/event.ts'
import { createMoneyTally, type Money } from '../../../targets/spend/spending.ts'

const NONE: Money = {
  spent: 0,
  unknownCalls: 0,
  uncertain: 0,
  uncertainAttempts: 0,
  overruns: 0,
  overrun: 0,
  impossibleUsages: 0,
  saved: 0,
  reused: 0,
  unknownReused: 0,
}
const of = { target: 't', deployment: 'd' }
const moneyOf = (...events: readonly Event[]): Money => {
  const tally = createMoneyTally()
  for (const event of events) tally.on(event)
  return tally.result()
}

test('What a run’s events tell of money is added up, and what is not known is counted beside the sums.', () => {
  expect(moneyOf()).toEqual(NONE)
  const calls = [0.5, null, 0.25, null].map((usd) => ({ type: 'provider-call', ...of, usd }) as const)
  expect(moneyOf(...calls)).toEqual({ ...NONE, spent: 0.75, unknownCalls: 2 })
  const uncertain = (usd: number | null): Event => ({ type: 'call-uncertain', target: 't', usd })
  expect(moneyOf(uncertain(1), uncertain(2))).toEqual({ ...NONE, uncertain: 3, uncertainAttempts: 2 })
  expect(moneyOf(uncertain(1), uncertain(null), uncertain(2))).toMatchObject({
    uncertain: null,
    uncertainAttempts: 3,
  })
  const overran = { type: 'call-overran', ...of, usd: 0.5 } as const
  expect(moneyOf(overran, overran)).toEqual({ ...NONE, overruns: 2, overrun: 1 })
  const impossible = { type: 'usage-impossible', ...of } as const
  expect(moneyOf(impossible, impossible)).toEqual({ ...NONE, impossibleUsages: 2 })
  const reused = (replies: number, usd: number | null): Event => ({
    type: 'replies-reused',
    target: 't',
    replies,
    usd,
  })
  expect(moneyOf(reused(3, 0.5), reused(5, null), reused(1, 1))).toEqual({
    ...NONE,
    saved: 1.5,
    reused: 9,
    unknownReused: 5,
  })
})
