import { outputMappingOf } from '../adapters/prompt.ts'
import { helmRequest } from '../adapters/request.ts'
import type { Outcome } from '../../cache/outcome.ts'
import type { Completion } from '../record/completion.ts'
import { once } from '../record/once.ts'
import type { HelmResult, RequestState } from '../record/request-state.ts'
import type { Target } from '../record/target.ts'
import type { Judgement } from '../stages/annotator.ts'
import type { MetricDigests, MetricResult } from '../stages/metrics.ts'
import type { Prompt } from '../stages/prompts.ts'
import { answerOf } from '../stages/reply-reader.ts'
import type { Mode, RequestAt, RequestFailure, RequestResult } from './request.ts'
import type { OpenStages } from './run.ts'

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
  return {
    instance: instance(),
    trainTrialIndex: trial,
    ...(outputMapping === undefined ? {} : { outputMapping }),
    request: helmRequest(adapter, prompt),
    ...(result?.kind === 'done' ? { result: result.value } : {}),
    numTrainInstances: prompt.numTrainInstances,
    promptTruncated: prompt.truncated,
    numPromptTokens: prompt.tokens,
    ...(annotations === undefined ? {} : { annotations }),
  }
}
