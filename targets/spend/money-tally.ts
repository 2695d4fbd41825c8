import type { Event } from '../event.ts'

/** What a run's events tell of money. US dollars. */
export interface MoneyTally {
  readonly on: (event: Event) => void
  readonly result: () => Money
}

/** Sums leave out what is not known; the counts beside them tell of how many calls that is. */
export interface Money {
  readonly spent: number
  readonly unknownCalls: number
  /** The most that attempts without a reply may have cost; null where that is not known of one. */
  readonly uncertain: number | null
  readonly uncertainAttempts: number
  /** Replies that cost more than their requests allow, and by how much in all. */
  readonly overruns: number
  readonly overrun: number
  /** Replies whose token counts cannot be; their cost is not known. */
  readonly impossibleUsages: number
  /** What asking for the reused replies again would cost. */
  readonly saved: number
  readonly reused: number
  readonly unknownReused: number
}

export const createMoneyTally = (): MoneyTally => {
  let money: Money = {
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
  return {
    on: (event) => {
      money = added(money, event)
    },
    result: () => money,
  }
}

const added = (money: Money, event: Event): Money => {
  switch (event.type) {
    case 'provider-call':
      return {
        ...money,
        spent: money.spent + (event.usd ?? 0),
        unknownCalls: money.unknownCalls + (event.usd === null ? 1 : 0),
      }
    case 'call-uncertain':
      return {
        ...money,
        uncertain: money.uncertain === null || event.usd === null ? null : money.uncertain + event.usd,
        uncertainAttempts: money.uncertainAttempts + 1,
      }
    case 'call-overran':
      return { ...money, overruns: money.overruns + 1, overrun: money.overrun + event.usd }
    case 'usage-impossible':
      return { ...money, impossibleUsages: money.impossibleUsages + 1 }
    case 'replies-reused':
      return {
        ...money,
        saved: money.saved + (event.usd ?? 0),
        reused: money.reused + event.replies,
        unknownReused: money.unknownReused + (event.usd === null ? event.replies : 0),
      }
    default:
      return money
  }
}
