import { groupBy } from '../../../cache/lists.ts'
import { exactMean } from '../exact-sum.ts'
import { effectiveInterval } from './clustered-mean.ts'
import { withUniform } from './uniform-runs.ts'
import { gaffke } from './gaffke.ts'
import { wilson, type Interval } from './wilson.ts'
import { meanWithMissing } from '../missing/mean-with-missing.ts'
import { clusterRobust, equalWeights } from '../paired/cluster-robust.ts'
import { testOpen } from '../paired/contrast.ts'
import { isOnScale, OFF_SCALE, rangeOf, sharesOf, type Scale } from '../scale.ts'

/** One run's values of a metric, instance by instance. */
export interface MeasuredSample {
  /** NaN where an instance has no value that could be read. */
  readonly values: ArrayLike<number>
  /** Name of each instance's source, the same in every run; absent where each stands for itself. */
  readonly sources?: readonly string[]
  /** True where values are means over several trials. */
  readonly areMeans?: boolean
  /** Benchmarks count the same, and runs within one; absent: all runs are of one. */
  readonly benchmark?: string
}

/** What is declared of a metric, as far as intervals depend on it. */
export interface MetricScale {
  /** Absent where an end is open: no bound then holds for what is missing. */
  readonly range?: Scale
  /** True when an answer's value is 0 or 1 by definition. */
  readonly isBinary: boolean
}

/** A mean over instances, with what is known of it. */
export interface MeanFound {
  /** Instances asked. */
  readonly n: number
  /** Those that have a value. */
  readonly measured: number
  /** All that were drawn independently. */
  readonly sources: number
  /** Of what was measured, runs counting the same; null without any. */
  readonly mean: number | null
  /** Where the mean over all instances must lie; null where nothing is missing, or the scale is open. */
  readonly bounds: Interval | null
  readonly interval: Interval | null
  /** How the interval was formed, in a reader's words; empty without one. */
  readonly method: string
  /** Why there is no interval, or what to mind about it; empty else. */
  readonly reason: string
}

/**
 * The mean of a metric over one run, or over several runs of one benchmark that count the same, with its interval: Wilson's
 * for 0/1 answers, Gaffke's for bounded scores, Wilson's at the effective number of answers where instances share sources
 * or runs are several, and bounds around all that is missing.
 */
export const meanInterval = (
  runs: readonly MeasuredSample[],
  { range, isBinary }: MetricScale,
  confidence: number,
): MeanFound => {
  const known = runs.map(knownOf)
  const n = runs.reduce((sum, { values }) => sum + values.length, 0)
  const measured = known.reduce((sum, { values }) => sum + values.length, 0)
  const filled = known.filter(({ values }) => values.length > 0)
  const base = {
    n,
    measured,
    sources: clusterRobust(strata(filled)).sources,
    mean: filled.length === 0 ? null : meanOver(filled),
    bounds: null,
  }
  if (n === 0) return { ...base, interval: null, method: '', reason: 'no instance' }
  if (measured === n)
    return { ...base, ...complete(known, { isBinary, ...(range && { range }) }, confidence) }
  if (range === undefined)
    return { ...base, interval: null, method: '', reason: 'values are missing on a scale without ends' }
  const [only] = runs
  return {
    ...base,
    ...(runs.length === 1 && only?.sources === undefined && only !== undefined
      ? plainWithMissing(only, range, confidence)
      : sharedWithMissing(runs, range, confidence)),
  }
}

interface KnownRun extends Pick<MeasuredSample, 'benchmark' | 'areMeans'> {
  readonly values: readonly number[]
  readonly sources?: readonly string[]
}

const knownOf = ({ values, sources, benchmark, areMeans = false }: MeasuredSample): KnownRun => {
  const all = Array.from(values)
  const isKnown = (_: unknown, at: number): boolean => !Number.isNaN(all[at])
  return {
    values: all.filter(isKnown),
    areMeans,
    ...(sources && { sources: sources.filter(isKnown) }),
    ...(benchmark !== undefined && { benchmark }),
  }
}

const strata = (runs: readonly KnownRun[]): readonly (KnownRun & { readonly weight: number })[] => {
  const weights = equalWeights(runs)
  return runs.map((run, at) => ({ ...run, weight: weights[at] ?? NaN }))
}

