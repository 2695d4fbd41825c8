import type { Interval } from '../statistics/intervals/wilson.ts'
import { rankByWins } from './ranks/rank-models.ts'
import type { RankColumn } from './ranks/rank-column.ts'
import { rankColumns } from './ranks/rank-columns.ts'
import { withIds } from '../runs/instance-vector.ts'
import type { RunPair } from './compare-runs.ts'
import { pairInstances } from './paired-sides.ts'

/** Shares of the benchmarks that each side wins against the other, ties half; on the instances that both have in full. */
export interface WinDifference {
  readonly winRateA: number
  readonly winRateB: number
  /** B − A. */
  readonly difference: number
  /** 95 %, on these very benchmarks: wins and losses that paired tests let stand. */
  readonly onThese: Interval | null
  /** 95 %, of benchmarks like these; null under 8 of them. */
  readonly likeThese: Interval | null
  /** Benchmarks compared. */
  readonly benchmarks: number
}

/**
 * Head to head over all benchmarks; undefined where none says what is better, and where a side has several runs that ask the
 * same: of several models, or in several suites.
 */
export const winDifference = (pairs: readonly RunPair[]): WinDifference | undefined => {
  if (new Set(pairs.map(({ b }) => b.scenario)).size < pairs.length) return undefined
  const runs = pairs.flatMap((pair) => [
    {
      ...namedAsB(pair),
      scenario: pair.b.scenario,
      benchmark: pair.b.benchmark,
      deployment: 'A',
    },
    { ...pair.b, deployment: 'B' },
  ])
  const { models, columns } = rankColumns(runs)
  return headToHead(models, columns)
}

/** A's instances by B's names, as `compareRuns` pairs the two: rows may have moved, and an id may name another question. */
const namedAsB = ({ a, b }: RunPair): RunPair['a'] => {
  const paired = new Map(pairInstances(a, b).map((pair) => [pair.a, pair.b]))
  // No instance has such an id.
  const ids = a.ids.map((id, at) => b.ids[paired.get(at) ?? -1] ?? `of A alone\u0000${id}`)
  const instances = a.instances.map((own, at) => b.instances[paired.get(at) ?? -1] ?? own)
  return { ...withIds(a, ids), instances }
}

/** The same of columns of two models, named A and B. */
export const headToHead = (
  names: readonly string[],
  columns: readonly RankColumn[],
): WinDifference | undefined => {
  const ranking = rankByWins(names, columns)
  const a = ranking.models.find(({ name }) => name === 'A')
  const b = ranking.models.find(({ name }) => name === 'B')
  if (a === undefined || b === undefined) return undefined
  return {
    winRateA: a.winRate,
    winRateB: b.winRate,
    difference: b.winRate - a.winRate,
    onThese: ofDifference(b.winRateOnThese),
    likeThese: ofDifference(b.winRateLikeThese),
    benchmarks: ranking.columns.length,
  }
}

/** Against one other a model's win rate is what the other's lacks to 1: B − A = 2 B − 1. */
const ofDifference = (interval: Interval | null): Interval | null =>
  interval === null ? null : { low: 2 * interval.low - 1, high: 2 * interval.high - 1 }
