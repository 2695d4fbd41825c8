import { groupBy } from '../../cache/lists.ts'
import { defined } from '../../cache/values/defined.ts'
import type { BoardMetric } from '../runs/board-metric.ts'
import {
  gateOf,
  type GateBenchmark,
  type GateRow,
  type PooledLoss,
  type Verdict,
} from '../statistics/gate/gate.ts'
import { unitRun } from '../statistics/paired/pair-difference.ts'
import { areOnScale, OFF_SCALE, rangeOf, type Scale } from '../statistics/scale.ts'
import type { RunPair } from './compare-runs.ts'
import type { ComparedRun } from './compared-run.ts'
import { largestFalls } from './largest-falls.ts'
import { benchmarkSides } from './paired-sides.ts'
import { underFloor } from './under-floor.ts'
import { minus } from '../statistics/paired/paired-sides.ts'

/** A model's change on one benchmark, all its runs together; losses in units of the metric, positive is worse. */
export interface GatedRow extends Omit<GateRow, 'name' | 'loss' | 'bounds' | 'upper' | 'margin' | 'plan'> {
  readonly suite: string
  readonly benchmark: string
  readonly deployment: string
  readonly metric: string
  /** On common instances; null without one. */
  readonly loss: number | null
  readonly bounds: { readonly low: number; readonly high: number }
  /** What the loss stays below, at 97.5 %. */
  readonly upper: number
  /** Null where none is declared: nothing is then called not worse. */
  readonly margin: number | null
  /** The greatest losses of single instances: a mean says nothing of a rare fall. */
  readonly largestFalls: readonly number[]
}

/** Why a row takes no part in the gate. */
interface UngatedRow {
  readonly suite: string
  readonly benchmark: string
  readonly deployment: string
  /** `unchanged`: every answer, judgement and value is the base's, none asked for in another way. */
  readonly reason:
    | 'unchanged'
    | 'under its floor of coverage'
    | 'a scale without ends'
    | 'no direction'
    | 'no common instance'
    | typeof OFF_SCALE
}

export interface GateReport {
  /** One-sided level of the whole. */
  readonly alpha: number
  readonly familyLevel: number
  /** Mean loss over the rows, as a share of their scales. */
  readonly pooled: PooledLoss | null
  readonly rows: readonly GatedRow[]
  readonly ungated: readonly UngatedRow[]
  /** Regressed if any row or the pooled loss is; inconclusive where a declared margin is not settled. */
  readonly verdict: Verdict | 'nothing declared'
}

const ALPHA = 0.025
const POOLED_SHARE = 0.5

/** What the gate decides on as one: a model's runs on a benchmark of a suite. */
export const gatedPlace = (run: Pick<ComparedRun, 'suite' | 'deployment' | 'benchmark'>): string =>
  JSON.stringify([run.suite, run.deployment, run.benchmark])

/** @param pooledMargin as a share of the scales */
export const gateRuns = (pairs: readonly RunPair[], pooledMargin?: number): GateReport => {
  const units = [...groupBy(pairs, ({ b }) => gatedPlace(b)).values()].map(unitOf)
  const gated = units.flatMap((unit) => ('gate' in unit ? [unit] : []))
  const ungated = units.flatMap((unit) => ('gate' in unit ? [] : [unit]))
  const declared = new Set(pairs.flatMap(({ b }) => (b.margin === undefined ? [] : [gatedPlace(b)])))
  const isHeld = ungated.every((row) => row.reason === 'unchanged' || !declared.has(gatedPlace(row)))
  if (gated.length === 0) {
    const verdict = isHeld ? 'nothing declared' : 'inconclusive'
    return { alpha: ALPHA, familyLevel: ALPHA, pooled: null, rows: [], ungated, verdict }
  }
  const levels = defined({ alpha: ALPHA, pooledShare: POOLED_SHARE, pooledMargin })
  const { pooled, benchmarks, familyLevel } = gateOf(
    gated.map(({ gate }) => gate),
    levels,
  )
  const rows = benchmarks.flatMap((row, at): readonly GatedRow[] => {
    const unit = gated[at]
    return unit === undefined ? [] : [inUnits(row, unit)]
  })
  return { alpha: ALPHA, familyLevel, pooled, rows, ungated, verdict: verdictOf(pooled, rows, isHeld) }
}

