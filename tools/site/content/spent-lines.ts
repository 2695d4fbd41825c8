import { toldTokens } from '../../../targets/board/board-cost.ts'
import { observedCost } from '../../../targets/spend/spending.ts'
import type { UsageWithJudges, TokenUsage } from '../../../targets/record/completion.ts'
import { timedReplies } from '../../../targets/record/timed-replies.ts'
import type { Price } from '../../../models/prices/price.ts'

/** What the replies of one deployment took in a run. */
export interface SpentLine {
  /** The judge's name; absent for the model itself. */
  readonly judge?: string
  readonly deployment: string
  readonly calls: number
  /** Null where a reply told none. */
  readonly inputTokens: number | null
  readonly outputTokens: number | null
  /** Sum of the calls' own times. */
  readonly seconds: number
  /** Replies that have one. */
  readonly timed: number
  /** US dollars; null where the price or the tokens of a reply are not known. */
  readonly usd: number | null
}

/** What a deployment charges; undefined where nobody knows. */
export type PriceOf = (deployment: string) => Pick<Price, 'input' | 'cachedInput' | 'output'> | undefined

/** A line for the model, then one a judge. None where nothing was asked. */
export const spentLines = (
  { judges, ...own }: UsageWithJudges,
  deployment: string,
  priceOf: PriceOf,
): readonly SpentLine[] =>
  [
    lineOf(own, deployment, priceOf),
    ...Object.entries(judges).map(([judge, usage]) => ({
      judge,
      ...lineOf(usage, usage.deployment, priceOf),
    })),
  ].filter(({ calls }) => calls > 0)

const lineOf = (usage: TokenUsage, deployment: string, priceOf: PriceOf): SpentLine => ({
  deployment,
  calls: usage.calls,
  ...toldTokens(usage),
  seconds: usage.seconds,
  timed: timedReplies(usage),
  usd: observedCost(usage, priceOf(deployment)),
})
