import { exactMean } from '../exact-sum.ts'
import type { Interval } from '../intervals/interval.ts'
import { standing } from '../multiple/holm.ts'
import { oneSided } from './one-sided.ts'
import { likeThese, type LikeThese } from '../benchmarks/like-these.ts'

/**
 * Share of rivals that each model beats on each benchmark, ties half, over the rivals that were run there (HELM's rule).
 * @param scores by model, then benchmark; greater is better, undefined where it was not run
 * @returns by model, then benchmark; undefined where the model or every rival was not run
 */
export const winShares = (
  scores: readonly (readonly (number | undefined)[])[],
): readonly (readonly (number | undefined)[])[] =>
  scores.map((own, model) =>
    own.map((score, benchmark) => {
      if (score === undefined) return undefined
      // Without lists of the rivals: pages take this of any set of benchmarks, a million meetings of a large board.
      let [rivals, beaten, tied] = [0, 0, 0]
      for (let at = 0; at < scores.length; at += 1) {
        const rival = scores[at]?.[benchmark]
        if (at === model || rival === undefined) continue
        rivals += 1
        if (score > rival) beaten += 1
        else if (score === rival) tied += 1
      }
      return rivals === 0 ? undefined : (beaten + tied / 2) / rivals
    }),
  )

/** The mean of a model's shares over its benchmarks; undefined where it has none. */
export const winRate = (shares: readonly (number | undefined)[]): number | undefined => {
  const known = shares.filter((share) => share !== undefined)
  return known.length === 0 ? undefined : exactMean(known)
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
