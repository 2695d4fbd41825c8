import type { RatingRubric } from './rating-rubric.ts'
import type { GivenRating } from './reasons.ts'

/** What keeps a rating from being taken, in words for the rater; undefined where nothing does. */
export const ratingFault = (
  { scores, reason, safety, comment }: Pick<GivenRating, 'scores' | 'reason' | 'safety' | 'comment'>,
  { criteria, scale }: Pick<RatingRubric, 'criteria' | 'scale'>,
): { readonly text: string; readonly criterion?: string; readonly field?: 'comment' } | undefined => {
  const unknown = Object.keys(scores).find((name) => !criteria.some((each) => each.name === name))
  if (unknown !== undefined) return { text: `${unknown} is no criterion of this rubric.` }
  const outside = criteria.find(({ name }) => {
    const score = scores[name]
    return score !== undefined && (score < scale.least || score > scale.most)
  })
  if (outside !== undefined)
    return { text: `${outside.title}: from ${scale.least} to ${scale.most}.`, criterion: outside.name }
  if (reason === 'other' && comment.trim() === '')
    return { text: 'Say in the comment why it cannot be judged.', field: 'comment' }
  const open = reason === null ? criteria.find(({ name }) => scores[name] === undefined) : undefined
  if (open !== undefined)
    return {
      text: `${open.title} is not rated yet. Rate it, or say why you can't.`,
      criterion: open.name,
    }
  if (safety && comment.trim() === '')
    return { text: 'Say in a line of comment what could harm.', field: 'comment' }
  return undefined
}
