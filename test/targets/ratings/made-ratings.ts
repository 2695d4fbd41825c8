import { createHash } from 'node:crypto'
import {
  chained,
  type NewEvent,
  type RatingContent,
  type RatingEvent,
} from '../../../targets/ratings/event.ts'
import type { Study } from '../../../targets/ratings/study.ts'
import type { FrameAnswer } from '../../../targets/ratings/unit.ts'

export const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

export const RUBRIC = hash('rubric')

/** An answer of a benchmark `notes`, by its number. */
export const answerOf = (at: number, more: Partial<FrameAnswer> = {}): FrameAnswer => ({
  benchmark: 'notes',
  model: 'x/one',
  rubric: RUBRIC,
  instance: hash(`instance ${at}`),
  answer: hash(`answer ${at}`),
  jury: 3,
  ...more,
})

/** Units 1 to `count`, which are answers of those numbers; two of an instance where `instances` are fewer. */
export const unitsOf = (count: number, instances = count): Study['units'] =>
  Array.from({ length: count }, (_, at) => {
    const { benchmark, answer, rubric } = answerOf(at + 1)
    const { instance } = answerOf((at % instances) + 1)
    return { number: at + 1, benchmark, instance, answer, rubric, drawn: [[0, at % 3]] }
  })

export interface MadeRating extends Partial<Omit<NewEvent, 'content'>> {
  /** Number of the answer. */
  readonly of: number
  readonly content?: Partial<RatingContent>
}

/** A log of a rater, chained. */
export const logOf = (ratings: readonly (MadeRating | NewEvent)[], rater = 'ann'): readonly RatingEvent[] => {
  const events: RatingEvent[] = []
  for (const each of ratings) {
    const event = 'of' in each ? made(each, rater) : each
    events.push(chained(event, events.at(-1)?.id ?? null))
  }
  return events
}

const made = ({ of, content, ...more }: MadeRating, rater: string): NewEvent => {
  const { benchmark, instance, answer, rubric } = answerOf(of)
  return {
    study: 'main',
    rater,
    kind: 'rated',
    at: '2026-01-01T00:00:00Z',
    subject: { benchmark, instance, answer, rubric },
    content: { nonce: '0123456789abcdef', scores: { accuracy: 3 }, ...content },
    ...more,
  }
}

export const handedIn = (rater = 'ann'): NewEvent => ({
  study: 'main',
  rater,
  kind: 'handed-in',
  at: '2026-01-02T00:00:00Z',
  recognised: 'no',
  content: null,
})
