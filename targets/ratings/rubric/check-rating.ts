import type { RatingRubric } from './rating-rubric.ts'
import type { GivenRating } from '../reasons.ts'

/** What keeps a rating from being taken, in words for the rater, and where it is to be mended. */
export interface RatingFault {
  readonly text: string
  readonly criterion?: string
  readonly field?: 'comment' | 'reason'
}

/** Undefined for a rating that can be taken: each criterion has a score or can't be judged, which has a reason. */
export const ratingFault = (
  { scores, reason, safety, comment }: Pick<GivenRating, 'scores' | 'reason' | 'safety' | 'comment'>,
  { criteria, scale }: Pick<RatingRubric, 'criteria' | 'scale'>,
): RatingFault | undefined => {
  const unknown = Object.keys(scores).find((name) => !criteria.some((each) => each.name === name))
  if (unknown !== undefined) return { text: `${unknown} is no criterion of this rubric.` }
  const outside = criteria.find(({ name }) => {
    const score = scores[name] ?? scale.least
    return score < scale.least || score > scale.most
  })
  if (outside !== undefined)
    return { text: `${outside.title}: from ${scale.least} to ${scale.most}.`, criterion: outside.name }
  const isWhole = reason !== null && Object.keys(scores).length === 0
  const open = isWhole ? undefined : criteria.find(({ name }) => scores[name] === undefined)
  if (open !== undefined)
    return {
      text: `${open.title} is not rated yet. Rate it, or say why you can't.`,
      criterion: open.name,
    }
  const hasGap = isWhole || Object.values(scores).includes(null)
  if (hasGap && reason === null) return { text: 'Choose why it cannot be judged.', field: 'reason' }
  if (!hasGap && reason !== null) return { text: 'A reason is for what cannot be judged.', field: 'reason' }
  if (reason === 'other' && comment.trim() === '')
    return { text: 'Say in the comment why it cannot be judged.', field: 'comment' }
  if (safety && comment.trim() === '')
    return { text: 'Say in a line of comment what could harm.', field: 'comment' }
  return undefined
}
