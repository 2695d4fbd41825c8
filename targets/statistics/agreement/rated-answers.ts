/**
 * Answers that clinicians and a jury scored. Rows of `scores` are raters, its columns answers; null: not rated. The
 * jury's score of an answer is null where it gave none.
 */
export interface RatedAnswers {
  readonly scores: readonly (readonly (number | null)[])[]
  readonly jury: readonly (number | null)[]
  /**
   * Name of what each answer was drawn with: its question, whichever model answered, or a patient that several questions
   * share. Absent where each stands for itself.
   */
  readonly sources?: readonly string[]
}

/** Scores closer than this are one score: thirds do not add up to the last digit. */
export const TIE = 1e-9

/** How often each answer and each rater counts: integers from 0, by column and by row. */
export interface Multiplicities {
  readonly answers: readonly number[]
  readonly raters: readonly number[]
}

/** As if every answer and rater stood there once. */
export const onceEach = ({ scores, jury }: RatedAnswers): Multiplicities => ({
  answers: jury.map(() => 1),
  raters: scores.map(() => 1),
})

/** The ratings of each answer, by column: which rater, by row, gave what. */
export type RatingsByAnswer = readonly (readonly { readonly rater: number; readonly score: number }[])[]

export const ratingsByAnswer = ({ scores, jury }: RatedAnswers): RatingsByAnswer =>
  jury.map((_, answer) =>
    scores.flatMap((row, rater) => {
      const score = row[answer] ?? null
      return score === null ? [] : [{ rater, score }]
    }),
  )
