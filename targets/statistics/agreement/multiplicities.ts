import type { RatedAnswers } from './rated-answers.ts'

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
