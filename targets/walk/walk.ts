import { outputMappingOf, helmRequest } from '../adapters/prompt.ts'
import { defined } from '../../cache/values/defined.ts'
import type { Outcome, Failure } from '../../cache/problems/problem.ts'
import type { Completion } from '../record/completion.ts'
import { once } from '../../cache/once.ts'
import type { HelmResult, RequestState } from '../record/request-state.ts'
import type { Target } from '../record/target.ts'
import type { Judgement } from '../stages/judge.ts'
import type { MetricDigests, MetricResult } from '../stages/metrics.ts'
import type { Prompt, PromptResult } from '../stages/prompts.ts'
import { answerOf } from '../stages/reply-reader.ts'
import type { OpenStages } from './run.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import type { StageName } from '../event.ts'
import type { InstanceRef } from '../record/instance-ref.ts'
import type { RunFailure } from '../record/record.ts'
import type { StageEnv } from '../env/env.ts'

/** What a walk needs of a target's stages, whatever its mode. */
export type WalkedStages = Pick<OpenStages, 'target' | 'reader' | 'annotator'>

/** Takes a request through the stages, waiting where there is something to wait for. */
export const walkRequest = async (...args: Parameters<typeof stepsOf>): Promise<RequestResult> => {
  const steps = stepsOf(...args)
  let at = steps.next()
  while (at.done !== true) at = steps.next(await at.value)
  return at.value
}

/** The same in a mode that has every value at hand. */
export const readRequest = (...args: Parameters<typeof stepsOf>): RequestResult => {
  const steps = stepsOf(...args)
  let at = steps.next()
  while (at.done !== true) {
    if (at.value instanceof Promise) throw new TypeError('a walk that reads was about to wait')
    at = steps.next(at.value)
  }
  return at.value
}

type Steps<T> = Generator<unknown, T, unknown>

/**
 * The one order in which a request goes through the stages: prompt, completion, judgements, metrics.
 * A request without an answer is not judged, and one whose judges may still reply is not measured. What has to be waited
 * for is yielded, and what came of it given back: who builds waits at each step, who reads has every value at hand.
 */
function* stepsOf(at: RequestAt, stages: WalkedStages, mode: Mode): Steps<RequestResult> {
  const { target, reader } = stages
  const prompt = yield* step(mode.prompt(at))
  const bare = { prompt, judgements: [], state: () => requestState(target, at, { prompt: prompt.prompt }) }
  const { outcome, repeated = false } = yield* step(mode.completion(at, prompt))
  if (outcome.kind !== 'done') return { ...bare, failures: [notAnswered(outcome, true)] }
  const completion = outcome.value
  const result = reader.read(completion, repeated)
  if (result.kind !== 'done') return { ...bare, completion, failures: [notAnswered(result, false)] }
  const answer = answerOf(result)
  const judgements = mode.judgements === undefined ? [] : yield* step(mode.judgements(at, answer))
  const state = once(() => judgedState({ at, prompt, result, answer, judgements }, stages))
  const failures = judgements.flatMap(notJudged)
  const judged = { prompt, completion, answer, judgements, failures, state }
  if (mode.metrics === undefined || failures.some(({ retriable }) => retriable)) return judged
  const digests = metricDigests({ at, prompt, completion, judgements }, stages)
  const metrics = yield* step(mode.metrics(at, digests, state))
  return { ...judged, metrics, failures: [...failures, ...metrics.flatMap(notMeasured)] }
}

function* step<T>(work: T | Promise<T>): Steps<T> {
  return (yield work) as T
}

/** No reply, or one that the profile can't read. */
const notAnswered = (
  outcome: Exclude<Outcome<unknown>, { readonly kind: 'done' }>,
  retriable: boolean,
): RequestFailure => {
  const cause = outcome.kind === 'failed' ? outcome.cause : { code: 'absent', detail: outcome.reason }
  return { stage: 'completions', cause, retriable }
}

const notJudged = ({ judge, outcome, retriable }: Judgement): readonly RequestFailure[] =>
  outcome.kind === 'failed' ? [{ stage: 'annotations', judge, cause: outcome.cause, retriable }] : []

/** Parts of a metric's input, such as a judge, that gave it nothing to count. */
const notMeasured = ({ failures }: MetricResult): readonly RequestFailure[] =>
  failures.map(({ part, cause }) => ({ stage: 'metrics', judge: part, cause, retriable: false }))

interface Judged extends Pick<RequestResult, 'prompt'> {
  readonly at: RequestAt
  readonly result: Outcome<HelmResult>
  readonly answer: string
  readonly judgements: readonly Judgement[]
}

