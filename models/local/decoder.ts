import type { Cache } from './key-values.ts'

/** New tokens of several sequences, all equally many. */
export interface Step {
  /** One list of ids a row. */
  readonly ids: readonly (readonly number[])[]
  /** Positions before the row's first token that only fill it up; its cache holds zeros there. */
  readonly padding: readonly number[]
  /** Of the tokens before these; undefined at a sequence's begin. */
  readonly cache?: Cache
}

export interface Stepped {
  /** Of each row, after its last token: one number a token of the vocabulary. */
  readonly logits: readonly Float32Array[]
  readonly cache: Cache
}

/** A language model that says what comes next. */
export interface Decoder {
  step(step: Step): Promise<Stepped>
  close(): Promise<void>
}
