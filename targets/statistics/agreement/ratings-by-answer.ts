import type { RatedAnswers } from './rated-answers.ts'

/** The ratings of each answer, by column: which rater, by row, gave what. */
export type RatingsByAnswer = readonly (readonly { readonly rater: number; readonly score: number }[])[]

export const ratingsByAnswer = ({ scores, jury }: RatedAnswers): RatingsByAnswer =>
  jury.map((_, answer) =>
    scores.flatMap((row, rater) => {
      const score = row[answer] ?? null
      return score === null ? [] : [{ rater, score }]
    }),
  )
