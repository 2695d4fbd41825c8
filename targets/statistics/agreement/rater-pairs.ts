import type { RatedAnswers } from './rated-answers.ts'
import { standardizedIcc, type WeightedPair } from './weighted-correlation.ts'

/** Two raters, by row, and the answers that both scored, by column. */
export interface RaterPair {
  readonly raters: readonly [number, number]
  readonly common: readonly { readonly answer: number; readonly a: number; readonly b: number }[]
}

/** Every pair of raters with two or more answers in common, in the order of the rows. */
export const raterPairs = ({ scores }: Pick<RatedAnswers, 'scores'>): readonly RaterPair[] =>
  scores.flatMap((one, first) =>
    scores.slice(first + 1).flatMap((two, step): readonly RaterPair[] => {
      const common = one.flatMap((a, answer) => {
        const b = two[answer] ?? null
        return a === null || b === null ? [] : [{ answer, a, b }]
      })
      return common.length < 2 ? [] : [{ raters: [first, first + 1 + step], common }]
    }),
  )

/** The pair's scores of the answers that count, by how often each does. */
export const weighedScores = ({ common }: RaterPair, answers: readonly number[]): readonly WeightedPair[] => {
  const scores: WeightedPair[] = []
  for (const { answer, a, b } of common) {
    const weight = answers[answer] ?? 0
    if (weight > 0) scores.push({ a, b, weight })
  }
  return scores
}

/** ICC(3,k), k = 2, of each pair's scores, each standardized over the common answers; null where one has no spread there. */
export const pairIcc = ({ common }: RaterPair): number | null =>
  standardizedIcc(common.map(({ a, b }) => ({ a, b, weight: 1 })))