const judgedState = (
  { at, prompt, result, answer, judgements }: Judged,
  { target, annotator }: WalkedStages,
): RequestState => {
  const digests = judgements.map(({ digest }) => digest)
  const annotations = annotator?.assemble(at.instance(), answer, digests)
  return requestState(target, at, { prompt: prompt.prompt, result, annotations })
}

/** Digests of all that a metric may read. */
const metricDigests = (
  {
    at,
    prompt,
    completion,
    judgements,
  }: Pick<Judged, 'at' | 'prompt' | 'judgements'> & { completion: Completion },
  { reader }: WalkedStages,
): MetricDigests => {
  const content = reader.content(completion)
  return {
    instance: at.ref.digest,
    prompt: prompt.digest,
    completions: content,
    latency: content,
    annotations: judgements.map(({ digest }) => digest ?? '-').join(','),
  }
}

interface StateParts {
  readonly prompt: Prompt
  /** Undefined where the request has no reply. */
  readonly result?: Outcome<HelmResult> | undefined
  readonly annotations?: RequestState['annotations']
}

/** Everything that HELM's files show of one request. */
const requestState = (
  { spec: { adapter } }: Target,
  { trial, instance }: RequestAt,
  { prompt, result, annotations }: StateParts,
): RequestState => {
  const outputMapping = outputMappingOf(adapter, instance())
  return defined({
    instance: instance(),
    trainTrialIndex: trial,
    outputMapping,
    request: helmRequest(adapter, prompt),
    ...(result?.kind === 'done' ? { result: result.value } : {}),
    numTrainInstances: prompt.numTrainInstances,
    promptTruncated: prompt.truncated,
    numPromptTokens: prompt.tokens,
    annotations,
  })
}

/** One request of a run: an instance in one trial. */
export interface RequestAt {
  /** Row of the run's record: trial by trial, instances in their order. */
  readonly row: number
  readonly trial: number
  readonly ref: InstanceRef
  /** Its body, read when a stage first needs it. */
  readonly instance: () => Instance
}

interface Answered {
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

interface RequestFailure {
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

/** Requests of one target under way at once, in multiples of what its limiter lets through: the others wait for judges or the disk. */
const AHEAD = 2

interface WalkedRequests {
  readonly count: number
  readonly at: (index: number) => RequestAt
  readonly stages: OpenStages
  readonly mode: Mode
}

/**
 * Takes requests through the stages side by side and hands on what became of them, in their order.
 *
 * @returns false when it was stopped half-way: what was done is in the store
 */
export const walkAll = async (
  { count, at, stages, mode }: WalkedRequests,
  { limiter, stop }: Pick<StageEnv, 'limiter' | 'stop'>,
  take: (result: RequestResult, at: RequestAt) => void,
): Promise<boolean> => {
  const taken = await inOrder(
    count,
    limiter(stages.target.deployment).concurrency * AHEAD,
    async (index) => {
      const own = at(index)
      return { own, result: await walkRequest(own, stages, mode) }
    },
    ({ own, result }) => take(result, own),
    () => stop.aborted,
  )
  return taken === count && !stop.aborted
}

/** How far work may run ahead of the first unfinished item. */
const WINDOW = 4096

/**
 * Works on items `0 … length-1`, at most `limit` at a time, and hands the results on in order of the items:
 * sums of floats must not depend on which reply came first.
 * After an error no new item is begun; those begun are waited for, then the error is thrown.
 *
 * @param isStopped - asked before each item; true ends the work early
 * @returns how many results were handed on
 */
export const inOrder = async <T>(
  length: number,
  limit: number,
  work: (index: number) => Promise<T>,
  take: (result: T, index: number) => void,
  isStopped: () => boolean,
): Promise<number> => {
  const waiting = new Map<number, T>()
  let next = 0
  let taken = 0
  let broken: { readonly error: unknown } | undefined
  let wake: (() => void)[] = []
  const settle = (index: number, result: T): void => {
    waiting.set(index, result)
    while (waiting.has(taken)) {
      take(waiting.get(taken) as T, taken)
      waiting.delete(taken)
      taken += 1
    }
    const sleepers = wake
    wake = []
    for (const resume of sleepers) resume()
  }
  const runner = async (): Promise<void> => {
    while (next < length && broken === undefined && !isStopped()) {
      if (next - taken >= WINDOW) {
        await new Promise<void>((resolve) => wake.push(resolve))
        continue
      }
      const index = next
      next += 1
      try {
        settle(index, await work(index))
      } catch (error) {
        broken ??= { error }
        for (const resume of wake) resume()
      }
    }
  }
  await Promise.all(Array.from({ length: Math.min(limit, length) }, runner))
  if (broken !== undefined) throw broken.error
  return taken
}
