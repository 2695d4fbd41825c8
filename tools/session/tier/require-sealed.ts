import { openOnTier } from '../../../cache/tier/tier-problems.ts'
import type { Target } from '../../../targets/record/target.ts'
import type { Session } from '../session.ts'
import { restrictedNames } from './restricted-names.ts'

/**
 * Refuses to build what lies on the tier in the open and is not public, as a benchmark that was; what of it came into the
 * store goes to the vault. For after the tier was read.
 * @throws ProblemError `cache/open-on-tier`, exit code 5
 */
export const requireSealed = async (
  targets: readonly Target[],
  { tier, workspace, sealOpen }: Pick<Session, 'tier' | 'workspace' | 'sealOpen'>,
): Promise<void> => {
  const open = tier?.openBenchmarks() ?? new Set<string>()
  if (tier === undefined || open.size === 0) return
  const restricted = await restrictedNames(workspace.root, targets)
  const found = new Set([...open].filter((name) => restricted.has(name)))
  if (found.size === 0) return
  await sealOpen?.(found)
  const asked = new Set(targets.map(({ spec }) => spec.benchmark.name).filter((name) => found.has(name)))
  if (asked.size > 0) throw openOnTier(tier.tier.place, [...asked].sort())
}
