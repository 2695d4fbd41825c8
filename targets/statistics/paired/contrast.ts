import { studentT, studentTail, studentUpper, studentUpperQuantile } from '../distributions/student-t.ts'
import { exactMean, exactSum } from '../exact-sum.ts'
import { clusterRobust, type ClusterRobust, type Stratum } from './cluster-robust.ts'
import type { Sums } from './sums.ts'

/** Differences of one run, in shares of the metric's scale; or where each stands for itself what they sum up to. */
export type ContrastSample = { readonly benchmark: string } & (
  | {
      readonly differences: ArrayLike<number>
      /** Name of each instance's source, the same in every run and benchmark; undefined where each stands for itself. */
      readonly sources?: readonly string[]
    }
  | { readonly sums: Sums }
)

/** A mean difference over benchmarks that count the same, runs within one the same. In shares of the scale. */
export interface Contrast extends Omit<ClusterRobust, 'means'> {
  readonly benchmarks: number
  /** Each run's own. */
  readonly means: readonly { readonly benchmark: string; readonly mean: number }[]
}

/** Below it a variance on the unit scale is what rounding leaves of 0. */
export const NO_SPREAD = 1e-15

export const contrastOf = (runs: readonly ContrastSample[]): Contrast => {
  const robust = clusterRobust(strataOf(runs))
  return {
    ...robust,
    benchmarks: new Set(runs.map(({ benchmark }) => benchmark)).size,
    means: runs.map(({ benchmark }, run) => ({ benchmark, mean: robust.means[run] ?? NaN })),
  }
}

/** The mean alone. */
export const weightedMean = (runs: readonly ContrastSample[]): number =>
  exactSum(strataOf(runs).map((run) => run.weight * ('sums' in run ? run.sums.mean : exactMean(run.values))))

/** Benchmarks count the same, and runs within one. */
const strataOf = (runs: readonly ContrastSample[]): readonly Stratum[] => {
  const perBenchmark = new Map<string, number>()
  for (const { benchmark } of runs) perBenchmark.set(benchmark, (perBenchmark.get(benchmark) ?? 0) + 1)
  return runs.map((run) => {
    const weight = 1 / (perBenchmark.size * (perBenchmark.get(run.benchmark) ?? 1))
    if ('sums' in run) return { weight, sums: run.sums }
    const { differences: values, sources } = run
    return { weight, values, ...(sources !== undefined && { sources }) }
  })
}

/** What the data say of a contrast: p and interval of one and the same test. */
export interface Tested {
  readonly variance: number
  readonly df: number
  /** Two-sided. */
  readonly p: number
  readonly low: number
  readonly high: number
  /** Student's t; Gaffke's test and interval where nothing spreads. */
  readonly method: 't' | 'gaffke'
}

/**
 * The two-sided test of no difference and its interval, cut to −1 … 1. Undefined for one source. Where nothing spreads,
 * Gaffke's interval of a constant, and the p that belongs to it.
 */
export const testContrast = (contrast: Contrast, confidence: number): Tested | undefined => {
  const { estimate, sources, known } = contrast
  if (known === undefined) return undefined
  const { variance, df } = known
  if (variance <= NO_SPREAD) {
    const kept = ((1 - confidence) / 2) ** (1 / sources)
    return {
      ...known,
      p: Math.min(1, 2 * (1 / (1 + Math.abs(estimate))) ** sources),
      low: Math.max(-1, kept * estimate - (1 - kept)),
      high: Math.min(1, kept * estimate + (1 - kept)),
      method: 'gaffke',
    }
  }
  const error = Math.sqrt(variance)
  const half = studentT(confidence, df) * error
  return {
    ...known,
    p: studentTail(estimate / error, df),
    low: Math.max(-1, estimate - half),
    high: Math.min(1, estimate + half),
    method: 't',
  }
}

/** One-sided p of "the estimate is not above 0"; undefined for one source. */
export const upperP = ({ estimate, sources, known }: Contrast): number | undefined => {
  if (known === undefined) return undefined
  if (known.variance <= NO_SPREAD) return estimate > 0 ? (1 / (1 + estimate)) ** sources : 1
  return studentUpper(estimate / Math.sqrt(known.variance), known.df)
}

/** What the estimate stays below with confidence 1 − `tail`, at most 1; undefined for one source. */
export const upperLimit = ({ estimate, sources, known }: Contrast, tail: number): number | undefined => {
  if (known === undefined) return undefined
  if (known.variance <= NO_SPREAD) {
    const kept = tail ** (1 / sources)
    return Math.min(1, kept * estimate + (1 - kept))
  }
  return Math.min(1, estimate + studentUpperQuantile(tail, known.df) * Math.sqrt(known.variance))
}
