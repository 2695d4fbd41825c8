import { studentT, studentTail } from '../distributions/student-t.ts'
import { exactMean, exactSquares } from '../exact-sum.ts'
import type { Interval } from '../intervals/wilson.ts'
import { gaffke } from '../intervals/gaffke.ts'
import { constantP, NO_SPREAD } from '../paired/contrast.ts'
import { withinScale, type Scale } from '../scale.ts'

/** What the values of benchmarks, each one unit, say of further benchmarks of their kind. */
export interface LikeThese {
  readonly estimate: number
  readonly benchmarks: number
  readonly known?: {
    readonly sd: number
    readonly df: number
    readonly interval: Interval
    /** Two-sided, that the mean is 0. */
    readonly p: number
  }
  readonly reason?: string
}

/** With fewer the interval is right on average and wider than anything one would ask. */
export const FEWEST_BENCHMARKS = 8

/**
 * Student's t over benchmarks, within the scale; refused under 8 of them. Gaffke's test and interval where nothing spreads.
 * @param values one a benchmark, a mean over its runs
 * @param scale of the values; unless given that of differences on the unit scale
 */
export const likeThese = (
  values: readonly number[],
  confidence: number,
  scale: Scale = { low: -1, high: 1 },
): LikeThese => {
  const benchmarks = values.length
  const estimate = exactMean(values)
  if (benchmarks < FEWEST_BENCHMARKS)
    return { estimate, benchmarks, reason: `fewer than ${FEWEST_BENCHMARKS} benchmarks` }
  const df = benchmarks - 1
  const sd = Math.sqrt(exactSquares(values, estimate) / df)
  const error = sd / Math.sqrt(benchmarks)
  if (error ** 2 <= NO_SPREAD) {
    const interval = gaffke(values, scale, (1 - confidence) / 2)
    const p = Math.min(1, 2 * constantP(Math.abs(estimate), benchmarks))
    return { estimate, benchmarks, known: { sd, df, interval, p } }
  }
  const half = studentT(confidence, df) * error
  const interval = { low: withinScale(estimate - half, scale), high: withinScale(estimate + half, scale) }
  return { estimate, benchmarks, known: { sd, df, interval, p: studentTail(estimate / error, df) } }
}
