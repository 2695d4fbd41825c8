import { studentT } from '../distributions/student-t.ts'
import { normalQuantile } from '../distributions/normal.ts'
import type { Interval } from './interval.ts'
import { clusterRobust, type ClusterRobust } from '../paired/cluster-robust.ts'
import { rangeOf, withinScale, type Scale } from '../scale.ts'
import { wilsonOf } from './wilson.ts'

/** A mean of values that share sources, such as patients. Every value counts the same. */
export interface ClusteredMean {
  readonly n: number
  readonly sources: number
  readonly mean: number
  /** Undefined for values of one source. */
  readonly known?: {
    /** CR2, in squared units of the scale. */
    readonly variance: number
    /** Bell and McCaffrey's. */
    readonly df: number
    /** So many independent 0/1 answers would say as much. */
    readonly effectiveN: number
    readonly interval: Interval
    /** Student's, cut to the scale: for comparison, it has no width where nothing spreads. */
    readonly student: Interval
  }
  readonly reason?: 'one source' | 'too few sources'
}

/** Below it a variance of a mean on the unit scale is what rounding leaves of 0. */
const NOTHING = 1e-15
/** Fewer degrees of freedom than these carry an interval, but a reader should know. */
const FEW = 4

/**
 * Wilson's interval of the mean at the effective number of answers, which the cluster-robust variance (CR2) and its
 * degrees of freedom give (Bell & McCaffrey 2002; Korn & Graubard 1998): covers at the ceiling and with a handful of
 * unequal sources, where t does not.
 *
 * @param sources name of each value's source
 * @throws RangeError without a value
 */
export const clusteredMean = (
  values: readonly number[],
  sources: readonly string[],
  scale: Scale,
  confidence: number,
): ClusteredMean => {
  if (values.length === 0) throw new RangeError('an interval of a mean needs a value')
  const robust = clusterRobust([{ weight: 1, values, sources }])
  const base = { n: values.length, sources: robust.sources, mean: robust.estimate }
  const found = effectiveInterval(robust, scale, confidence)
  if (robust.known === undefined || found === undefined) return { ...base, reason: 'one source' }
  const { isFew, ...known } = found
  return {
    ...base,
    known: { ...robust.known, ...known },
    ...(isFew && { reason: 'too few sources' as const }),
  }
}

/**
 * The same of any weighted mean of runs that may share sources; undefined for one source.
 */
export const effectiveInterval = (
  { n, sources, estimate, known }: ClusterRobust,
  scale: Scale,
  confidence: number,
):
  | {
      readonly effectiveN: number
      readonly interval: Interval
      readonly student: Interval
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
  const half = t * Math.sqrt(known.variance)
  return {
    effectiveN,
    interval: { low: scale.low + range * unit.low, high: scale.low + range * unit.high },
    student: { low: withinScale(estimate - half, scale), high: withinScale(estimate + half, scale) },
    isFew: known.df < FEW,
  }
}
