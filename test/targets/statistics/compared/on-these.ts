import { studentT } from '../../../../targets/statistics/distributions/student-t.ts'
import { exactSum } from '../../../../targets/statistics/exact-sum.ts'
import type { Interval } from '../../../../targets/statistics/intervals/wilson.ts'

/** An estimate of one run, on the unit scale. */
export interface BenchmarkEstimate {
  readonly value: number
  readonly variance: number
  readonly df: number
}

/** The mean over these very benchmarks: only their instances were drawn. */
export interface OnThese {
  readonly estimate: number
  readonly variance: number
  readonly df: number
  /** Null where nothing spreads: no interval has width zero. */
  readonly interval: Interval | null
}

/**
 * Welch and Satterthwaite's interval of the mean over benchmarks that share no source, each the mean of its runs.
 * @param benchmarks their runs
 */
export const onThese = (
  benchmarks: readonly (readonly BenchmarkEstimate[])[],
  confidence: number,
): OnThese => {
  const parts = benchmarks.flatMap((runs) =>
    runs.map((run) => ({ ...run, weight: 1 / (benchmarks.length * runs.length) })),
  )
  const estimate = exactSum(parts.map(({ value, weight }) => weight * value))
  const variance = exactSum(parts.map(({ variance, weight }) => weight ** 2 * variance))
  const freedom = exactSum(parts.map(({ variance, weight, df }) => (weight ** 2 * variance) ** 2 / df))
  const df = variance ** 2 / freedom
  if (variance === 0) return { estimate, variance, df: NaN, interval: null }
  const half = studentT(confidence, df) * Math.sqrt(variance)
  return { estimate, variance, df, interval: { low: estimate - half, high: estimate + half } }
}
