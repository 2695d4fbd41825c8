import type { Instance } from '../../benchmarks/scenario/instance.ts'
import type { Failure, Outcome } from '../../cache/outcome.ts'
import type { StageName } from '../event.ts'
import type { Completion } from '../record/completion.ts'
import type { InstanceRef } from '../record/instance-ref.ts'
import type { RunFailure } from '../record/record.ts'
import type { RequestState } from '../record/request-state.ts'
import type { Judgement } from '../stages/annotator.ts'
import type { MetricDigests, MetricResult } from '../stages/metrics.ts'
import type { PromptResult } from '../stages/prompts.ts'

/** One request of a run: an instance in one trial. */
export interface RequestAt {
  /** Row of the run's record: trial by trial, instances in their order. */
  readonly row: number
  readonly trial: number
  readonly ref: InstanceRef
  /** Its body, read when a stage first needs it. */
  readonly instance: () => Instance
}

export interface Answered {
  readonly outcome: Outcome<Completion>
  /** True when the store had the reply. */
  readonly cached: boolean
  /** HELM's `cached`: the same request was answered before in this run. False unless said. */
  readonly repeated?: boolean
}

type Soon<T> = T | Promise<T>

/**
 * How a walk comes by what each stage gives: made (build), looked for (plan), taken from a record (read) or from a
 * release's replies (replay). A walk ends before the first stage that its mode leaves out.
 */
export interface Mode {
  prompt(at: RequestAt): Soon<PromptResult>
  completion(at: RequestAt, prompt: PromptResult): Soon<Answered>
  judgements?(at: RequestAt, answer: string): Soon<readonly Judgement[]>
  /** @param state is built by the first metric that has to be measured */
  metrics?(at: RequestAt, digests: MetricDigests, state: () => RequestState): Soon<readonly MetricResult[]>
}

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

/** A failure with its place, as records and events hold it. */
export const placedFailure = (
  { ref, trial }: RequestAt,
  { cause, ...failure }: RequestFailure,
): RunFailure => ({ instance: String(ref.id), trial, ...failure, code: cause.code, detail: cause.detail })
