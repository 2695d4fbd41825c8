import type { Usage } from '../../models/calls/client.ts'
import { costOf } from '../../models/prices/cost.ts'
import type { Price } from '../../models/prices/price.ts'
import type { TokenUsage, UsageWithJudges } from '../record/usage.ts'
import { isRemote } from '../../models/clients/is-remote.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import type { Target } from '../record/target.ts'

/** US dollars of one reply; null where price or usage is not known. Nothing to pay is known without tokens. */
export const usageCost = (
  usage: Usage | null | undefined,
  price: Pick<Price, 'input' | 'cachedInput' | 'output'> | undefined,
): number | null => {
  if (price === undefined) return null
  if (price.input === 0 && price.output === 0) return 0
  return usage === null || usage === undefined ? null : costOf(price, usage)
}

/** US dollars; null where the price or the tokens of any reply are not known. Nothing to pay is known without tokens. */
export const observedCost = (
  usage: TokenUsage,
  price: Pick<Price, 'input' | 'cachedInput' | 'output'> | undefined,
): number | null => {
  if (price === undefined) return null
  if (price.input === 0 && price.output === 0) return 0
  return usage.unknown > 0 ? null : costOf(price, usage)
}

/** What asking for a run's replies again would cost, of its model and of each judge that is asked over a network. */
export const usageCosts = (
  { deployment, judges }: Target,
  usage: UsageWithJudges,
  priceOf: (deployment: string) => Price | undefined,
): readonly { readonly replies: number; readonly usd: number | null }[] =>
  [
    costOfPart(deployment, usage, priceOf),
    ...judges.map(({ judge, deployment: asked }) => costOfPart(asked, usage.judges[judge.name], priceOf)),
  ].flat()

const costOfPart = (
  deployment: ModelDeployment,
  usage: TokenUsage | undefined,
  priceOf: (deployment: string) => Price | undefined,
): ReturnType<typeof usageCosts> =>
  usage === undefined || usage.calls === 0 || !isRemote(deployment)
    ? []
    : [{ replies: usage.calls, usd: observedCost(usage, priceOf(deployment.name)) }]
