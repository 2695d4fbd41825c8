import { isRemote } from '../../models/clients/is-remote.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import type { Price } from '../../models/prices/price.ts'
import type { Target } from '../record/target.ts'
import type { TokenUsage, UsageWithJudges } from '../record/usage.ts'
import { observedCost } from './usage-cost.ts'

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
