import { z } from 'zod'
import { COMMENT_LENGTH, OPENED, REASONS, type GivenRating } from './reasons.ts'

const DAY = 24 * 60 * 60 * 1000

/** What a page may send. */
export const GIVEN_RATING: z.ZodType<GivenRating> = z.strictObject({
  item: z.int().positive(),
  scores: z.record(z.string(), z.int().nullable()),
  reason: z.enum(REASONS).nullable(),
  safety: z.boolean(),
  comment: z.string().max(COMMENT_LENGTH),
  active_ms: z.int().nonnegative().max(DAY),
  opened: z.array(z.enum(OPENED)).max(OPENED.length),
})

export const RECOGNISED = ['no', 'some', 'most'] as const
