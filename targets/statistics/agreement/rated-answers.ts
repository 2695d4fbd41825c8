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
