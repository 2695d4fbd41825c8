import { randomBytes } from 'node:crypto'
import type { RatingContent } from '../../targets/ratings/event.ts'
import type { GivenRating } from '../../targets/ratings/reasons.ts'

/** What is kept of a rating that a page gave. */
export const contentOf = ({
  scores,
  reason,
  safety,
  comment,
  active_ms,
  opened,
}: GivenRating): RatingContent => ({
  nonce: randomBytes(16).toString('hex'),
  scores: reason === null ? { ...scores } : {},
  ...(reason === null ? {} : { reason }),
  ...(safety ? { safety } : {}),
  ...(comment.trim() === '' ? {} : { comment: true as const }),
  active_ms,
  opened: [...opened],
})
