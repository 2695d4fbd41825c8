import { ProblemError, type Problem } from '../../../cache/problems/problem.ts'
import { isRemote } from '../../../models/clients/is-remote.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import { freshRecord } from '../../../targets/record/trace.ts'
import { deploymentsOf, type Target } from '../../../targets/record/target.ts'
import { targetKey } from '../../../targets/keys/target-key.ts'
import { noPrice } from '../../../targets/spend/capped-spending.ts'
import type { Session } from '../session.ts'

/**
 * Where there is a cap, every deployment that is asked over a network must have a price.
 * @throws ProblemError `spend/no-price` with all of them at once
 */
export const refuseUnpriced = (
  deployments: readonly ModelDeployment[],
  { prices, spending: { caps } }: Pick<Session, 'prices' | 'spending'>,
): void => {
  if (caps.length === 0) return
  const unpriced = new Map<string, Problem>()
  for (const deployment of deployments)
    if (isRemote(deployment) && !prices.has(deployment.name))
      unpriced.set(deployment.name, noPrice(deployment, caps))
  if (unpriced.size > 0) throw new ProblemError([...unpriced.values()])
}

/** The same for the models and judges of targets. Targets with nothing to do ask nobody. */
export const requirePrices = async (
  targets: readonly Target[],
  session: Pick<Session, 'env' | 'prices' | 'spending'>,
): Promise<void> => {
  if (session.spending.caps.length === 0) return
  const { env } = session
  const asked: ModelDeployment[] = []
  for (const target of targets) {
    const { digest } = await targetKey(target, env.profile)
    if (freshRecord(digest, env.records) === undefined) asked.push(...deploymentsOf(target))
  }
  refuseUnpriced(asked, session)
}
