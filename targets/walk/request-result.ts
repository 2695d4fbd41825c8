import type { Failure, Outcome } from '../../cache/outcome.ts'
import type { StageName } from '../event.ts'
import type { Completion } from '../record/completion.ts'
import type { RequestState } from '../record/request-state.ts'
import type { Judgement } from '../stages/annotator.ts'
import type { MetricResult } from '../stages/metrics.ts'
import type { PromptResult } from '../stages/prompts.ts'

export interface RequestFailure {
  readonly stage: StageName
  /** The judge, or the part of a metric's input. */
  readonly judge?: string
  readonly cause: Failure
  /** True when a rerun tries it again. */
  readonly retriable: boolean
}

/** What became of one request. */
export interface RequestResult {
  readonly prompt: PromptResult
  readonly completion?: Completion
  /** The first completion as judges and metrics see it; absent where there is none that the profile can read. */
  readonly answer?: string
  readonly judgements: readonly Judgement[]
  /** By metric object; undefined where the request or a judge gave no value to measure. */
  readonly metrics?: readonly MetricResult[]
  readonly failures: readonly RequestFailure[]
  /** Everything that HELM's files show of it. */
  readonly state: () => RequestState
}

/** No reply, or one that the profile can't read. */
export const notAnswered = (
  outcome: Exclude<Outcome<unknown>, { readonly kind: 'done' }>,
  retriable: boolean,
): RequestFailure => {
  const cause = outcome.kind === 'failed' ? outcome.cause : { code: 'absent', detail: outcome.reason }
  return { stage: 'completions', cause, retriable }
}

export const notJudged = ({ judge, outcome, retriable }: Judgement): readonly RequestFailure[] =>
  outcome.kind === 'failed' ? [{ stage: 'annotations', judge, cause: outcome.cause, retriable }] : []

/** Parts of a metric's input, such as a judge, that gave it nothing to count. */
export const notMeasured = ({ failures }: MetricResult): readonly RequestFailure[] =>
  failures.map(({ part, cause }) => ({ stage: 'metrics', judge: part, cause, retriable: false }))
