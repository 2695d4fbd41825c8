import { studentUpperQuantile } from '../distributions/student-t.ts'
import { contrastOf, NO_SPREAD, testContrast, type Contrast, type Tested } from '../paired/contrast.ts'
import { boundP, boundTail, type Bounds } from './bound-tail.ts'

/** Two sides of one run on the unit scale, instance by instance; undefined: could not be read. */
export interface PairedRun {
  readonly benchmark: string
  readonly a: readonly (number | undefined)[]
  readonly b: readonly (number | undefined)[]
  /** Name of each instance's source, the same in every run and benchmark. */
  readonly sources?: readonly string[]
}

/** B − A in shares of the scale, where judgements may be missing. */
export interface DifferenceWithMissing {
  readonly n: number
  /** Instances that both sides have. */
  readonly common: number
  /** Where the mean difference of all instances must lie. */
  readonly bounds: { readonly low: number; readonly high: number }
  /** Undefined for one source: nothing can then be said. */
  readonly decided?: {
    readonly df: number
    /** Chance that the interval misses on each side. */
    readonly tail: number
    readonly low: number
    readonly high: number
    readonly p: number
  }
  /** On common instances alone: shown beside, decides nothing where something is missing. */
  readonly strict?: Contrast & { readonly tested: Tested }
}

/** Differences at both ends: what is missing is as bad, and as good, for B as it can be. */
export const boundColumns = (
  runs: readonly PairedRun[],
): { readonly low: Contrast; readonly high: Contrast } => {
  const column = (missingA: number, missingB: number): Contrast =>
    contrastOf(
      runs.map(({ a, b, ...run }) => ({
        ...run,
        differences: a.map((value, at) => (b[at] ?? missingB) - (value ?? missingA)),
      })),
    )
  return { low: column(1, 0), high: column(0, 1) }
}

/** The contrast on instances that both sides have. */
export const strictContrast = (runs: readonly PairedRun[]): Contrast =>
  contrastOf(
    runs
      .map(({ benchmark, a, b, sources }) => {
        const common = a.flatMap((value, at) => (value === undefined || b[at] === undefined ? [] : [at]))
        return {
          benchmark,
          differences: common.map((at) => (b[at] ?? NaN) - (a[at] ?? NaN)),
          ...(sources !== undefined && { sources: common.map((at) => sources[at] ?? '') }),
        }
      })
      .filter(({ differences }) => differences.length > 0),
  )

/**
 * The difference that decides: bounds of the mean over all instances with Imbens and Manski's interval, and the p whose
 * interval ends at 0. Where nothing is missing it is the paired contrast's test to the digit.
 */
export const differenceWithMissing = (
  runs: readonly PairedRun[],
  confidence: number,
): DifferenceWithMissing => {
  const { low, high } = boundColumns(runs)
  const strict = strictContrast(runs)
  const tested = testContrast(strict, confidence)
  const base = {
    n: low.n,
    common: strict.n,
    bounds: { low: low.estimate, high: high.estimate },
    ...(tested !== undefined && { strict: { ...strict, tested } }),
  }
  if (low.known === undefined || high.known === undefined) return base
  const { df } = low.known
  const bounds: Bounds = {
    low: low.estimate,
    high: high.estimate,
    lowError: errorOf(low),
    highError: errorOf(high),
    df,
  }
  const tail = boundTail(bounds, 1 - confidence)
  return {
    ...base,
    decided: {
      df,
      tail,
      low: Math.max(-1, limit(low, tail, df, -1)),
      high: Math.min(1, limit(high, tail, df, 1)),
      p: pOf(bounds, low, high, df),
    },
  }
}

const errorOf = ({ known }: Contrast): number =>
  known === undefined || known.variance <= NO_SPREAD ? 0 : Math.sqrt(known.variance)

const limit = (column: Contrast, tail: number, df: number, side: 1 | -1): number => {
  const error = errorOf(column)
  if (error > 0) return column.estimate + side * studentUpperQuantile(tail, df) * error
  const kept = tail ** (1 / column.sources)
  return kept * column.estimate + side * (1 - kept)
}

const pOf = (bounds: Bounds, low: Contrast, high: Contrast, df: number): number => {
  if (bounds.low <= 0 && bounds.high >= 0) return 1
  const [near, distance] = bounds.low > 0 ? [low, bounds.low] : [high, -bounds.high]
  const error = errorOf(near)
  const from = error > 0 ? distance / error : studentUpperQuantile((1 / (1 + distance)) ** near.sources, df)
  return boundP(bounds, from)
}
