/** Why a clinician gives no score. */
export const REASONS = [
  'outside-expertise',
  'context-missing',
  'reference-wrong',
  'not-readable',
  'seen-before',
  'other',
] as const

export type Reason = (typeof REASONS)[number]

/** Parts of an item that a rater may open. */
export const OPENED = ['context', 'reference'] as const

export type OpenedPart = (typeof OPENED)[number]

/** Longest comment, in characters. */
export const COMMENT_LENGTH = 4000

/** What a page sends for an item: no name, no digest, only the item's number in the rater's order. */
export interface GivenRating {
  readonly item: number
  /** By criterion, null for one that could not be judged; empty where none could. */
  readonly scores: Readonly<Record<string, number | null>>
  /** Why one, or all, could not be judged. */
  readonly reason: Reason | null
  readonly safety: boolean
  readonly comment: string
  readonly active_ms: number
  readonly opened: readonly OpenedPart[]
}

/** The criteria that were judged. */
export const judgedScores = (scores: GivenRating['scores']): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(scores).flatMap(([name, score]) => (score === null ? [] : [[name, score]])),
  )

/** Whether two say the same of an item, however long that took: the second is no change. */
export const saysTheSame = (one: GivenRating, other: GivenRating): boolean => said(one) === said(other)

const said = ({ scores, reason, safety, comment }: GivenRating): string =>
  JSON.stringify([
    Object.entries(judgedScores(scores)).toSorted(([a], [b]) => (a < b ? -1 : 1)),
    reason,
    safety,
    comment.trim(),
  ])

/** Whether anything was judged, as desks write it. */
export const givenMark = ({ scores }: Pick<GivenRating, 'scores'>): 'r' | 'x' =>
  Object.values(scores).some((score) => score !== null) ? 'r' : 'x'
