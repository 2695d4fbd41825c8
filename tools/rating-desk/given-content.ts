import { randomBytes } from 'node:crypto'
import { subjectOf, type NewEvent, type RatingContent } from '../../targets/ratings/event.ts'
import { itemScore } from '../../targets/ratings/rubric/item-rubric.ts'
import type { QueuedUnit } from '../../targets/ratings/queue.ts'
import { judgedScores, type GivenRating } from '../../targets/ratings/reasons.ts'

/** What an event tells of a rating that a page gave. @param points of an instance's own rubric */
export const givenEvent = (
  given: GivenRating,
  { unit, order, isPractice }: QueuedUnit,
  points: readonly number[] | undefined,
): Pick<NewEvent, 'kind' | 'order' | 'subject' | 'content' | 'practice'> => {
  const scores = judgedScores(given.scores)
  return {
    kind: Object.keys(scores).length === 0 ? 'cannot-judge' : 'rated',
    order,
    subject: subjectOf(unit),
    ...(isPractice ? { practice: true as const } : {}),
    content: contentOf(given, scores, points),
  }
}

const contentOf = (
  { reason, safety, comment, active_ms, opened }: GivenRating,
  scores: Readonly<Record<string, number>>,
  points: readonly number[] | undefined,
): RatingContent => ({
  nonce: randomBytes(16).toString('hex'),
  scores,
  ...(points === undefined ? {} : { composite: itemScore(points, scores) ?? null }),
  ...(reason === null ? {} : { reason }),
  ...(safety ? { safety } : {}),
  ...(comment.trim() === '' ? {} : { comment: true as const }),
  active_ms,
  opened: [...opened],
})
