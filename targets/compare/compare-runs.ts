import { isDeepStrictEqual } from 'node:util'
import type { BoardMetric } from '../runs/board-metric.ts'
import {
  compareSides,
  withNoticeable,
  type AdjustedDifference,
  type ComparisonResult,
} from './compare-sides.ts'
import { pairDifference } from '../statistics/paired/pair-difference.ts'
import { valueLosses, type Causes } from '../record/coverage.ts'
import type { ComparedRun } from './compared-run.ts'
import { largestFalls } from './largest-falls.ts'
import { underFloor, type UnderFloor } from './under-floor.ts'
import { pairedSides } from './paired-sides.ts'
import { minus, type PairedSides } from '../statistics/paired/paired-sides.ts'

/** Two runs that are to be compared: A before or against, B after or for. */
export interface RunPair {
  readonly a: ComparedRun
  readonly b: ComparedRun
}

/** What is compared. */
interface ComparedMetric {
  readonly suite: string
  readonly benchmark: string
  readonly scenario: string
  readonly runA: string
  readonly runB: string
  readonly deploymentB: string
  readonly metric: string
  /** True for the metric that stands for the benchmark. */
  readonly isMain: boolean
  /** Null where nobody says what is better. */
  readonly lowerIsBetter: boolean | null
}

/** One metric of two runs on the instances that both have a value of. */
export interface Comparison extends ComparedMetric {
  /** Instances that only one side was asked. */
  readonly unpairedA: number
  readonly unpairedB: number
  /** Instances of both sides that have no value that could be read. */
  readonly lostA: number
  readonly lostB: number
  /** Why a side's whole run lacks values of the main metric; empty for others. */
  readonly causesA: Causes
  readonly causesB: Causes
  /** The greatest losses of single instances from A to B, where values are other than right and wrong. */
  readonly largestFalls: readonly number[]
  /** Means over each side's run as HELM forms them, defaults for lost judgements included: shown, decide nothing. */
  readonly helmA: number | null
  readonly helmB: number | null
  /** What there is where a side's coverage is under its floor: shown, and nothing is decided by it. */
  readonly unranked: UnrankedMeans | null
  /** Null where no instance is shared, or a side is unranked. */
  readonly result: ComparisonResult | null
}

/** Means on the instances that both have a value of. */
interface UnrankedMeans {
  readonly n: number
  readonly meanA: number | null
  readonly meanB: number | null
  /** A coverage for each side that is under its floor. */
  readonly a: UnderFloor | null
  readonly b: UnderFloor | null
}

/** Compares pair by pair and metric by metric; p values are adjusted by Holm over all of them. */
export const compareRuns = (pairs: readonly RunPair[]): readonly Comparison[] => {
  const compared = pairs.flatMap(({ a, b }) =>
    metricsOf({ a, b }).map((metric) => {
      const sides = pairedSides({ a, b }, metric.name)
      const unranked = unrankedMeans({ a, b }, metric.name, sides)
      return { a, b, metric, sides, unranked, isRanked: unranked === null }
    }),
  )
  const results = compareSides(compared)
  return compared.map(({ a, b, metric, sides, unranked }, at) => ({
    ...identityOf({ a, b }, metric),
    unpairedA: a.instances.length - sides.a.length,
    unpairedB: b.instances.length - sides.b.length,
    lostA: lost(sides.a),
    lostB: lost(sides.b),
    causesA: lossesOf(a, metric),
    causesB: lossesOf(b, metric),
    largestFalls: fallsOf(sides, metric),
    helmA: a.helmMeans.get(metric.name) ?? null,
    helmB: b.helmMeans.get(metric.name) ?? null,
    unranked,
    result: noticed(results[at], sides),
  }))
}

/** Those that both have values of, and their main one: where a side has none of it all is lost, which must be told. */
const metricsOf = ({ a, b }: RunPair): readonly BoardMetric[] => {
  const shared = b.metrics.filter(({ name }) => a.metrics.some((other) => other.name === name))
  const main =
    a.mainMetric === b.mainMetric
      ? (b.main ?? [...a.metrics, ...b.metrics].find(({ name }) => name === b.mainMetric))
      : undefined
  return main === undefined || shared.some(({ name }) => name === main.name) ? shared : [main, ...shared]
}

const noticed = (found: AdjustedDifference | null | undefined, sides: PairedSides): ComparisonResult | null =>
  found ? withNoticeable(found, [sides]) : null

const lost = (values: ArrayLike<number>): number => Array.from(values).filter(Number.isNaN).length

const lossesOf = ({ mainMetric, causes = {} }: ComparedRun, { name }: BoardMetric): Causes =>
  name === mainMetric ? valueLosses(causes) : {}

const fallsOf = ({ a, b }: PairedSides, { isBinary, lowerIsBetter }: BoardMetric): readonly number[] =>
  isBinary || lowerIsBetter === undefined ? [] : largestFalls(lowerIsBetter ? minus(b, a) : minus(a, b))

const unrankedMeans = ({ a, b }: RunPair, metric: string, sides: PairedSides): UnrankedMeans | null => {
  const [underA, underB] = [underFloor([a], metric), underFloor([b], metric)]
  if (underA === null && underB === null) return null
  const { common, meanA, meanB } = pairDifference([sides], { isBinary: false })
  return { n: common, meanA, meanB, a: underA, b: underB }
}

const identityOf = ({ a, b }: RunPair, metric: BoardMetric): ComparedMetric => ({
  suite: b.suite,
  benchmark: b.benchmark,
  scenario: b.scenario,
  runA: a.name,
  runB: b.name,
  deploymentB: b.deployment,
  metric: metric.name,
  isMain: metric.name === b.mainMetric,
  lowerIsBetter: metric.lowerIsBetter ?? null,
})

/** Whether every instance has the same values on both sides; what has none on either is equal where the very same left it open. */
export const areEqual = ({ a, b }: RunPair): boolean => isDeepStrictEqual(valuesOf(a), valuesOf(b))

const valuesOf = ({ ids, values, instances }: ComparedRun): ReadonlyMap<string, readonly unknown[]> =>
  new Map(
    ids.map((id, at) => [
      id,
      [...values].map(([name, own]) => {
        const value = own[at] ?? NaN
        return [name, Number.isNaN(value) ? (instances[at]?.results ?? Symbol(id)) : value]
      }),
    ]),
  )
