import { EXIT, ProblemError, type Problem } from '../../cache/problems/problem.ts'
import type { Prices } from '../../models/prices/price.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import type { Tokenizer } from '../../models/tokenizers/tokenizer.ts'
import { callCeiling } from './call-bound.ts'
import type { Cap } from './cap.ts'
import type { Reservation, Spending } from './spending.ts'
import type { LedgerEntry } from './ledger.ts'
import { createCappedBudget, type CappedBudgetOptions } from './capped-budget.ts'

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

export interface SpendingOptions extends CappedBudgetOptions {
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
          settle: once((usd) => {
            overruns.seen(deployment, usd - bound)
            budget.settle(deployment, day, { ceiling, usd })
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

const once = (settle: (usd: number) => void): ((usd: number) => void) => {
  let open = true
  return (usd) => {
    if (open) settle(usd)
    open = false
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
      message: `${spent.toFixed(6)} USD were spent${whom} ${when}, and the next call may cost ${ceiling.toFixed(6)}: ${cap.name} is ${cap.usd} USD`,
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
