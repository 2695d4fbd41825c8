import type { Instance } from '../../benchmarks/scenario/instance.ts'
import type { Digest } from '../../cache/digest.ts'
import type { Failure, Outcome } from '../../cache/outcome.ts'
import { completionRequest, helmRequest } from '../adapters/request.ts'
import { outputMappingOf } from '../adapters/prompt.ts'
import type { StageName } from '../event.ts'
import { metricOf } from '../metrics/catalog.ts'
import type { MetricPoint } from '../metrics/metric.ts'
import type { Completion } from '../record/completion.ts'
import type { HelmResult, RequestState } from '../record/request-state.ts'
import { createAnnotationStage } from '../stages/annotations.ts'
import type { Annotator, Judgement } from '../stages/annotator.ts'
import { createAsker, type Asker } from '../stages/ask.ts'
import type { StageEnv } from '../stages/env.ts'
import { loadInstance, type InstanceRef } from '../stages/instances.ts'
import { createMetricStage, type MetricResult, type MetricStage } from '../stages/metrics.ts'
import { createPromptStage, type Prompt, type PromptStage, type TrainSet } from '../stages/prompts.ts'
import { answerOf, createReplyReader, type ReplyReader } from '../stages/reply-reader.ts'
import type { Target } from '../record/target.ts'

/** What became of one request. */
export interface RequestResult {
  readonly prompt: Digest<'prompt'>
  readonly promptTruncated: boolean
  readonly completion?: Completion
  /** The first completion as judges and metrics see it; absent where there is none that the profile can read. */
  readonly answer?: string
  readonly judgements: readonly Judgement[]
  /** Digest and values of each metric object; undefined where the request or a judge gave no value to measure. */
  readonly metrics?: readonly { readonly digest: Digest<'metric'>; readonly points: readonly MetricPoint[] }[]
  readonly failures: readonly {
    readonly stage: StageName
    readonly judge?: string
    readonly cause: Failure
    readonly retriable: boolean
  }[]
}

/** The stages of one trial of a target, for one request at a time. */
export interface RequestPipeline {
  run(ref: InstanceRef): Promise<RequestResult>
}

interface Stages {
  readonly target: Target
  readonly trial: number
  readonly env: StageEnv
  readonly prompts: PromptStage
  readonly asker: Asker
  readonly reader: ReplyReader
  readonly annotations: Annotator | undefined
  readonly metrics: readonly MetricStage[]
}

export const createRequestPipeline = async (
  target: Target,
  trial: number,
  train: TrainSet,
  env: StageEnv,
): Promise<RequestPipeline> => {
  const { spec, deployment } = target
  const stages: Stages = {
    target,
    trial,
    env,
    prompts: createPromptStage(spec.adapter, deployment, train, env),
    asker: createAsker(deployment, spec, env),
    reader: await createReplyReader(deployment, helmRequest(spec.adapter, ''), env),
    annotations: await createAnnotationStage(target, env),
    metrics: await Promise.all(
      spec.metrics.map(async (metric) =>
        createMetricStage(await metricOf(metric.metric), metric, spec.adapter, env),
      ),
    ),
  }
  return { run: (ref) => runRequest(ref, stages) }
}

const runRequest = async (ref: InstanceRef, stages: Stages): Promise<RequestResult> => {
  const { target, env } = stages
  const count = (stage: StageName, cached: boolean): void =>
    env.listener({
      type: 'stage-results',
      target: target.spec.name,
      stage,
      executed: cached ? 0 : 1,
      cached: cached ? 1 : 0,
    })
  const instance = lazily(() => loadInstance(ref, env.store))
  const prompt = await stages.prompts.run({ digest: ref.digest, load: instance })
  count('prompts', prompt.cached)
  const own = { prompt: prompt.digest, promptTruncated: prompt.prompt.truncated }
  const asked = await stages.asker.ask(
    completionRequest(helmRequest(target.spec.adapter, prompt.prompt.text)),
  )
  if (asked.outcome.kind !== 'done')
    return { ...own, judgements: [], failures: [notAnswered(asked.outcome, true)] }
  count('completions', asked.cached)
  const completion = asked.outcome.value
  const result = stages.reader.read(completion, false)
  if (result.kind !== 'done')
    return { ...own, completion, judgements: [], failures: [notAnswered(result, false)] }
  const answer = answerOf(result)
  const judgements = (await stages.annotations?.run(instance(), answer)) ?? []
  for (const judgement of judgements)
    if (judgement.digest !== undefined) count('annotations', judgement.cached)
  const failures = judgements.flatMap(notJudged)
  if (failures.some(({ retriable }) => retriable)) return { ...own, completion, answer, judgements, failures }
  const measured = await measure(
    { ref, instance, prompt: prompt.prompt, promptDigest: prompt.digest, completion, result, judgements },
    stages,
  )
  for (const { cached } of measured) count('metrics', cached)
  return {
    ...own,
    completion,
    answer,
    judgements,
    metrics: measured,
    failures: [...failures, ...measured.flatMap(notMeasured)],
  }
}

