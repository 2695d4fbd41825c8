import { effectiveInterval } from '../../../../targets/statistics/intervals/clustered-mean.ts'
import { studentInterval } from '../../../../targets/statistics/intervals/student-interval.ts'
import type { Interval } from '../../../../targets/statistics/intervals/wilson.ts'
import { clusterRobust } from '../../../../targets/statistics/paired/cluster-robust.ts'
import { withinScale, type Scale } from '../../../../targets/statistics/scale.ts'

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
  const student = studentInterval(robust.estimate, robust.known, confidence)
  return {
    ...base,
    known: {
      ...robust.known,
      ...known,
      student: { low: withinScale(student.low, scale), high: withinScale(student.high, scale) },
    },
    ...(isFew && { reason: 'too few sources' as const }),
  }
}
