import { notExclusive } from './tier-problems.ts'
import type { Tier } from './tier.ts'

/** All try to make it: whoever finds it made knows that a name is made once here. */
const NAME = 'probe/exclusive.json'

/**
 * Tries whether a name can be made once only, which not every server of buckets heeds.
 * @throws ProblemError `cache/tier-reply`; where nothing can be written that problem
 */
export const requireExclusive = async (tier: Tier): Promise<void> => {
  const make = (): Promise<boolean> => tier.create(NAME, '{}\n')
  if ((await make()) && (await make())) throw notExclusive(tier.place)
}
