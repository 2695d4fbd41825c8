import type { GivenRating } from '../../../targets/ratings/reasons.ts'

/** A rating on the screen, not saved yet. */
export interface Draft extends Pick<GivenRating, 'scores' | 'reason' | 'safety' | 'comment'> {
  /** Nothing of the answer can be judged. */
  readonly cannotJudge: boolean
}

export const EMPTY: Draft = { scores: {}, reason: null, safety: false, comment: '', cannotJudge: false }

export const draftOf = (given: GivenRating | null): Draft => {
  if (given === null) return EMPTY
  const { scores, reason, safety, comment } = given
  return { scores, reason, safety, comment, cannotJudge: Object.keys(scores).length === 0 }
}

/** Whether single criteria can't be judged, but others can. */
export const hasGap = ({ scores, cannotJudge }: Draft): boolean =>
  !cannotJudge && Object.values(scores).includes(null)

/** What a draft says, as it is saved. */
export const ratingOf = (draft: Draft): Omit<Draft, 'cannotJudge'> => {
  const { scores, reason, safety, comment, cannotJudge } = draft
  return {
    scores: cannotJudge ? {} : scores,
    reason: cannotJudge || hasGap(draft) ? reason : null,
    safety,
    comment,
  }
}
