import { averageRanks, tiedScore } from '../../statistics/mean.ts'

/** A mean over the instances that could be read in full of all judges that it is by. */
export interface ReadMean {
  /** Null where there is no such instance. */
  readonly mean: number | null
  readonly instances: number
}

export interface Standing {
  readonly score: number | null
  /** From 1, the best first; equal scores share the mean rank. Null without a score, and for a run that is not ranked. */
  readonly rank: number | null
  /** Instances that the score is over. */
  readonly instances: number
}

/** Ranks from 1, the highest score first; equal scores share the mean rank. */
export const bestFirstRanks = (scores: readonly number[]): readonly number[] =>
  averageRanks(scores.map((score) => -score))

/** @param ranked by run: whether its coverage, judgements included, is not under its floor */
export const standingsOf = (
  means: readonly (ReadMean | undefined)[],
  ranked: readonly boolean[],
): readonly Standing[] => {
  const known = means.map((each) => each?.mean)
  // Sums in another order must not part what is equal.
  const scores = known.map((mean) => (mean === null || mean === undefined ? null : tiedScore(mean, known)))
  const ranks = bestFirstRanks(scores.flatMap((score, at) => (ranked[at] === true ? (score ?? []) : [])))
  let next = 0
  return scores.map((score, at) => ({
    score,
    rank: score !== null && ranked[at] === true ? (ranks[next++] ?? null) : null,
    instances: means[at]?.instances ?? 0,
  }))
}

/** Pairs of ranked runs, the higher one before, that stand the other way round after; a tie on either side is no swap. */
export const swapsOf = (
  before: readonly Standing[],
  after: readonly Standing[],
): readonly (readonly [over: number, under: number])[] => {
  const isOver = (standings: readonly Standing[], i: number, j: number): boolean =>
    (standings[i]?.rank ?? NaN) < (standings[j]?.rank ?? NaN)
  return before.flatMap((_, i) =>
    before.flatMap((__, j): readonly (readonly [number, number])[] =>
      isOver(before, i, j) && isOver(after, j, i) ? [[i, j]] : [],
    ),
  )
}
