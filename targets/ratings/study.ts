import { z } from 'zod'
import { digestOf } from '../../cache/values/digest.ts'
import type { Access } from '../../benchmarks/scenario/benchmark.ts'

const digest = z.string().regex(/^[0-9a-f]{64}$/)
const count = z.int().nonnegative()
const access: z.ZodType<Access> = z.enum(['public', 'gated', 'private'])

/** A rater's name or code: it is part of file names. */
export const RATER = /^[\p{L}\p{N}][\p{L}\p{N}_.-]{0,39}$/u

/** In a rater's place, of what all say together of what they disagreed on: no plan and no table can name a rater so. */
export const CONSENSUS = '(consensus)'

const frame = z.strictObject({
  benchmark: z.string(),
  model: z.string(),
  access,
  rubric: digest,
  answers: count,
  left_out: z.strictObject({ failed: count, empty: count, unjudged: count }),
  /** Of the frame's strata: its answers by the first 16 digits of their digests, sorted; how many are drawn. */
  strata: z.array(
    z.strictObject({
      thirds: z.array(z.int()),
      size: count,
      drawn: count,
      answers: z.string(),
      /** Of answers that came later: by which extension of the study they were drawn among, from 1. */
      wave: z.int().positive().exactOptional(),
    }),
  ),
})

const subject = z.strictObject({ benchmark: z.string(), instance: digest, answer: digest, rubric: digest })

const unit = subject.extend({
  number: z.int().positive(),
  /** `[frame, stratum]`, counted from 0: in whose draw it is. */
  drawn: z.array(z.tuple([count, count])),
})

/**
 * A plan of who rates what. It holds models' names and digests and is for the coordinator; no text is in it.
 * Units keep their numbers and raters their order for ever: an extension adds to both.
 */
export const STUDY = z.strictObject({
  version: z.literal(1),
  id: z.string().regex(RATER),
  seed: z.string(),
  suites: z.array(z.string()),
  overlap: z.number().min(0).max(1),
  /** Where each benchmark is cut into thirds. */
  cuts: z.array(z.strictObject({ benchmark: z.string(), cuts: z.array(z.tuple([z.number(), digest])) })),
  frames: z.array(frame),
  units: z.array(unit),
  /** What every rater sees first, to get to know the desk; what is said of it counts nowhere. */
  practice: z.array(subject).exactOptional(),
  raters: z.array(z.strictObject({ name: z.string().regex(RATER), units: z.array(z.int().positive()) })),
})

export type Study = z.infer<typeof STUDY>

/** A plan as it lies in its file: with the digest of all else. Estimates rest on how it was drawn. */
export const KEPT_STUDY = STUDY.extend({ digest })

export const studyDigest = (study: Study): string => digestOf(JSON.stringify(STUDY.parse(study)))
export type StudyFrame = Study['frames'][number]
export type StudyUnit = Study['units'][number]

/** Whether it is still to be rated: what is gone, or has another rubric now, is in no draw. */
export const isAsked = ({ drawn }: Pick<StudyUnit, 'drawn'>): boolean => drawn.length > 0

export type PracticeUnit = z.infer<typeof subject>

/** An answer's name within a stratum. */
export const shortDigest = (answer: string): string => answer.slice(0, 16)
