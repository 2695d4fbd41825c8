import { studentUpperQuantile } from '../distributions/student-t.ts'
import { contrastOf, NO_SPREAD, testContrast, type Contrast, type Tested } from '../paired/contrast.ts'
import { areWhole, isWhole, minus, type PairedSides } from '../paired/paired-sides.ts'
import { boundP, boundTail, type Bounds } from './bound-tail.ts'

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
  readonly strict: Contrast
  /** The test of it; undefined for one source. */
  readonly tested?: Tested
}

/** Contrasts of two sides on the unit scale. */
export interface Columns {
  /** What is missing is as bad for B as it can be, and as good. */
  readonly low: Contrast
  readonly high: Contrast
  /** On instances that both sides have. */
  readonly strict: Contrast
}

export const columnsOf = (runs: readonly PairedSides[]): Columns => {
  const strict = strictContrast(runs)
  if (runs.every((run) => run.a.length > 0 && areWhole(run))) return { low: strict, high: strict, strict }
  const column = (missingA: number, missingB: number): Contrast =>
    contrastOf(
      runs.map(({ a, b, ...run }) => ({
        ...run,
        differences: minus(filled(b, missingB), filled(a, missingA)),
      })),
    )
  return { low: column(1, 0), high: column(0, 1), strict }
}

const filled = (values: ArrayLike<number>, missing: number): Float64Array =>
  Float64Array.from(values, (value) => (Number.isNaN(value) ? missing : value))

const strictContrast = (runs: readonly PairedSides[]): Contrast =>
  contrastOf(
    runs
      .map(({ benchmark, a, b, sources }) => {
        const all = minus(b, a)
        const isKnown = (_: unknown, at: number): boolean => !Number.isNaN(all[at])
        const differences = isWhole(all) ? all : all.filter(isKnown)
        return {
          benchmark,
          differences,
          ...(sources && {
            sources: differences.length === all.length ? sources : sources.filter(isKnown),
          }),
        }
      })
      .filter(({ differences }) => differences.length > 0),
  )

/**
 * The difference that decides: bounds of the mean over all instances with Imbens and Manski's interval, and the p whose
 * interval ends at 0. Where nothing is missing it is the paired contrast's test to the digit.
 */
export const differenceWithMissing = (
  runs: readonly PairedSides[],
  confidence: number,
): DifferenceWithMissing => {
  const { low, high, strict } = columnsOf(runs)
  const tested = testContrast(strict, confidence)
  const base = {
    n: low.n,
    common: strict.n,
    bounds: { low: low.estimate, high: high.estimate },
    strict,
    ...(tested !== undefined && { tested }),
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

/** Sums of ninths that are 0 differ from it by less, in shares of the scale. */
const ROUNDING = 1e-12

const pOf = (bounds: Bounds, low: Contrast, high: Contrast, df: number): number => {
  if (bounds.low <= ROUNDING && bounds.high >= -ROUNDING) return 1
  const [near, distance] = bounds.low > 0 ? [low, bounds.low] : [high, -bounds.high]
  const error = errorOf(near)
  const from = error > 0 ? distance / error : studentUpperQuantile((1 / (1 + distance)) ** near.sources, df)
  return boundP(bounds, from)
}