/** Means of means, divided last: thirds of 100 add up to less than 100, and equal scores must tie. */
const meanOver = (runs: readonly KnownRun[]): number =>
  exactMean(
    [...groupBy(runs, ({ benchmark = '' }) => benchmark).values()].map((own) =>
      exactMean(own.map(({ values }) => exactMean(values))),
    ),
  )

type Told = Pick<MeanFound, 'interval' | 'method' | 'reason'>

const none = (reason: string): Told => ({ interval: null, method: '', reason })

const complete = (runs: readonly KnownRun[], { range, isBinary }: MetricScale, confidence: number): Told => {
  const [run] = runs
  if (range === undefined) return openInterval(runs, confidence)
  if (run === undefined || runs.length > 1 || run.sources !== undefined)
    return sharedInterval(runs, range, confidence)
  const { values, areMeans = false } = run
  if (isBinary && !areMeans && values.every((value) => value === 0 || value === 1)) {
    const ones = values.filter((value) => value === 1).length
    return { interval: wilson(ones, values.length, confidence), method: 'Wilson', reason: '' }
  }
  if (!isOnScale(values, range)) return none(OFF_SCALE)
  return { interval: gaffke(values, range, (1 - confidence) / 2), method: 'Gaffke', reason: '' }
}

/** Student's: nothing better is known on a scale without ends. */
const openInterval = (runs: readonly KnownRun[], confidence: number): Told => {
  const tested = testOpen(clusterRobust(strata(runs)), confidence)
  if ('reason' in tested) return none(tested.reason)
  return { interval: { low: tested.low, high: tested.high }, method: 't, CR2', reason: '' }
}

const sharedInterval = (runs: readonly KnownRun[], range: Scale, confidence: number): Told => {
  if (runs.some(({ values }) => !isOnScale(values, range))) return none(OFF_SCALE)
  // As shares: the square of a wide or narrow scale may be more or less than a number holds.
  const shares = runs.map((run) => ({ ...run, values: [...sharesOf(run.values, range, false)] }))
  const weighed = strata(shares)
  const robust = clusterRobust(weighed)
  const found = effectiveInterval(robust, { low: 0, high: 1 }, confidence)
  const onScale = (share: number): number => range.low + share * rangeOf(range)
  const interval = found && withUniform(robust.estimate, found.interval, weighed, (1 - confidence) / 2)
  return found === undefined || interval === undefined
    ? none('one source')
    : {
        interval: { low: onScale(interval.low), high: onScale(interval.high) },
        method: `Wilson at the effective n, CR2 over ${robust.sources} sources`,
        reason: found.isFew ? 'too few sources' : '',
      }
}

const plainWithMissing = (
  { values }: MeasuredSample,
  range: Scale,
  confidence: number,
): Told & Pick<MeanFound, 'bounds'> => {
  const all = Array.from(values, (value) => (Number.isNaN(value) ? undefined : value))
  if (!isOnScale(values, range)) return { ...none(OFF_SCALE), bounds: null }
  const { bounds, interval } = meanWithMissing(all, range, confidence)
  return { bounds, interval, method: 'Imbens and Manski, Gaffke', reason: '' }
}

/** Each end's own interval: covers at least as often as one that knew how far the bounds lie apart. */
const sharedWithMissing = (
  runs: readonly MeasuredSample[],
  range: Scale,
  confidence: number,
): Told & Pick<MeanFound, 'bounds'> => {
  const filledWith = (end: number): readonly KnownRun[] =>
    runs.map(({ values, ...run }) => ({
      ...run,
      values: Array.from(values, (value) => (Number.isNaN(value) ? end : value)),
    }))
  const [lows, highs] = [filledWith(range.low), filledWith(range.high)]
  const bounds = {
    low: clusterRobust(strata(lows)).estimate,
    high: clusterRobust(strata(highs)).estimate,
  }
  const [below, above] = [sharedInterval(lows, range, confidence), sharedInterval(highs, range, confidence)]
  if (below.interval === null || above.interval === null) return { ...below, interval: null, bounds }
  return {
    bounds,
    interval: { low: below.interval.low, high: above.interval.high },
    method: `bounds, ${below.method}`,
    reason: below.reason,
  }
}

/** Where no value is at hand. */
export const nothingKnown = (reason: string): MeanFound => ({
  n: 0,
  measured: 0,
  sources: 0,
  mean: null,
  bounds: null,
  interval: null,
  method: '',
  reason,
})
