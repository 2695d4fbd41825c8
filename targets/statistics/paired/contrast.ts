import { studentT, studentTail, studentUpper, studentUpperQuantile } from '../distributions/student-t.ts'
import { exactMean, exactSum } from '../exact-sum.ts'
import { studentInterval } from '../intervals/student-interval.ts'
import { clusterRobust, equalWeights, type ClusterRobust, type Stratum } from './cluster-robust.ts'
import { CONFIDENCE } from '../scale.ts'
import type { Sums } from './sums.ts'

/** Differences of one run, in shares of the metric's scale; or where each stands for itself what they sum up to. */
export type ContrastSample = { readonly benchmark: string } & (
  | {
      readonly differences: ArrayLike<number>
      /** Name of each instance's source, the same in every run and benchmark; undefined where each stands for itself. */
      readonly sources?: readonly string[]
      /** Places where both sides are the very same reading. */
      readonly alike?: ReadonlySet<number>
    }
  | { readonly sums: Sums }
)

/** A mean difference over benchmarks that count the same, runs within one the same. In shares of the scale. */
export interface Contrast extends Omit<ClusterRobust, 'means'> {
  readonly benchmarks: number
  /** Each run's own. */
  readonly means: readonly { readonly benchmark: string; readonly mean: number }[]
}

/** Shares that are one differ by less. */
const ROUNDING = 1e-9
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

/**
 * The same of these very benchmarks, only the instances of which were drawn: with the degrees of freedom that parts without a
 * common source leave. Without such parts it is the contrast itself.
 */
export const onThese = (contrast: Contrast): Contrast =>
  contrast.known === undefined
    ? contrast
    : { ...contrast, known: { ...contrast.known, df: contrast.known.dfApart } }

/**
 * The same on a scale with ends, its 95 % widened by square-and-add by what runs leave open of which all differences are alike.
 * Without it an average with a benchmark of two answers finds a difference where there is none in 13 % of cases. Where all
 * runs have one difference in common it is Gaffke's, of no more sources than leave open what the run does that counts most.
 */
export const withAlike = (contrast: Contrast): Contrast => {
  const { known, means, estimate } = contrast
  if (known === undefined || known.open === 0) return contrast
  if (known.variance <= NO_SPREAD && means.every(({ mean }) => Math.abs(mean - estimate) < ROUNDING)) {
    const sources = Math.log((1 - CONFIDENCE) / 2) / Math.log1p(-known.open / (1 + Math.abs(estimate)))
    return { ...contrast, sources: Math.min(contrast.sources, sources) }
  }
  const variance = known.variance + (known.open / studentT(CONFIDENCE, known.df)) ** 2
  return { ...contrast, known: { ...known, variance } }
}

/** The mean alone. */
export const weightedMean = (runs: readonly ContrastSample[]): number =>
  exactSum(strataOf(runs).map((run) => run.weight * ('sums' in run ? run.sums.mean : exactMean(run.values))))

const strataOf = (runs: readonly ContrastSample[]): readonly Stratum[] => {
  const weights = equalWeights(runs)
  return runs.map((run, at) => {
    const weight = weights[at] ?? NaN
    if ('sums' in run) return { weight, sums: run.sums }
    const { differences: values, sources, alike } = run
    const isSame = alike?.size === values.length
    return { weight, values, isSame, ...(sources !== undefined && { sources }) }
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
  if (known.variance <= NO_SPREAD) {
    const tail = (1 - confidence) / 2
    return {
      ...known,
      p: Math.min(1, 2 * constantP(Math.abs(estimate), sources)),
      low: Math.max(-1, constantLimit(contrast, tail, -1)),
      high: Math.min(1, constantLimit(contrast, tail, 1)),
      method: 'gaffke',
    }
  }
  const { low, high } = studentInterval(estimate, known, confidence)
  return {
    ...known,
    p: studentTail(estimate / Math.sqrt(known.variance), known.df),
    low: Math.max(-1, low),
    high: Math.min(1, high),
    method: 't',
  }
}

/** The same on a scale without ends, by Student's t alone, or why there is none. */
export const testOpen = (
  { estimate, known }: Pick<ClusterRobust, 'estimate' | 'known'>,
  confidence: number,
): Omit<Tested, 'method'> | { readonly reason: string } => {
  if (known === undefined) return { reason: 'one source' }
  if (known.variance <= NO_SPREAD * Math.max(1, estimate ** 2))
    return { reason: 'nothing spreads on a scale without ends' }
  if (!Number.isFinite(known.variance)) return { reason: 'values too far apart to be squared' }
  return {
    ...known,
    p: studentTail(estimate / Math.sqrt(known.variance), known.df),
    ...studentInterval(estimate, known, confidence),
  }
}

/** One-sided p of "the estimate is not above 0"; undefined for one source. */
export const upperP = ({ estimate, sources, known }: Contrast): number | undefined => {
  if (known === undefined) return undefined
  if (known.variance <= NO_SPREAD) return estimate > 0 ? constantP(estimate, sources) : 1
  return studentUpper(estimate / Math.sqrt(known.variance), known.df)
}

/** What the estimate stays below with confidence 1 − `tail`, at most 1; undefined for one source. */
export const upperLimit = (contrast: Contrast, tail: number): number | undefined =>
  contrast.known && Math.min(1, limitOf(contrast, tail, 1))

/** Where the interval ends on one side, not cut to the scale. @param tail chance to lie beyond it */
export const limitOf = (
  contrast: Pick<Contrast, 'estimate' | 'sources' | 'known'>,
  tail: number,
  side: 1 | -1,
): number => {
  const { estimate, known } = contrast
  return known === undefined || known.variance <= NO_SPREAD
    ? constantLimit(contrast, tail, side)
    : estimate + side * studentUpperQuantile(tail, known.df) * Math.sqrt(known.variance)
}

/** Gaffke's one-sided p of "the mean is 0" where each of the sources lies this far above it. */
export const constantP = (distance: number, sources: number): number => (1 / (1 + distance)) ** sources

/** An end of Gaffke's interval of a constant. */
const constantLimit = (
  { estimate, sources }: Pick<Contrast, 'estimate' | 'sources'>,
  tail: number,
  side: 1 | -1,
): number => {
  const kept = tail ** (1 / sources)
  return kept * estimate + side * (1 - kept)
}
