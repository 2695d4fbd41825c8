import { studentT, studentTail } from '../distributions/student-t.ts'
import { exactMean, exactSum } from '../exact-sum.ts'
import type { Interval } from '../interval.ts'

/** What the values of benchmarks, each one unit, say of further benchmarks of their kind. */
export interface LikeThese {
  readonly estimate: number
  readonly benchmarks: number
  readonly known?: {
    readonly sd: number
    readonly df: number
    readonly interval: Interval
    /** Two-sided, that the mean is 0; undefined where nothing spreads. */
    readonly p?: number
  }
  readonly reason?: string
}

/** With fewer the interval is right on average and wider than anything one would ask. */
export const FEWEST_BENCHMARKS = 8

/** Student's t over benchmarks; refused under 8 of them. @param values one a benchmark, a mean over its runs */
export const likeThese = (values: readonly number[], confidence: number): LikeThese => {
  const benchmarks = values.length
  const estimate = exactMean(values)
  if (benchmarks < FEWEST_BENCHMARKS)
    return { estimate, benchmarks, reason: `fewer than ${FEWEST_BENCHMARKS} benchmarks` }
  const df = benchmarks - 1
  const sd = Math.sqrt(exactSum(values.map((value) => (value - estimate) ** 2)) / df)
  const error = sd / Math.sqrt(benchmarks)
  const half = studentT(confidence, df) * error
  return {
    estimate,
    benchmarks,
    known: {
      sd,
      df,
      interval: { low: estimate - half, high: estimate + half },
      ...(sd > 0 && { p: studentTail(estimate / error, df) }),
    },
  }
}
