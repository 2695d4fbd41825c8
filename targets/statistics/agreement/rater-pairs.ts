import type { RatedAnswers } from './rated-answers.ts'
import { standardizedIcc, type WeightedPair } from './weighted-correlation.ts'

/** How two raters agree over the answers that both scored. */
export interface RaterPair {
  /** Their rows. */
  readonly raters: readonly [number, number]
  /** Answers that both scored. */
  readonly common: number
  /** ICC(3,k), k = 2, of their scores, each standardized over the common answers; null where one has no spread there. */
  readonly icc: number | null
  readonly scores: readonly WeightedPair[]
}

/**
 * Every pair of raters with two or more answers in common, in the order of the rows.
 * @param answerWeight how often each answer counts; those of 0 are left out
 */
export const raterPairs = (
  { scores }: Pick<RatedAnswers, 'scores'>,
  answerWeight?: readonly number[],
): readonly RaterPair[] => {
  const pairs: RaterPair[] = []
  for (let first = 0; first < scores.length; first += 1)
    for (let second = first + 1; second < scores.length; second += 1) {
      const common = commonScores(scores[first] ?? [], scores[second] ?? [], answerWeight)
      if (common.length >= 2)
        pairs.push({
          raters: [first, second],
          common: common.length,
          icc: standardizedIcc(common),
          scores: common,
        })
    }
  return pairs
}

const commonScores = (
  one: readonly (number | null)[],
  two: readonly (number | null)[],
  answerWeight: readonly number[] | undefined,
): readonly WeightedPair[] =>
  one.flatMap((a, answer) => {
    const b = two[answer] ?? null
    const weight = answerWeight === undefined ? 1 : (answerWeight[answer] ?? 0)
    return a === null || b === null || weight === 0 ? [] : [{ a, b, weight }]
  })
