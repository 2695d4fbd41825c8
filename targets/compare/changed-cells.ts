import type { MetricScale } from '../statistics/intervals/mean-interval.ts'
import type { Interval } from '../statistics/intervals/wilson.ts'
import { independentChange, type MeasuredScore } from '../statistics/paired/independent-change.ts'
import { pairDifference, type PairDifference } from '../statistics/paired/pair-difference.ts'
import type { PairedSides } from '../statistics/paired/paired-sides.ts'
import { CONFIDENCE } from '../statistics/scale.ts'
import { adjustHolm } from './compare-sides.ts'

/** A score of two releases. */
export interface ScorePair {
  /** With intervals of 95 %. */
  readonly before: MeasuredScore
  readonly now: MeasuredScore
  readonly metric: MetricScale
  /** `same`: no answer, judgement or value is another. Else the instances of both, or why they can't be paired. */
  readonly basis:
    | 'same'
    | {
        readonly runs: readonly PairedSides[]
        /** Instances of the side that has more. */
        readonly asked: number
      }
    | { readonly reason: string }
}

/** How a score changed from one release to the next. */
export interface CellChange {
  /** What changed: of a pair means on the instances that both have a value of; null without any. */
  readonly from: number | null
  readonly to: number | null
  readonly difference: number | null
  /** 95 %, of the test that gave p. */
  readonly interval: Interval | null
  /** Two-sided; null where the data can't carry one, or nothing was measured anew. */
  readonly p: number | null
  /** Adjusted over all scores that were tested. */
  readonly holm: number | null
  readonly way: 'same' | 'paired' | 'independent'
  /** Of a pair: instances of the side that has more, those that both were asked, and those that both have a value of. */
  readonly counts?: { readonly asked: number; readonly shared: number; readonly common: number }
  /** Why it is not paired, or not tested; empty else. */
  readonly reason: string
}

/**
 * Changes of scores: where the instances are known the paired difference, as `medmake compare` tests it. Others are held
 * against the intervals of two scores that are taken as independent: answers to the same instances vary together,
 * so that such a change is more often missed than made up.
 */
export const changedCells = (pairs: readonly ScorePair[]): readonly CellChange[] =>
  adjustHolm(pairs.map(changeOf)).filter((change) => change !== null)

type Change = Omit<CellChange, 'holm'>

const changeOf = ({ before, now, metric, basis }: ScorePair): Change => {
  const difference = now.value - before.value
  const base = { from: before.value, to: now.value, difference }
  if (basis === 'same') return { ...base, interval: null, p: null, way: 'same', reason: '' }
  if ('runs' in basis) return pairedChange(pairDifference(basis.runs, metric), basis.asked)
  return {
    ...base,
    ...independentChange(before, now, CONFIDENCE, metric.range),
    way: 'independent',
    reason: basis.reason,
  }
}

const pairedChange = (
  { meanA, meanB, difference, interval, p, n, common, reason }: PairDifference,
  asked: number,
): Change => ({
  from: meanA,
  to: meanB,
  difference,
  interval,
  p,
  way: 'paired',
  counts: { asked, shared: n, common },
  reason: p === null ? reason : '',
})
