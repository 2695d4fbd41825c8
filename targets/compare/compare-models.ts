import { pairDifference, type PairDifference } from '../statistics/paired/pair-difference.ts'
import type { MetricScale } from '../statistics/intervals/mean-interval.ts'
import { tiedScore } from '../statistics/mean.ts'
import { areOnScale, NO_DIRECTION, NO_ENDS, OFF_SCALE, shareOf, type Scale } from '../statistics/scale.ts'
import { alignedLists, meansOf } from '../runs/aligned-vectors.ts'
import { adjustHolm, compareSides, medhelmMdeOf, type AdjustedDifference } from './compare-sides.ts'
import type { RankColumn } from './ranks/rank-column.ts'
import { headToHead, type WinDifference } from './win-difference.ts'
import type { PairedSides } from '../statistics/paired/paired-sides.ts'

/** A benchmark that two models were run on. */
export interface SharedBenchmark {
  readonly benchmark: string
  /** Benchmarks of a group are averaged together. */
  readonly group: string
  readonly metric: MetricScale & { readonly lowerIsBetter?: boolean }
  /** False where a model's coverage over its runs is under the floor: it counts in no win rate. */
  readonly isRanked: boolean
  readonly runs: readonly SharedScenario[]
}

/** A run that both models have. Values in the metric's own units: NaN was not read, undefined not asked. */
interface SharedScenario {
  readonly scenario: string
  readonly a: readonly (number | undefined)[]
  readonly b: readonly (number | undefined)[]
  /** Number of each instance's source, the same over all runs and benchmarks. */
  readonly sources?: readonly number[]
  /** True where these are but the rows' own ids, which tie a run to the benchmark's others: alone it has no sources. */
  readonly areRows?: boolean
  /** Whether the values of A, and of B, are means over several trials. */
  readonly areMeans?: readonly boolean[]
  readonly isRanked: boolean
}

/** One run of both. */
export interface ComparedScenario {
  readonly benchmark: string
  readonly group: string
  readonly scenario: string
  readonly metric: SharedBenchmark['metric']
  /** What `medmake compare` tells of it; null where a side is unranked or nothing is shared. */
  readonly result: AdjustedDifference | null
  /** B − A where a side is unranked, with the bounds of what is missing: shown, decides nothing. */
  readonly unranked: PairDifference | null
  /** Instances on which each side has the better value, or neither; null where nobody says what is better. */
  readonly tally: { readonly a: number; readonly b: number; readonly tied: number } | null
  /** Detectable difference as MedHELM's paper forms it (appendix E), sources disregarded. */
  readonly medhelmMde: number | null
}

/** Several benchmarks together, each as a share of its scale, turned so that more is better; B − A. */
interface GroupDifference {
  readonly group: string
  readonly benchmarks: number
  /** Null without a benchmark whose scale has ends. */
  readonly result: AdjustedDifference | null
}

/** Two models over all that both were run on. */
export interface ComparedModels {
  readonly scenarios: readonly ComparedScenario[]
  readonly wins: WinDifference | undefined
  /** Over all benchmarks together. */
  readonly all: PairDifference | null
  /** Benchmarks that it is over. */
  readonly averaged: number
  /** The others, with the reason. */
  readonly leftOut: readonly { readonly benchmark: string; readonly reason: string }[]
  /** p values adjusted by Holm over the groups. */
  readonly groups: readonly GroupDifference[]
}

export const compareModels = (shared: readonly SharedBenchmark[]): ComparedModels => {
  const runs = shared.flatMap((benchmark) =>
    benchmark.runs.map((run) => ({ benchmark, run, sides: aloneOf(benchmark.benchmark, run) })),
  )
  const results = compareSides(
    runs.map(({ benchmark: { metric }, run: { isRanked }, sides }) => ({ sides, metric, isRanked })),
  )
  const units = shared.map((benchmark) => ({ benchmark: benchmark.benchmark, ...unitSides(benchmark) }))
  const scaled = units.flatMap(({ sides }) => sides)
  const leftOut = units.flatMap(({ benchmark, reason }) =>
    reason === undefined ? [] : [{ benchmark, reason }],
  )
  const groups = [...new Set(shared.map(({ group }) => group))]
  const ofGroups = adjustHolm(groups.map((group) => together(scaled.filter((each) => each.group === group))))
  return {
    scenarios: runs.map(({ benchmark: { benchmark, group, metric }, run, sides }, at) => ({
      benchmark,
      group,
      scenario: run.scenario,
      metric,
      result: results[at] ?? null,
      unranked: run.isRanked ? null : pairDifference([sides], metric),
      tally: tallyOf(sides, metric.lowerIsBetter),
      medhelmMde: medhelmMdeOf([sides]),
    })),
    wins: headToHead(
      ['A', 'B'],
      shared.flatMap((benchmark) => (benchmark.isRanked ? columnOf(benchmark) : [])),
    ),
    all: together(scaled),
    averaged: units.length - leftOut.length,
    leftOut,
    groups: groups.map((group, at) => ({
      group,
      benchmarks: units.filter(({ reason }, place) => reason === undefined && shared[place]?.group === group)
        .length,
      result: ofGroups[at] ?? null,
    })),
  }
}

