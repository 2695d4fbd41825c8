import { studentT } from '../distributions/student-t.ts'
import { normalQuantile } from '../distributions/normal.ts'
import { type Interval, wilsonOf } from './wilson.ts'
import type { ClusterRobust } from '../paired/cluster-robust.ts'
import { rangeOf, type Scale } from '../scale.ts'

/** Below it a variance of a mean on the unit scale is what rounding leaves of 0. */
const NOTHING = 1e-15
/** Fewer degrees of freedom than these carry an interval, but a reader should know. */
const FEW = 4

/**
 * Wilson's interval of a weighted mean of runs at the effective number of answers, which the cluster-robust variance (CR2)
 * and its degrees of freedom give (Bell & McCaffrey 2002; Korn & Graubard 1998): covers at the ceiling and with a handful of
 * unequal sources, where t does not. Undefined for one source.
 */
export const effectiveInterval = (
  { n, sources, estimate, known }: ClusterRobust,
  scale: Scale,
  confidence: number,
):
  | {
      readonly effectiveN: number
      readonly interval: Interval
      readonly isFew: boolean
    }
  | undefined => {
  if (known === undefined) return undefined
  const range = rangeOf(scale)
  const t = studentT(confidence, known.df)
  const p = Math.min(1, Math.max(0, (estimate - scale.low) / range))
  const spread = known.variance / range ** 2
  const plain = spread < NOTHING || p * (1 - p) < NOTHING ? sources : Math.min(n, (p * (1 - p)) / spread)
  const effectiveN = plain * (normalQuantile((1 + confidence) / 2) / t) ** 2
  const unit = wilsonOf(p, effectiveN, confidence)
  return {
    effectiveN,
    interval: { low: scale.low + range * unit.low, high: scale.low + range * unit.high },
    isFew: known.df < FEW,
  }
}
