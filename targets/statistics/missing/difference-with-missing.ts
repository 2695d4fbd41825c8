import { studentUpperQuantile } from '../distributions/student-t.ts'
import {
  constantP,
  contrastOf,
  limitOf,
  NO_SPREAD,
  onThese,
  testContrast,
  withAlike,
  type Contrast,
  type ContrastSample,
  type Tested,
} from '../paired/contrast.ts'
import { boundP, boundTail, type Bounds } from './bound-tail.ts'
import { isWhole, minus, type PairedSides } from '../paired/paired-sides.ts'

/** B − A in shares of the scale, where judgements may be missing. */
interface DifferenceWithMissing {
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
interface Columns {
  /** What is missing is as bad for B as it can be, and as good. */
  readonly low: Contrast
  readonly high: Contrast
  /** On instances that both sides have. */
  readonly strict: Contrast
}

/** One run's part of each. */
export interface ColumnSamples {
  readonly low: ContrastSample
  readonly high: ContrastSample
  /** Undefined without a common instance. */
  readonly strict: ContrastSample | undefined
}

/** Of a run that lacks nothing. */
export const wholeSamples = (sample: ContrastSample): ColumnSamples => ({
  low: sample,
  high: sample,
  strict: sample,
})

export const samplesOf = (run: PairedSides): ColumnSamples => {
  const { a, b, ...rest } = run
  const all = minus(b, a)
  if (all.length > 0 && isWhole(all)) return wholeSamples({ ...rest, differences: all })
  const isKnown = (_: unknown, at: number): boolean => !Number.isNaN(all[at])
  const common = all.filter(isKnown)
  const { benchmark, sources, alike } = rest
  return {
    low: { ...rest, differences: withoutAlike(minus(filled(b, 0), filled(a, 1)), all, alike) },
    high: { ...rest, differences: withoutAlike(minus(filled(b, 1), filled(a, 0)), all, alike) },
    strict:
      common.length === 0
        ? undefined
        : { benchmark, differences: common, ...(sources && { sources: sources.filter(isKnown) }) },
  }
}

/** What the same reading left open on both sides is no difference. */
const withoutAlike = (
  differences: Float64Array,
  known: Float64Array,
  alike: PairedSides['alike'],
): Float64Array =>
  alike === undefined
    ? differences
    : differences.map((difference, at) => (Number.isNaN(known[at]) && alike.has(at) ? 0 : difference))

const filled = (values: ArrayLike<number>, missing: number): Float64Array => {
  const all = new Float64Array(values)
  for (let at = 0; at < all.length; at += 1) if (Number.isNaN(all[at])) all[at] = missing
  return all
}

export const columnsOf = (runs: readonly ColumnSamples[]): Columns => {
  const strict = contrastOf(runs.flatMap((run) => run.strict ?? []))
  if (runs.every(({ low, strict: own }) => low === own)) return { low: strict, high: strict, strict }
  return {
    low: contrastOf(runs.map(({ low }) => low)),
    high: contrastOf(runs.map(({ high }) => high)),
    strict,
  }
}

/** The same with the degrees of freedom of a statement on these benchmarks. */
export const columnsOnThese = (runs: readonly ColumnSamples[]): Columns => {
  const { low, high, strict } = columnsOf(runs)
  // One tail and one p belong to both ends.
  const df = Math.min(...[low, high].flatMap(({ known }) => known?.dfApart ?? []))
  const withDf = (end: Contrast): Contrast =>
    end.known === undefined ? end : withAlike({ ...end, known: { ...end.known, df } })
  return { low: withDf(low), high: withDf(high), strict: withAlike(onThese(strict)) }
}

/**
 * The difference that decides: bounds of the mean over all instances with Imbens and Manski's interval, and the p whose
 * interval ends at 0. Where nothing is missing it is the paired contrast's test to the digit.
 */
export const differenceWithMissing = (
  runs: readonly PairedSides[],
  confidence: number,
): DifferenceWithMissing => {
  const columns = columnsOnThese(runs.map(samplesOf))
  const { low, high, strict } = columns
  const tested = testContrast(strict, confidence)
  const base = {
    n: low.n,
    common: strict.n,
    bounds: { low: low.estimate, high: high.estimate },
    strict,
    ...(tested !== undefined && { tested }),
  }
  const bounds = boundsOf(columns)
  if (bounds === undefined) return base
  const { df } = bounds
  const tail = boundTail(bounds, 1 - confidence)
  return {
    ...base,
    decided: {
      df,
      tail,
      low: Math.max(-1, limitOf(low, tail, -1)),
      high: Math.min(1, limitOf(high, tail, 1)),
      p: pOf(bounds, columns),
    },
  }
}

/** Its p alone, which boards ask of every two models; undefined for one source. */
export const pWithMissing = (columns: Columns): number | undefined => {
  const bounds = boundsOf(columns)
  return bounds && pOf(bounds, columns)
}

const boundsOf = ({ low, high }: Columns): Bounds | undefined =>
  low.known === undefined || high.known === undefined
    ? undefined
    : {
        low: low.estimate,
        high: high.estimate,
        lowError: errorOf(low),
        highError: errorOf(high),
        df: low.known.df,
      }

const errorOf = ({ known }: Contrast): number =>
  known === undefined || known.variance <= NO_SPREAD ? 0 : Math.sqrt(known.variance)

/** Sums of ninths that are 0 differ from it by less, in shares of the scale. */
const ROUNDING = 1e-12

const pOf = (bounds: Bounds, { low, high }: Columns): number => {
  if (bounds.low <= ROUNDING && bounds.high >= -ROUNDING) return 1
  const [near, distance] = bounds.low > 0 ? [low, bounds.low] : [high, -bounds.high]
  const error = errorOf(near)
  const from =
    error > 0 ? distance / error : studentUpperQuantile(constantP(distance, near.sources), bounds.df)
  return boundP(bounds, from)
}
