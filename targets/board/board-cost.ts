import { sumOver } from '../../cache/lists.ts'
import { observedCost } from '../spend/spending.ts'
import { priceOf, type Price, type Prices } from '../../models/prices/price.ts'
import type { TokenUsage } from '../record/completion.ts'
import { timedReplies } from '../record/timed-replies.ts'
import type { RankedTask } from './board-tasks.ts'
import type { Board, Spent } from './board.ts'

/** What the answers of one run took. */
export interface DeploymentUsage {
  readonly deployment: string
  /** Undefined for a run whose files do not tell. */
  readonly usage: TokenUsage | undefined
}

/** The board with what each row's runs took. HELM's costs.json is another thing: it counts dry runs (costs.ts). */
export const withSpending = (board: Board, runs: readonly DeploymentUsage[], prices: Prices): Board => ({
  ...board,
  rows: board.rows.map((row) => {
    const { deployment } = row.model
    const own = runs.filter((run) => run.deployment === deployment)
    return {
      ...row,
      spent: spentOf(
        own.map(({ usage }) => usage),
        priceOf(prices, deployment),
      ),
    }
  }),
})

/** A task with what each row's runs in it took. */
export interface SpentTask extends RankedTask {
  /** In the order of the board's rows. */
  readonly spent: readonly (Spent | null)[]
}

/** The same within each task, over its benchmarks' runs alone. */
export const withTaskSpending = (
  tasks: readonly RankedTask[],
  { rows }: Board,
  runs: readonly (DeploymentUsage & { readonly benchmark: string })[],
  prices: Prices,
): readonly SpentTask[] =>
  tasks.map((task) => ({
    ...task,
    spent: rows.map(({ model: { deployment } }) =>
      spentOf(
        runs.flatMap((run) =>
          run.deployment === deployment && task.benchmarks.includes(run.benchmark) ? [run.usage] : [],
        ),
        priceOf(prices, deployment),
      ),
    ),
  }))

/** US dollars of a thousand answers; null where cost or number is not known. */
export const usdPerThousand = ({ usd, calls }: Pick<Spent, 'usd' | 'calls'>): number | null =>
  usd === null || calls === 0 ? null : (usd / calls) * 1000

/** Null where any of the runs does not tell: a part of a sum is no sum. */
export const spentOf = (
  usages: readonly (TokenUsage | undefined)[],
  price: Price | undefined,
): Spent | null => {
  const known = usages.filter((usage) => usage !== undefined)
  if (known.length === 0 || known.length < usages.length) return null
  const usage = addUsages(known)
  const { calls, seconds } = usage
  const timed = timedReplies(usage)
  return {
    calls,
    ...toldTokens(usage),
    latency: timed === 0 ? null : seconds / timed,
    usd: observedCost(usage, price),
  }
}

/** The tokens of all replies, as a part of a sum is no sum. */
export const toldTokens = ({
  unknown,
  inputTokens,
  outputTokens,
}: TokenUsage): Pick<Spent, 'inputTokens' | 'outputTokens'> =>
  unknown > 0 ? { inputTokens: null, outputTokens: null } : { inputTokens, outputTokens }

/** Sums of one deployment's usages. */
export const addUsages = (usages: readonly TokenUsage[]): TokenUsage => {
  const total = sumOver(usages)
  const [calls, seconds] = [total((usage) => usage.calls), total((usage) => usage.seconds)]
  const untimed = calls - total(timedReplies)
  return {
    calls,
    unknown: total(({ unknown }) => unknown),
    inputTokens: total(({ inputTokens }) => inputTokens),
    cachedInputTokens: total(({ cachedInputTokens }) => cachedInputTokens),
    outputTokens: total(({ outputTokens }) => outputTokens),
    reasoningTokens: total(({ reasoningTokens }) => reasoningTokens),
    seconds,
    ...(untimed > 0 && seconds > 0 && { untimed }),
  }
}
