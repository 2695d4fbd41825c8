import { z } from 'zod'
import { digestJson } from '../../cache/values/digest.ts'
import { OPENED, REASONS } from './reasons.ts'
import { CONSENSUS, RATER } from './study.ts'

const digest = z.string().regex(/^[0-9a-f]{64}$/)

/** What a withdrawal deletes. `nonce` keeps its digest from being guessed once it is gone. */
const content = z.strictObject({
  nonce: z.string().min(16),
  /** By criterion, whole numbers of the rubric's scale; without those that could not be judged. */
  scores: z.record(z.string(), z.number()),
  /**
   * Of items of the instance's own rubric: points of those met over the points to be had, of what was
   * judged; null where no points were to be had.
   */
  composite: z.number().nullable().exactOptional(),
  /** Why a criterion, or all, could not be judged. */
  reason: z.enum(REASONS).exactOptional(),
  safety: z.boolean().exactOptional(),
  /** There is one, sealed in the vault under the event's id; missing there if its writer was killed before it was kept. */
  comment: z.literal(true).exactOptional(),
  /** While the page was looked at, not paused, and something was done within two minutes. */
  active_ms: z.int().nonnegative().exactOptional(),
  opened: z.array(z.enum(OPENED)).exactOptional(),
  /** An imported table's scores of the jury, by criterion. */
  jury: z.record(z.string(), z.number()).exactOptional(),
})

/** What was rated. An answer that no run holds has no digest, and is known by its place in a table alone. */
const subject = z.strictObject({
  benchmark: z.string(),
  instance: digest,
  answer: digest.nullable(),
  rubric: digest.nullable(),
  /** Of a table: the model that it names, or whose run holds the answer. */
  model: z.string().exactOptional(),
})

/** One line of a rater's log. Lines are only ever added; a withdrawal takes an earlier one's content away. */
export const RATING_EVENT = z.strictObject({
  v: z.literal(1),
  study: z.string(),
  rater: z.string().regex(RATER).or(z.literal(CONSENSUS)),
  kind: z.enum(['rated', 'cannot-judge', 'handed-in', 'withdrawn']),
  /** UTC, whole seconds. */
  at: z.iso.datetime(),
  /** Position in the rater's order, from 1. */
  order: z.int().positive().exactOptional(),
  /** To get to know the desk: it counts nowhere. */
  practice: z.literal(true).exactOptional(),
  subject: subject.exactOptional(),
  /** Of a sealed file or a table: the same one is never taken in twice. */
  origin: z.string().exactOptional(),
  /** Of `withdrawn`: the event whose content is deleted. */
  withdraws: digest.exactOptional(),
  /** Of `handed-in`: whether authors were recognised. */
  recognised: z.enum(['no', 'some', 'most']).exactOptional(),
  content_digest: digest.nullable(),
  /** Digest of the event before it, null for the first. */
  previous: digest.nullable(),
  /** Digest of all of the above. */
  id: digest,
  content: content.nullable(),
})

export type RatingEvent = z.infer<typeof RATING_EVENT>
export type RatingContent = z.infer<typeof content>
export type RatingSubject = z.infer<typeof subject>

/** What was rated as the desk names it, whoever gave the answer. */
export const subjectOf = ({
  benchmark,
  instance,
  answer,
  rubric,
}: Omit<RatingSubject, 'model'>): RatingSubject => ({ benchmark, instance, answer, rubric })

/** An event before it has its place in the log. */
export type NewEvent = Omit<RatingEvent, 'v' | 'content_digest' | 'previous' | 'id'>

/** Gives an event its place behind another. */
export const chained = (event: NewEvent, previous: string | null): RatingEvent => {
  const { content: own, ...rest } = event
  const named = { v: 1 as const, ...rest, content_digest: own === null ? null : digestJson(own), previous }
  return { ...named, id: digestJson(named), content: own }
}

/** What is wrong with an event in its place; undefined where nothing is. */
export const chainFault = (event: RatingEvent, previous: string | null): string | undefined => {
  const { id, content: own, ...named } = event
  if (event.previous !== previous) return 'a line before it is missing or moved'
  if (digestJson(named) !== id) return 'it was changed'
  if (own !== null && digestJson(own) !== event.content_digest) return 'its scores were changed'
  return undefined
}
