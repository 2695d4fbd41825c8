import { createHmac } from 'node:crypto'
import { digestJson, type Digest } from '../../cache/values/digest.ts'

/** What a clinician rates: an answer to an instance by a rubric. Equal answers of several models are one unit. */
export interface RatingUnit {
  readonly instance: string
  readonly answer: string
  readonly rubric: string
}

/** What became of a request that is not rated. */
export type UnratedKind = 'failed' | 'empty' | 'unjudged'

/** An answer of a run, as plans see it: digests and the jury's score, no text. */
export interface FrameAnswer extends RatingUnit {
  /** The benchmark with its arguments, as runs are named. */
  readonly benchmark: string
  readonly model: string
  /** Mean over the scores of the judges that count; null where none does. */
  readonly jury: number | null
  readonly unrated?: UnratedKind
}

/** One name for a unit; of a table's row without digests it is that of none. */
export const unitKey = ({
  instance,
  answer,
  rubric,
}: {
  readonly [part in keyof RatingUnit]: string | null
}): string => `${instance} ${answer} ${rubric}`

/**
 * A digest as plans and ratings have it. With a key it is an HMAC: the plain digest of a short private text could be
 * guessed.
 */
export const keyedDigest = (digest: string, key?: string): string =>
  key === undefined ? digest : createHmac('sha256', Buffer.from(key, 'hex')).update(digest).digest('hex')

/** Of an answer to an instance, whoever gave it. */
export const answerDigest = (instance: string, text: string): Digest<'text'> =>
  // A text may hold lone surrogates, which canonical JSON refuses.
  digestJson<'text'>({ instance, text: escaped(text) })

const escaped = (text: string): string => (text.isWellFormed() ? text : JSON.stringify(text))