interface GatedUnit {
  readonly place: Pick<GatedRow, 'suite' | 'benchmark' | 'deployment' | 'metric'>
  readonly gate: GateBenchmark
  readonly range: number
  readonly largestFalls: readonly number[]
}

const unitOf = (pairs: readonly RunPair[]): GatedUnit | UngatedRow => {
  const [first] = pairs
  if (first === undefined) throw new RangeError('a gated benchmark has a run')
  const { suite, benchmark, deployment, mainMetric, margin } = first.b
  const place = { suite, benchmark, deployment }
  // A run of which nothing could be read has no value of it, and lost all the same.
  const metric =
    first.b.main ??
    pairs.flatMap(({ a, b }) => [...b.metrics, ...a.metrics]).find(({ name }) => name === mainMetric)
  if (pairs.every(({ a, b }) => b.results !== undefined && a.results === b.results))
    return { ...place, reason: 'unchanged' }
  if (metric === undefined) return { ...place, reason: 'no common instance' }
  if (metric.lowerIsBetter === undefined) return { ...place, reason: 'no direction' }
  if (metric.range === undefined) return { ...place, reason: 'a scale without ends' }
  const isUnder = (side: 'a' | 'b'): boolean =>
    underFloor(
      pairs.map((pair) => pair[side]),
      mainMetric,
    ) !== null
  if (isUnder('a') || isUnder('b')) return { ...place, reason: 'under its floor of coverage' }
  return gatedUnit(pairs, { ...place, metric: mainMetric }, { ...metric, range: metric.range }, margin)
}

const gatedUnit = (
  pairs: readonly RunPair[],
  place: GatedUnit['place'],
  { range, lowerIsBetter, isBinary }: BoardMetric & { readonly range: Scale },
  margin: number | undefined,
): GatedUnit | UngatedRow => {
  const sides = benchmarkSides(pairs, place.metric)
  const runs = sides.map(({ rows, ...run }) => ({
    ...unitRun(run, range, lowerIsBetter === true),
    // Two models' answers to the same rows are one piece of evidence of the pooled loss.
    pooledSources: run.sources ?? rows,
  }))
  if (runs.length === 0) return { ...place, reason: 'no common instance' }
  if (!areOnScale(sides, range)) return { ...place, reason: OFF_SCALE }
  const size = rangeOf(range)
  // Of answers that are right or wrong each fall is the whole scale.
  const falls = isBinary ? [] : runs.flatMap(({ a, b }) => [...minus(a, b)])
  return {
    place,
    range: size,
    gate: {
      name: JSON.stringify(place),
      runs,
      isBinary,
      ...(margin !== undefined && { margin: margin / size }),
    },
    largestFalls: largestFalls(falls).map((fall) => fall * size),
  }
}

const inUnits = (row: GateRow, { place, range, largestFalls }: GatedUnit): GatedRow => {
  const { name: _, plan: _plan, loss, bounds, upper, margin, ...rest } = row
  return {
    ...place,
    ...rest,
    loss: loss === undefined ? null : loss * range,
    bounds: { low: bounds.low * range, high: bounds.high * range },
    upper: upper * range,
    margin: margin === undefined ? null : margin * range,
    largestFalls,
  }
}

/**
 * Only declared margins can be left open; without any the gate finds regressions and claims nothing else.
 * @param isHeld whether all that declare one were gated, or did not change
 */
const verdictOf = (pooled: PooledLoss, rows: readonly GatedRow[], isHeld: boolean): GateReport['verdict'] => {
  const all = [pooled, ...rows]
  if (all.some(({ verdict }) => verdict === 'regressed')) return 'regressed'
  const declared = all.filter(({ margin }) => margin !== undefined && margin !== null)
  if (!isHeld || declared.some(({ verdict }) => verdict === 'inconclusive')) return 'inconclusive'
  return rows.every(({ margin }) => margin !== null) ? 'not worse' : 'nothing declared'
}
