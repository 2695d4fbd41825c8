import {
  addAmounts,
  amountOf,
  minus,
  plus,
  roomFor,
  type Account,
  type Amounts,
  type Cap,
  type Room,
} from './cap.ts'

/** What all runs on one store spend in a day. */
export interface DayAccounts {
  /** Runs `decide` while no other process does, with what the other runs of that day have spent and reserved. */
  exclusively<T>(day: string, decide: (others: Account) => T): Promise<T>
  /** Writes this run's own row. */
  write(day: string, own: Account): void
}

export interface CappedBudgetOptions {
  readonly caps: readonly Cap[]
  /** Asked only where a cap is by day. */
  readonly days: DayAccounts
  readonly now: () => number
  /** What counts as this run's before its first call: of a task that is tried again. */
  readonly before?: () => Promise<Amounts>
}

/** What a run spent and may still spend. US dollars. */
export interface CappedBudget {
  /** Reserves `ceiling` where there is room for it. */
  take(deployment: string, ceiling: number): Promise<{ readonly room: Room; readonly day: string }>
  /** Puts what a call cost in the place of what was reserved on that day. */
  settle(deployment: string, day: string, call: { readonly ceiling: number; readonly usd: number }): void
  /** Resolves when a call has ended; now and then where calls of other processes may have. */
  changed(): Promise<void>
  /** Lets all that wait look again. */
  wake(): void
  /** What a cap has counted so far. */
  spent(cap: Cap, day: string): number
}

const NOTHING: Account = { settled: new Map(), reserved: new Map() }
/** Between two looks at what other processes have in flight, milliseconds. */
const PATIENCE = 50

/** The money itself: one decision at a time, under the caps of the run and of the day. */
export const createCappedBudget = ({ caps, days, now, before }: CappedBudgetOptions): CappedBudget => {
  let own = NOTHING
  /** This run's part of a day, and what others were last seen to have spent. */
  const byDay = new Map<string, Account>()
  const seen = new Map<string, Account>()
  const isByDay = caps.some(({ period }) => period === 'day')
  let turn: Promise<unknown> | undefined
  const waiters = createWaiters(isByDay ? PATIENCE : undefined)
  let broken: { readonly error: unknown } | undefined
  const start = async (): Promise<void> => {
    const settled = await before?.().catch((error: unknown) => void (broken = { error }))
    own = { ...own, settled: settled ?? own.settled }
  }
  const change = (day: string, update: (account: Account) => Account): void => {
    own = update(own)
    if (!isByDay) return
    const account = update(byDay.get(day) ?? NOTHING)
    byDay.set(day, account)
    days.write(day, account)
  }
  const decide = (deployment: string, ceiling: number, day: string, others: Account): Room => {
    if (broken !== undefined) throw broken.error
    seen.set(day, others)
    const room = roomFor({ deployment, ceiling }, caps, { run: own, day: sumOf(others, byDay.get(day)) })
    if (room.kind === 'fits')
      change(day, ({ settled, reserved }) => ({ settled, reserved: plus(reserved, deployment, ceiling) }))
    return room
  }
  return {
    wake: waiters.wake,
    changed: waiters.wait,
    take: (deployment, ceiling) => {
      const day = new Date(now()).toISOString().slice(0, 10)
      const mine = (turn ?? start()).then(async () => ({
        day,
        room: isByDay
          ? await days.exclusively(day, (others) => decide(deployment, ceiling, day, others))
          : decide(deployment, ceiling, day, NOTHING),
      }))
      turn = mine.catch(() => undefined)
      return mine
    },
    settle: (deployment, day, { ceiling, usd }) => {
      try {
        change(day, ({ settled, reserved }) => ({
          settled: plus(settled, deployment, usd),
          reserved: minus(reserved, deployment, ceiling),
        }))
      } catch (error) {
        // The reply is paid for and must be kept; the next call is not made.
        broken = { error }
      }
      waiters.wake()
    },
    spent: (cap, day) =>
      amountOf(
        cap.period === 'run' ? own.settled : sumOf(seen.get(day) ?? NOTHING, byDay.get(day)).settled,
        cap,
      ),
  }
}

const sumOf = (a: Account, b: Account = NOTHING): Account => {
  const both = (x: Amounts, y: Amounts): Amounts => addAmounts([x, y])
  return { settled: both(a.settled, b.settled), reserved: both(a.reserved, b.reserved) }
}

/** Lets several wait for one thing to happen. */
interface Waiters {
  /** Resolves when they are woken, and after `patience` milliseconds in any case where there is one. */
  readonly wait: () => Promise<void>
  readonly wake: () => void
}

const createWaiters = (patience: number | undefined): Waiters => {
  const waiting: (() => void)[] = []
  return {
    wait: () =>
      new Promise((resolve) => {
        const timer = patience === undefined ? undefined : setTimeout(resolve, patience)
        waiting.push(() => {
          clearTimeout(timer)
          resolve()
        })
      }),
    wake: () => {
      for (const each of waiting.splice(0)) each()
    },
  }
}
