import { JURY_COVERAGE } from '../metrics/llm-jury.ts'
import type { Coverage } from '../record/coverage.ts'
import type { TrialStat } from '../tables/cells/trial-stat.ts'

/**
 * A run's coverage with its judgements also where judges do not give the main metric: a record counts these as a share of
 * each answer's.
 * @param split of the main metric
 */
export const judgedCoverage = (
  { coverage, ownStats }: { readonly coverage: Coverage; readonly ownStats: readonly TrialStat[] },
  split: string,
): Coverage => {
  const share = ownStats.find(({ name }) => name.name === JURY_COVERAGE && name.split === split)
  const judgements = coverage.judgements ?? (share && { wanted: share.count, read: share.sum })
  return { ...coverage, ...(judgements && { judgements }) }
}
