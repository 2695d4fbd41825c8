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
  /** By criterion; those that are not rated are not in it. */
  readonly scores: Readonly<Record<string, number>>
  readonly reason: Reason | null
  readonly safety: boolean
  readonly comment: string
  readonly active_ms: number
  readonly opened: readonly OpenedPart[]
}