/** Only instances that both were asked. */
const sidesOf = (benchmark: string, { a, b, sources, areMeans = [] }: SharedScenario): PairedSides => {
  const at = a.flatMap((value, place) => (value === undefined || b[place] === undefined ? [] : [place]))
  return {
    benchmark,
    a: at.map((place) => a[place] ?? NaN),
    b: at.map((place) => b[place] ?? NaN),
    areMeans: areMeans.includes(true),
    ...(sources && { sources: at.map((place) => String(sources[place])) }),
  }
}

/** As `medmake compare` pairs the two runs. */
const aloneOf = (benchmark: string, { sources, ...run }: SharedScenario): PairedSides =>
  sidesOf(benchmark, { ...run, ...(sources && run.areRows !== true && { sources }) })

interface ScaledSides {
  readonly group: string
  readonly isBinary: boolean
  readonly sides: PairedSides
}

/** A benchmark's runs as shares of its scale; with the reason where no average of what both have takes it in. */
interface UnitSides {
  readonly sides: readonly ScaledSides[]
  readonly reason?: string
}

const unitSides = ({ benchmark, group, metric, isRanked, runs }: SharedBenchmark): UnitSides => {
  const { range, lowerIsBetter } = metric
  if (!isRanked) return { sides: [], reason: 'not measured in full' }
  if (lowerIsBetter === undefined) return { sides: [], reason: NO_DIRECTION }
  if (range === undefined) return { sides: [], reason: NO_ENDS }
  const all = runs.map((run) => (runs.length === 1 ? aloneOf : sidesOf)(benchmark, run))
  if (!areOnScale(all, range)) return { sides: [], reason: OFF_SCALE }
  return {
    sides: all.map((sides) => ({
      group,
      isBinary: metric.isBinary,
      sides: { ...sides, a: shares(sides.a, range, lowerIsBetter), b: shares(sides.b, range, lowerIsBetter) },
    })),
    ...(all.some(hasCommon) ? {} : { reason: 'no common instance' }),
  }
}

/** Whether an instance could be read of both. */
const hasCommon = ({ a, b }: PairedSides): boolean => {
  for (let at = 0; at < a.length; at += 1)
    if (!Number.isNaN(a[at] ?? NaN) && !Number.isNaN(b[at] ?? NaN)) return true
  return false
}

const shares = (values: ArrayLike<number>, range: Scale, isLowerBetter: boolean): readonly number[] =>
  Array.from(values, (value) => shareOf(value, range, isLowerBetter))

/** Of one run it is that run's own question, which has one p. */
const together = (scaled: readonly ScaledSides[]): PairDifference | null =>
  scaled.length === 0
    ? null
    : pairDifference(
        scaled.map(({ sides }) => sides),
        { isBinary: scaled.every(({ isBinary }) => isBinary), range: { low: 0, high: 1 } },
      )

const columnOf = ({ benchmark, metric, runs }: SharedBenchmark): RankColumn => ({
  benchmark,
  ...metric,
  strata: runs.map(({ a, b, sources, areRows = false, areMeans = [] }) => ({
    ...alignedLists(a.length, [a, b]),
    ...meansOf(areMeans),
    ...(sources && { sources: sources.map(String), areRows }),
  })),
})

const tallyOf = ({ a, b }: PairedSides, lowerIsBetter: boolean | undefined): ComparedScenario['tally'] => {
  if (lowerIsBetter === undefined) return null
  const tally = { a: 0, b: 0, tied: 0 }
  for (let at = 0; at < a.length; at += 1) {
    const own = a[at] ?? NaN
    const lead = tiedScore(b[at] ?? NaN, [own]) - own
    if (Number.isNaN(lead)) continue
    if (lead === 0) tally.tied += 1
    else tally[lead > 0 === lowerIsBetter ? 'a' : 'b'] += 1
  }
  return tally
}
