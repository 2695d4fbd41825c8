/** Calls that an estimate takes together: of one run, to its model or to one of its judges. */
export interface CallGroup {
  readonly target: string
  readonly benchmark: string
  /** Deployment that is evaluated. */
  readonly model: string
  /** Deployment that is asked. */
  readonly deployment: string
  readonly judge: string | null
  readonly calls: number
  /** UTF-8 bytes of the requests, without answers that are not known yet. */
  readonly promptBytes: number
  /** Tokens of these texts; null where the deployment's tokenizer is not at hand. */
  readonly counted: number | null
  /** The most output tokens of all calls. */
  readonly outputBound: number
  /** Requests to a judge that lack the answer they are about. */
  readonly withoutAnswer: number
  /** The most tokens of those answers. */
  readonly answerBound: number
}
