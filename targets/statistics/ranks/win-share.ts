import { statisticsMean } from '../../../benchmarks/python/numbers/mean.ts'
import type { Interval } from '../intervals/wilson.ts'
import { standing } from '../multiple/holm.ts'
import { oneSided } from './rank-sets.ts'
import { likeThese, type LikeThese } from '../benchmarks/like-these.ts'

/**
 * For each row's value in a column the share of the others that it beats, ties half (HELM.md T23).
 * @returns by row; undefined for a row without a value, and for all where none has a rival
 */
export const columnShares = (
  values: readonly (number | undefined)[],
  lowerIsBetter: boolean,
): readonly (number | undefined)[] => {
  const known = values.filter((value) => value !== undefined)
  if (known.length < 2) return values.map(() => undefined)
  const ties = new Map<number, number>()
  for (const value of known) ties.set(value, (ties.get(value) ?? 0) + 1)
  const shares = new Map<number, number>()
  let worse = 0
  for (const [value, same] of [...ties].sort(([a], [b]) => (lowerIsBetter ? b - a : a - b))) {
    shares.set(value, (worse + (same - 1) / 2) / (known.length - 1))
    worse += same
  }
  return values.map((value) => (value === undefined ? undefined : shares.get(value)))
}

/**
 * The same of each model on each benchmark.
 * @param scores by model, then benchmark; greater is better, undefined where it was not run
 */
export const winShares = (
  scores: readonly (readonly (number | undefined)[])[],
): readonly (readonly (number | undefined)[])[] => {
  const columns = (scores[0] ?? []).map((_, benchmark) =>
    columnShares(
      scores.map((own) => own[benchmark]),
      false,
    ),
  )
  return scores.map((_, model) => columns.map((shares) => shares[model]))
}

/** HELM's mean of a row's shares over its columns; undefined where it has none. */
export const winRate = (shares: readonly (number | undefined)[]): number | undefined => {
  const known = shares.filter((share) => share !== undefined)
  return known.length === 0 ? undefined : statisticsMean(known)
}

/** The share to expect on a further benchmark of such size: t over the benchmarks, within 0 and 1. */
export const winRateLikeThese = (shares: readonly number[], confidence: number): LikeThese =>
  likeThese(shares, confidence, { low: 0, high: 1 })

/** A rival on one benchmark, as a model meets it. */
export interface Meeting {
  /** Own score minus the rival's. */
  readonly difference: number
  /** Two-sided; 1 where it was not tested. */
  readonly p: number
}

/** Where a model's win rate on these very benchmarks lies: wins and losses that Holm's method lets stand over all. */
export const winRateOnThese = (meetings: readonly Meeting[], alpha: number): Interval => {
  // Of each meeting that it was won, and that it was lost.
  const ps = new Float64Array(2 * meetings.length)
  for (const [at, { difference, p }] of meetings.entries()) {
    ps[2 * at] = oneSided(p, difference >= 0)
    ps[2 * at + 1] = oneSided(p, difference < 0)
  }
  const sure = standing(ps, alpha)
  const won = sure.filter((at) => at % 2 === 0).length
  return { low: won / meetings.length, high: 1 - (sure.length - won) / meetings.length }
}
