import type { Interval } from '../intervals/wilson.ts'
import type { MetricScale } from '../intervals/mean-interval.ts'
import { differenceWithMissing } from '../missing/difference-with-missing.ts'
import {
  contrastOf,
  NO_SPREAD,
  onThese,
  testContrast,
  testOpen,
  weightedMean,
  withAlike,
  type Contrast,
} from './contrast.ts'
import { midP, tango, type PairedCounts } from './tango.ts'
import { areOnScale, OFF_SCALE, rangeOf, sharesOf, type Scale, ALPHA, CONFIDENCE } from '../scale.ts'
import { packed } from '../exact-sum.ts'
import { tiedScore } from '../mean.ts'
import { type PairedSides, minus, isWhole } from './paired-sides.ts'

/** `mid-p`: McNemar's. `t`: Student's over sources, CR2. `Gaffke`: nothing spreads. `bounds`: something is missing. */
export type PairTest = 'mid-p' | 't' | 'Gaffke' | 'bounds' | 'none'

/** How B differs from A, in the metric's own units; positive: B has more. */
export interface PairDifference {
  /** Instances that were asked of both. */
  readonly n: number
  /** Those that both have a value of. */
  readonly common: number
  /** All that were drawn independently, among the common. */
  readonly sources: number
  /** Means on common instances, runs counting the same; null without any. */
  readonly meanA: number | null
  readonly meanB: number | null
  readonly difference: number | null
  /** Where the difference over all instances must lie; null where nothing is missing, or the scale is open. */
  readonly bounds: Interval | null
  /** 95 %, of the test that gave p: where something is missing around the bounds. */
  readonly interval: Interval | null
  readonly test: PairTest
  /** Two-sided; null where the data can't carry one. */
  readonly p: number | null
  /** On common instances alone, where something is missing: shown, decides nothing. */
  readonly strict: { readonly interval: Interval | null; readonly p: number | null } | null
  /** p and the interval fall on two sides of 5 %, which only McNemar's mid-p and Tango's interval can; p decides. */
  readonly isBorderline: boolean
  /** What a rerun of this size and spread would rest on; null where there is no test, or nothing spreads. */
  readonly plan: PairPlan | null
  /** Why p, or the plan, is null; empty else. */
  readonly reason: string
}

/** Of a comparison to come. `range`: how far apart the ends of the scale are; absent where one is open. */
export type PairPlan =
  | { readonly test: 't'; readonly standardError: number; readonly df: number; readonly range?: number }
  | { readonly test: 'mid-p'; readonly n: number; readonly discordant: number }

/**
 * Compares two sides of one benchmark's runs, or of several benchmarks' on the unit scale. The one test of a difference:
 * board, comparisons, gates and pages ask nothing else.
 */
export const pairDifference = (runs: readonly PairedSides[], metric: MetricScale): PairDifference => {
  const common = runs.map(commonOf)
  const filled = common.filter(({ a }) => a.length > 0)
  const mean = (side: 'a' | 'b'): number | null => (filled.length === 0 ? null : meanOf(filled, side))
  const [found, meanA, meanB] = [pairTest(runs, common, metric), mean('a'), mean('b')]
  // Of the same values in another order rounding leaves a difference, which a clause would take for one.
  const isNone = meanA !== null && meanB !== null && tiedScore(meanB, [meanA]) === meanA
  return { ...found, ...(isNone && { difference: 0 }), meanA, meanB }
}

/** What of a test puts two sides in order: boards ask it of every two models. */
export interface PairOrder {
  /** Two-sided; null where the data can't carry one. */
  readonly p: number | null
  /** 1 where B is greater by the values that gave p, −1 where A is, else 0. */
  readonly direction: number
}

/** `pairDifference`'s p and its direction, without what they don't need. */
export const pairOrder = (runs: readonly PairedSides[], metric: MetricScale): PairOrder => {
  const common = runs.map(commonOf)
  const isWholly = common.every(({ a }, run) => a.length === runs[run]?.a.length)
  const counts = isWholly ? countsOf(common, metric) : undefined
  if (counts !== undefined && counts.n > 0) {
    const { onlyA, onlyB } = counts
    return { p: midP(onlyA, onlyB), direction: Math.sign(onlyB - onlyA) }
  }
  const found = pairTest(runs, common, metric)
  return { p: found.p, direction: directionOf(found) }
}

