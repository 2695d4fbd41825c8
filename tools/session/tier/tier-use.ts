import type { Tier } from '../../../cache/tier/tier.ts'
import { capsOf } from '../workspace/budget-config.ts'
import type { Config } from '../workspace/config.ts'
import type { TierUse } from './session-tier.ts'

/** How a workspace's settings use a tier, for all that is missing. */
export const tierUse = (tier: Tier, { store, budget }: Pick<Config, 'store' | 'budget'>): TierUse => ({
  tier,
  lease: store.lease_seconds * 1000,
  wholeLedger: capsOf(budget, undefined).some(({ period }) => period === 'day'),
})
