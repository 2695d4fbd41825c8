import { averageRanks } from '../../statistics/mean.ts'

/** Ranks from 1, the highest score first; equal scores share the mean rank. */
export const bestFirstRanks = (scores: readonly number[]): readonly number[] =>
  averageRanks(scores.map((score) => -score))

/** True where two stand the other way round afterwards; a tie on either side is no swap. */
export const isSwap = (
  before: readonly number[],
  after: readonly number[],
  i: number,
  j: number,
): boolean => {
  const gap = (scores: readonly number[]): number => (scores[i] ?? NaN) - (scores[j] ?? NaN)
  return gap(before) * gap(after) < 0
}