/** The same of the differences' contrast, in shares of the scale, where nothing is missing. */
export const orderOf = (contrast: Contrast, { range }: MetricScale): PairOrder => {
  const unit = onThese(contrast)
  const size = range === undefined ? 1 : rangeOf(range)
  const { p } = range === undefined ? openTest(unit) : boundedTest(unit, size)
  return { p, direction: Math.sign(unit.estimate * size) }
}

const pairTest = (
  runs: readonly PairedSides[],
  common: readonly Common[],
  metric: MetricScale,
): Omit<PairDifference, 'meanA' | 'meanB'> => {
  const filled = common.filter(({ a }) => a.length > 0)
  const n = runs.reduce((sum, { a }) => sum + a.length, 0)
  const counted = filled.reduce((sum, { a }) => sum + a.length, 0)
  // In shares of the scale, whose square may be more than a number holds.
  const size = metric.range === undefined ? 1 : rangeOf(metric.range)
  const unit = onThese(
    contrastOf(filled.map(({ a, b, ...run }) => ({ ...run, differences: minus(b, a, size) }))),
  )
  const base = {
    n,
    common: counted,
    sources: unit.sources,
    difference: filled.length === 0 ? null : unit.estimate * size,
    bounds: null,
    strict: null,
    isBorderline: false,
  }
  if (counted === 0 && (metric.range === undefined || n === 0))
    return { ...base, ...untested('no common instance') }
  if (isOff(runs, metric)) return { ...base, ...untested(OFF_SCALE) }
  const counts = counted === n ? countsOf(common, metric) : undefined
  if (counts !== undefined) return { ...base, ...byCounts(counts) }
  if (metric.range === undefined)
    return counted === n
      ? { ...base, ...openTest(unit) }
      : {
          ...base,
          ...untested('values are missing on a scale without ends'),
          strict: strictOf(openTest(unit)),
        }
  return counted === n
    ? { ...base, ...boundedTest(unit, size) }
    : { ...base, ...missingTest(runs, metric.range) }
}

const isOff = (runs: readonly PairedSides[], { range }: MetricScale): boolean =>
  range !== undefined && !areOnScale(runs, range)

interface Common extends Pick<PairedSides, 'areMeans' | 'alike'> {
  readonly benchmark: string
  readonly a: ArrayLike<number>
  readonly b: ArrayLike<number>
  readonly sources?: readonly string[]
}

const commonOf = (run: PairedSides): Common => {
  const { a, b, sources, alike: _, ...rest } = run
  if (a.length === b.length && isWhole(a) && isWhole(b)) return run
  const at = Array.from({ length: a.length }, (_, each) => each).filter(
    (each) => !Number.isNaN(a[each] ?? NaN) && !Number.isNaN(b[each] ?? NaN),
  )
  return {
    ...rest,
    a: at.map((each) => a[each] ?? NaN),
    b: at.map((each) => b[each] ?? NaN),
    ...(sources && { sources: at.map((each) => sources[each] ?? '') }),
  }
}

const meanOf = (runs: readonly Common[], side: 'a' | 'b'): number =>
  weightedMean(runs.map(({ benchmark, [side]: differences }) => ({ benchmark, differences })))

const countsOf = (runs: readonly Common[], { isBinary }: MetricScale): PairedCounts | undefined => {
  const [run] = runs
  return run !== undefined && areAnswers(runs, isBinary) ? discordantOf(run, { a: 0, b: 0 }) : undefined
}

/** Whether a test may count who was right: of one run's answers, which stand for themselves and were asked once. */
export const areAnswers = (
  runs: readonly Pick<PairedSides, 'sources' | 'areMeans'>[],
  isBinary: boolean,
): boolean =>
  isBinary && runs.length === 1 && runs.every((run) => run.sources === undefined && run.areMeans !== true)

type Told = Pick<PairDifference, 'interval' | 'test' | 'p' | 'plan' | 'reason'>

const untested = (reason: string): Told => ({ interval: null, test: 'none', p: null, plan: null, reason })

const byCounts = (counts: PairedCounts): Told & Pick<PairDifference, 'isBorderline'> => {
  const { onlyA, onlyB, n } = counts
  const p = midP(onlyA, onlyB)
  const interval = tango(counts, CONFIDENCE)
  return {
    interval,
    test: 'mid-p',
    p,
    isBorderline: p < ALPHA !== (interval.low > 0 || interval.high < 0),
    plan: { test: 'mid-p', n, discordant: (onlyA + onlyB) / n },
    reason: '',
  }
}

