import { EXIT, ProblemError, type Problem } from '../../cache/problems/problem.ts'
import type { Prices } from '../../models/prices/price.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import type { Tokenizer } from '../../models/tokenizers/tokenizer.ts'
import { callCeiling, type Reservation, type Spending } from './spending.ts'
import {
  type Cap,
  addAmounts,
  amountOf,
  minus,
  plus,
  roomFor,
  type Account,
  type Amounts,
  type Room,
} from './cap.ts'
import type { LedgerEntry } from './ledger.ts'

/** A cap cannot be held where nobody knows what a call costs. */
export const noPrice = (
  { name, file }: Pick<ModelDeployment, 'name' | 'file'>,
  caps: readonly Cap[],
): Problem => ({
  code: 'spend/no-price',
  message: `${name} has no price, so ${caps[0]?.name ?? 'the cap'} cannot be held`,
  where: { file },
  remedy: `Add to a models/*.yaml, in US dollars per million tokens (0 where it costs nothing): \`prices: [{ deployment: ${name}, input: …, output: …, date: YYYY-MM-DD, source: … }]\`.`,
})

/** What a session holds of its budget, beside what the stages see. */
export interface SessionSpending extends Spending {
  readonly caps: readonly Cap[]
  /** What to tell once a cap stopped the run; undefined while none did. Its exit code is 4. */
  readonly problem: () => ProblemError | undefined
}

interface SpendingOptions extends CappedBudgetOptions {
  readonly run: string
  readonly prices: Prices
  readonly tokenizer: (deployment: ModelDeployment) => Promise<Tokenizer | undefined>
  /** Of earlier runs, as far as it can be read; asked for only under a cap. */
  readonly ledger: () => Promise<Iterable<LedgerEntry>>
  readonly stop: AbortSignal
  /** Begins no new work; calls in flight are paid for and may end. */
  readonly onReached: () => void
}

export const createSpending = (options: SpendingOptions): SessionSpending => {
  const { run, caps, prices, stop } = options
  const budget = createCappedBudget(options)
  const overruns = createOverruns(options.ledger)
  let reached: { readonly cap: Cap; readonly spent: number; readonly ceiling: number } | undefined
  const reserve = async (deployment: string, bound: number): Promise<Reservation | undefined> => {
    for (;;) {
      if (reached !== undefined || stop.aborted) return undefined
      const changed = budget.changed()
      const ceiling = bound + (await overruns.of(deployment))
      const { room, day } = await budget.take(deployment, ceiling)
      if (room.kind === 'fits')
        return {
          bound,
          ceiling,
          settle: settling(ceiling, (usd, call) => {
            overruns.seen(deployment, usd - bound)
            budget.settle(deployment, day, call)
          }),
        }
      if (room.kind === 'over') {
        reached ??= { cap: room.cap, spent: budget.spent(room.cap, day), ceiling }
        options.onReached()
        budget.wake()
        return undefined
      }
      await changed
    }
  }
  return {
    run,
    caps,
    priceOf: (deployment) => prices.get(deployment),
    mayBegin: () => Promise.resolve(!stop.aborted),
    problem: () => (reached === undefined ? undefined : capReached(reached)),
    reserve: async (deployment, request) => {
      const price = prices.get(deployment.name)
      if (caps.length > 0) {
        if (price === undefined) throw new ProblemError(noPrice(deployment, caps))
        const tokenizer = await options.tokenizer(deployment)
        return reserve(deployment.name, callCeiling(request, deployment, price, tokenizer))
      }
      // No tokenizer is opened only to tell what a call could have cost.
      const bound = price === undefined ? null : callCeiling(request, deployment, price, undefined)
      return { bound, ceiling: bound, settle: () => undefined }
    },
  }
}

/**
 * What is reserved is given back once; a later word on the same call changes only what the word before it said.
 * @param settle is given all that the call cost, and what the word changes
 */
const settling = (
  ceiling: number,
  settle: (usd: number, change: { readonly ceiling: number; readonly usd: number }) => void,
): ((usd: number) => void) => {
  let [held, told] = [ceiling, 0]
  return (usd) => {
    settle(usd, { ceiling: held, usd: usd - told })
    held = 0
    told = usd
  }
}

const capReached = ({
  cap,
  spent,
  ceiling,
}: {
  readonly cap: Cap
  readonly spent: number
  readonly ceiling: number
}): ProblemError => {
  const when = cap.period === 'day' ? 'today (UTC)' : 'in this run'
  const whom = cap.deployment === undefined ? '' : ` on ${cap.deployment}`
  return new ProblemError(
    {
      code: 'spend/cap-reached',
      message: `${spent.toFixed(6)} USD are spent or set aside${whom} ${when}, and the next call may cost ${ceiling.toFixed(6)}: ${cap.name} is ${cap.usd} USD`,
      where: { field: cap.name },
      remedy: `Every reply is kept. Raise ${cap.name}${cap.period === 'day' ? ' or wait for tomorrow' : ''} and run again to go on; \`medmake estimate\` tells what is left.`,
    },
    { exitCode: EXIT.spendingCap },
  )
}

/**
 * By how much calls of a deployment cost more than their requests allow: tokens of hidden reasoning that `max_tokens` does
 * not bound, a prompt that the provider writes before ours. What was seen once is reserved for each later call.
 */
interface Overruns {
  /** US dollars to reserve above a call's own bound. */
  of(deployment: string): Promise<number>
  /** Tells what a call cost above its own bound. */
  seen(deployment: string, usd: number): void
}

/** @param ledger entries of earlier runs, read with the first question */
const createOverruns = (
  ledger: () => Promise<Iterable<Pick<LedgerEntry, 'deployment' | 'usd' | 'ceiling'>>>,
): Overruns => {
  const greatest = new Map<string, number>()
  const seen = (deployment: string, usd: number): void => {
    if (usd > (greatest.get(deployment) ?? 0)) greatest.set(deployment, usd)
  }
  const read = async (): Promise<void> => {
    for (const { deployment, usd, ceiling } of await ledger())
      if (usd !== null && ceiling !== null) seen(deployment, usd - ceiling)
  }
  let reading: Promise<void> | undefined
  return {
    seen,
    of: async (deployment) => {
      await (reading ??= read())
      return greatest.get(deployment) ?? 0
    },
  }
}

/** What all runs on one store spend in a day. */
export interface DayAccounts {
  /** Runs `decide` while no other process does, with what the other runs of that day have spent and reserved. */
  exclusively<T>(day: string, decide: (others: Account) => T): Promise<T>
  /** Writes this run's own row. */
  write(day: string, own: Account): void
}

interface CappedBudgetOptions {
  readonly caps: readonly Cap[]
  /** Asked only where a cap is by day. */
  readonly days: DayAccounts
  readonly now: () => number
  /** What counts as this run's before its first call: of a task that is tried again. */
  readonly before?: () => Promise<Amounts>
}

/** What a run spent and may still spend. US dollars. */
interface CappedBudget {
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
