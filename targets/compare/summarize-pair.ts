import { medhelmMde } from '../statistics/medhelm-mde.ts'
import type { MetricScale } from '../statistics/intervals/mean-interval.ts'
import { pairDifference, type PairDifference } from '../statistics/paired/pair-difference.ts'
import type { PairedSides } from '../statistics/paired/paired-sides.ts'
import { detectableDifference } from '../statistics/power/detectable.ts'

/** How two models differ on the instances that both were asked; B − A, in the metric's own units. */
export interface PairSummary extends PairDifference {
  /** True difference that a rerun notices in 80 % of cases at 5 %, by the very test; null: none at this n. */
  readonly mde: number | null
  /** The same as MedHELM's paper forms it (appendix E), sources disregarded. */
  readonly medhelmMde: number | null
}

/** The test of a difference, with what could have been noticed. Undefined where no instance has both values. */
export const summarizePair = (runs: readonly PairedSides[], metric: MetricScale): PairSummary | undefined => {
  const found = pairDifference(runs, metric)
  if (found.common === 0) return undefined
  const differences = runs.flatMap(({ a, b }) =>
    Array.from(a, (value, at) => (b[at] ?? NaN) - value).filter((difference) => !Number.isNaN(difference)),
  )
  return {
    ...found,
    mde: detectableDifference(found.plan),
    medhelmMde: medhelmMde(differences) ?? null,
  }
}