const strictOf = ({ interval, p }: Told): PairDifference['strict'] => ({ interval, p })

const openTest = (unit: Contrast): Told => {
  const tested = testOpen(unit, CONFIDENCE)
  if ('reason' in tested) return untested(tested.reason)
  const { low, high, p, variance, df } = tested
  return {
    interval: { low, high },
    test: 't',
    p,
    plan: { test: 't', standardError: Math.sqrt(variance), df },
    reason: '',
  }
}

/** @param unit contrast of the common instances, in shares of the range */
const boundedTest = (unit: Contrast, range: number): Told => {
  const tested = testContrast(withAlike(unit), CONFIDENCE)
  if (tested === undefined) return untested('one source')
  return {
    interval: inUnits(tested, range),
    test: tested.method === 'gaffke' ? 'Gaffke' : 't',
    p: tested.p,
    ...planned(tested, range),
  }
}

const missingTest = (
  runs: readonly PairedSides[],
  scale: Scale,
): Told & Pick<PairDifference, 'bounds' | 'strict'> => {
  const range = rangeOf(scale)
  const { bounds, decided, tested } = differenceWithMissing(
    runs.map((run) => unitRun(run, scale, false)),
    CONFIDENCE,
  )
  return {
    ...(decided === undefined
      ? untested('one source')
      : {
          interval: inUnits(decided, range),
          test: 'bounds',
          p: decided.p,
          ...(tested === undefined ? { plan: null, reason: '' } : planned(tested, range)),
        }),
    bounds: inUnits(bounds, range),
    strict: tested === undefined ? null : { interval: inUnits(tested, range), p: tested.p },
  }
}

const inUnits = ({ low, high }: Interval, range: number): Interval => ({
  low: low * range,
  high: high * range,
})

const planned = (
  { variance, df }: { readonly variance: number; readonly df: number },
  range: number,
): Pick<Told, 'plan' | 'reason'> =>
  variance <= NO_SPREAD
    ? { plan: null, reason: 'no spread' }
    : { plan: { test: 't', standardError: Math.sqrt(variance) * range, df, range }, reason: '' }

/**
 * Which way the test that gave p points: 1 where B is greater. 0 where bounds leave it open; a mean on common instances may
 * point elsewhere than the bounds where runs miss something unevenly.
 */
const directionOf = ({ difference, bounds }: Pick<PairDifference, 'difference' | 'bounds'>): number => {
  if (bounds === null) return Math.sign(difference ?? 0)
  return Number(bounds.low > 0) - Number(bounds.high < 0)
}

/** Both sides as shares of the scale. */
export const unitRun = (
  { a, b, ...run }: PairedSides,
  scale: Scale,
  isLowerBetter: boolean,
): PairedSides => ({
  ...run,
  a: sharesOf(a, scale, isLowerBetter),
  b: sharesOf(b, scale, isLowerBetter),
})

/**
 * Counts pairs that just one side got right. Undefined where a value is neither 0 nor 1: trials were averaged.
 * @param missing what stands for a value that could not be read, NaN, unless both sides are the same reading
 */
export const discordantOf = (
  { a, b, alike }: Pick<PairedSides, 'a' | 'b' | 'alike'>,
  missing: { readonly a: number; readonly b: number },
): PairedCounts | undefined => {
  let [onlyA, onlyB] = [0, 0]
  const [lefts, rights] = [packed(a), packed(b)]
  for (let at = 0; at < lefts.length; at += 1) {
    if (alike?.has(at) === true && Number.isNaN((lefts[at] ?? NaN) - (rights[at] ?? NaN))) continue
    const left = readOr(lefts[at] ?? NaN, missing.a)
    const right = readOr(rights[at] ?? NaN, missing.b)
    if (!isAnswer(left) || !isAnswer(right)) return undefined
    if (left > right) onlyA += 1
    else if (right > left) onlyB += 1
  }
  return { onlyA, onlyB, n: a.length }
}

const readOr = (value: number, missing: number): number => (Number.isNaN(value) ? missing : value)

const isAnswer = (value: number): boolean => value === 0 || value === 1
