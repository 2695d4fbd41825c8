import type { GivenRating } from '../../../targets/ratings/reasons.ts'

/** A rating on the screen, not saved yet. */
export interface Draft extends Pick<GivenRating, 'scores' | 'reason' | 'safety' | 'comment'> {
  /** The list of reasons is open. */
  readonly cannotJudge: boolean
}

export const EMPTY: Draft = { scores: {}, reason: null, safety: false, comment: '', cannotJudge: false }

export const draftOf = (given: GivenRating | null): Draft =>
  given === null
    ? EMPTY
    : {
        scores: given.scores,
        reason: given.reason,
        safety: given.safety,
        comment: given.comment,
        cannotJudge: given.reason !== null,
      }
