import { clusterBootstrap } from '../statistics/cluster-bootstrap.ts'
import { clopperPearson } from '../statistics/clopper-pearson.ts'
import { clusterInterval, clusterMean } from '../statistics/cluster-mean.ts'
import type { Interval } from '../statistics/interval.ts'
import { mcnemarExact } from '../statistics/paired/mid-p.ts'
import { medhelmMde } from '../statistics/medhelm-mde.ts'
import { Moments } from '../statistics/moments.ts'
import { percentileInterval } from '../statistics/percentiles.ts'
import { detectableEffect } from '../statistics/power.ts'
import { randomKey } from '../statistics/random-stream.ts'
import { signFlip } from '../statistics/sign-flip.ts'
import { tango } from '../statistics/paired/tango.ts'

/** What both sides reached on one instance. */
export interface PairedValue {
  readonly a: number
  readonly b: number
  readonly cluster?: string
}

/** Which test gave the p; all are two-sided. */
export type PairedTest = 'McNemar exact' | 'sign flips, all' | 'sign flips, 9,999 drawn'

/** How far the two are apart beside how much instances differ. */
export interface EffectSize {
  /** `share`: of the instances that just one side got right, B's share. `dz`: mean difference by its deviation. */
  readonly kind: 'share' | 'dz'
  readonly value: number
  /** 95 %: Clopper-Pearson's for a share, bootstrap percentiles for dz. */
  readonly interval: Interval | null
}

export interface PairedResult {
  readonly n: number
  /** Independent sources; `n` where each instance stands for itself. */
  readonly clusters: number
  readonly meanA: number
  readonly meanB: number
  /** B − A. */
  readonly difference: number
  /** 95 %: Tango's for 0/1 values, Student's over clusters otherwise; null where nothing spreads. */
  readonly interval: Interval | null
  readonly test: PairedTest
  readonly p: number
  readonly effect: EffectSize | null
  /** True difference that this many instances notice in 80 % of cases, at 5 %. Null where nothing spreads. */
  readonly mde: number | null
  /** The same as MedHELM's paper forms it (appendix E), in the metric's own units, clusters disregarded. */
  readonly medhelmMde: number | null
}

const CONFIDENCE = 0.95
const RESAMPLES = 2000

/**
 * Compares what two sides reached on the same instances.
 *
 * @param isBinary whether values are 0 or 1 by definition
 * @param name what is compared: names the random draws
 * @throws RangeError without a pair
 */
export const comparePaired = (
  values: readonly PairedValue[],
  { isBinary, name }: { readonly isBinary: boolean; readonly name: string },
): PairedResult => {
  if (values.length === 0) throw new RangeError('a comparison needs at least one pair')
  const clusters = clustersOf(values)
  const mean = clusterMean(clusters)
  const { standardError } = mean
  const spreads = standardError !== undefined && standardError > 0
  const differences = values.map(({ a, b }) => b - a)
  const common = {
    n: values.length,
    clusters: clusters.length,
    meanA: meanOf(values.map(({ a }) => a)),
    meanB: meanOf(values.map(({ b }) => b)),
    difference: mean.mean,
    mde: spreads ? detectableEffect(standardError) : null,
    medhelmMde: spreads ? (medhelmMde(differences) ?? null) : null,
  }
  const counts = isBinary && clusters.length === values.length ? countsOf(values) : undefined
  if (counts !== undefined) return { ...common, ...compareCounts(counts) }
  const { p, exact } = signFlip(
    clusters.map(({ sum }) => sum),
    randomKey(`sign flips of ${name}`),
  )
  return {
    ...common,
    interval: clusterInterval(mean, CONFIDENCE) ?? null,
    test: exact ? 'sign flips, all' : 'sign flips, 9,999 drawn',
    p,
    effect: standardized(clusters, name),
  }
}

const meanOf = (values: readonly number[]): number =>
  clusterMean(values.map((sum) => ({ sum, size: 1 }))).mean

/** A source's differences, in the order in which sources first come. */
interface Differences {
  readonly sum: number
  readonly size: number
  readonly each: readonly number[]
}

const clustersOf = (values: readonly PairedValue[]): readonly Differences[] => {
  const clusters = new Map<string | number, number[]>()
  for (const [index, { a, b, cluster }] of values.entries()) {
    const known = clusters.get(cluster ?? index)
    if (known === undefined) clusters.set(cluster ?? index, [b - a])
    else known.push(b - a)
  }
  return [...clusters.values()].map((each) => ({
    each,
    size: each.length,
    sum: each.reduce((sum, difference) => sum + difference, 0),
  }))
}

interface Counts {
  readonly onlyA: number
  readonly onlyB: number
  readonly n: number
}

/** Undefined where a value is neither 0 nor 1: trials were averaged. */
const countsOf = (values: readonly PairedValue[]): Counts | undefined => {
  const isWhole = (value: number): boolean => value === 0 || value === 1
  if (!values.every(({ a, b }) => isWhole(a) && isWhole(b))) return undefined
  return {
    onlyA: values.filter(({ a, b }) => a > b).length,
    onlyB: values.filter(({ a, b }) => b > a).length,
    n: values.length,
  }
}

const compareCounts = (counts: Counts): Pick<PairedResult, 'interval' | 'test' | 'p' | 'effect'> => {
  const { onlyA, onlyB } = counts
  const differing = onlyA + onlyB
  return {
    interval: tango(counts, CONFIDENCE),
    test: 'McNemar exact',
    p: mcnemarExact(onlyA, onlyB),
    effect:
      differing === 0
        ? null
        : { kind: 'share', value: onlyB / differing, interval: clopperPearson(onlyB, differing, CONFIDENCE) },
  }
}

const standardized = (clusters: readonly Differences[], name: string): EffectSize | null => {
  const value = dz(clusters)
  if (Number.isNaN(value)) return null
  const key = randomKey(`dz of ${name}`)
  const drawn = clusters.length < 2 ? [] : clusterBootstrap(clusters, dz, { resamples: RESAMPLES, key })
  return { kind: 'dz', value, interval: percentileInterval(drawn, CONFIDENCE) ?? null }
}

/** NaN where the differences don't spread. */
const dz = (clusters: readonly Differences[]): number => {
  const moments = new Moments()
  for (const { each } of clusters) for (const difference of each) moments.add(difference)
  const { mean, sd } = moments.summary()
  return sd > 0 ? mean / sd : NaN
}