/** No reply, or one that the profile can't read. */
export const notAnswered = (
  outcome: Exclude<Outcome<unknown>, { readonly kind: 'done' }>,
  retriable: boolean,
): RequestResult['failures'][number] => {
  const cause = outcome.kind === 'failed' ? outcome.cause : { code: 'absent', detail: outcome.reason }
  return { stage: 'completions', cause, retriable }
}

export const notJudged = ({ judge, outcome, retriable }: Judgement): RequestResult['failures'] =>
  outcome.kind === 'failed' ? [{ stage: 'annotations', judge, cause: outcome.cause, retriable }] : []

/** Parts of a metric's input, such as a judge, that gave it nothing to count. */
export const notMeasured = ({ failures }: MetricResult): RequestResult['failures'] =>
  failures.map(({ part, cause }) => ({ stage: 'metrics', judge: part, cause, retriable: false }))

interface Measured {
  readonly ref: InstanceRef
  readonly instance: () => Instance
  readonly prompt: Prompt
  readonly promptDigest: Digest<'prompt'>
  readonly completion: Completion
  readonly result: Outcome<HelmResult>
  readonly judgements: readonly Judgement[]
}

const measure = async (
  { ref, instance, prompt, promptDigest, completion, result, judgements }: Measured,
  { target, trial, reader, annotations, metrics }: Stages,
): ReturnType<typeof runMetrics> => {
  const annotationDigests = judgements.map(({ digest }) => digest)
  const state = lazily((): RequestState =>
    requestState({
      target,
      trial,
      instance: instance(),
      prompt,
      result,
      annotations: annotations?.assemble(instance(), answerOf(result), annotationDigests),
    }),
  )
  const content = reader.content(completion)
  const digests = {
    instance: ref.digest,
    prompt: promptDigest,
    completions: content,
    latency: content,
    annotations: annotationDigests.map((digest) => digest ?? '-').join(','),
  }
  return runMetrics(metrics, digests, state)
}

const runMetrics = (
  metrics: readonly MetricStage[],
  digests: Parameters<MetricStage['run']>[0],
  state: () => RequestState,
): Promise<readonly Awaited<ReturnType<MetricStage['run']>>[]> =>
  Promise.all(metrics.map((metric) => metric.run(digests, state)))

/** Everything HELM's files show of one request. */
export const requestState = (parts: {
  readonly target: Target
  readonly trial: number
  readonly instance: Instance
  readonly prompt: Prompt
  /** Undefined where the request has no reply. */
  readonly result: Outcome<HelmResult> | undefined
  readonly annotations: RequestState['annotations']
}): RequestState => {
  const { adapter } = parts.target.spec
  const request = helmRequest(adapter, parts.prompt.text)
  const outputMapping = outputMappingOf(adapter, parts.instance)
  return {
    instance: parts.instance,
    trainTrialIndex: parts.trial,
    ...(outputMapping === undefined ? {} : { outputMapping }),
    request,
    ...(parts.result?.kind === 'done' ? { result: parts.result.value } : {}),
    numTrainInstances: parts.prompt.numTrainInstances,
    promptTruncated: parts.prompt.truncated,
    numPromptTokens: parts.prompt.tokens,
    ...(parts.annotations === undefined ? {} : { annotations: parts.annotations }),
  }
}

const lazily = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => (made ??= { value: make() }).value
}
