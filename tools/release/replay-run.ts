import { dumps } from '../../benchmarks/python/json.ts'
import type { Instance, Split } from '../../benchmarks/scenario/instance.ts'
import { digestJson, digestOf, type Digest } from '../../cache/digest.ts'
import type { Outcome } from '../../cache/outcome.ts'
import { completionRequest, helmRequest } from '../../targets/adapters/request.ts'
import { perInstanceStats } from '../../targets/metrics/aggregate-run.ts'
import { metricOf } from '../../targets/metrics/catalog.ts'
import type { Completion } from '../../targets/record/completion.ts'
import type { RunRecord } from '../../targets/record/record.ts'
import type { HelmResult, RequestState } from '../../targets/record/request-state.ts'
import type { PerInstanceStats } from '../../targets/record/stat.ts'
import { instanceDigest, storedInstance } from '../../targets/record/stored-instance.ts'
import { createCollector } from '../../targets/walk/collector.ts'
import { inOrder } from '../../targets/walk/in-order.ts'
import {
  notAnswered,
  notJudged,
  notMeasured,
  requestState,
  type RequestResult,
} from '../../targets/walk/walk-request.ts'
import type { Target } from '../../targets/record/target.ts'
import { createAnnotationStage } from '../../targets/stages/annotations.ts'
import type { Annotator } from '../../targets/stages/annotator.ts'
import { createAsker, type Asker } from '../../targets/stages/ask.ts'
import type { StageEnv } from '../../targets/stages/env.ts'
import { createMetricStage, type MetricResult, type MetricStage } from '../../targets/stages/metrics.ts'
import type { Prompt } from '../../targets/stages/prompts.ts'
import { answerOf, createReplyReader, type ReplyReader } from '../../targets/stages/reply-reader.ts'
import type { HelmRequestState } from '../helm/request-state.ts'

export interface Replay {
  readonly target: Target
  /** In the run's order, trial by trial. */
  readonly states: readonly HelmRequestState[]
  /** Tokens of a request's prompt by the target's tokenizer; null where unknown. */
  readonly promptTokens: (prompt: string, index: number) => number | null
}

export interface Replayed {
  readonly record: RunRecord
  readonly states: () => Iterable<RequestState>
  readonly perInstanceStats: () => Iterable<PerInstanceStats>
}

interface Row {
  readonly result: RequestResult
  readonly state: RequestState
}

interface Stages extends Replay {
  readonly asker: Asker
  readonly reader: ReplyReader
  readonly annotations: Annotator | undefined
  readonly metrics: readonly MetricStage[]
}

/**
 * Asks, judges and scores the requests of a run again, exactly as they stand: no data set, no prompt is made.
 * Replies that the store has cost nothing.
 *
 * @returns undefined when the session was stopped half-way
 */
export const replayRun = async (replay: Replay, env: StageEnv): Promise<Replayed | undefined> => {
  const { target, states } = replay
  const { spec } = target
  const stages: Stages = {
    ...replay,
    asker: createAsker(target.deployment, spec, env),
    reader: await createReplyReader(target.deployment, helmRequest(spec.adapter, ''), env),
    annotations: await createAnnotationStage(target, env),
    metrics: await Promise.all(
      spec.metrics.map(async (metric) =>
        createMetricStage(await metricOf(metric.metric), metric, spec.adapter, env),
      ),
    ),
  }
  const instances = states.map(({ instance }) => plainInstance(instance))
  const refs = instances.slice(0, states.length / spec.adapter.numTrainTrials).map((instance) => ({
    ...instance,
    digest: instanceDigest(storedInstance(instance)),
  }))
  const collector = createCollector(target, states.length, refs, env.profile)
  const rows: Row[] = []
  const taken = await inOrder(
    states.length,
    2 * env.limiter(target.deployment).concurrency,
    (index) => replayRequest(index, instances[index], stages),
    (row, index) => {
      rows.push(row)
      collector.take(row.result, index)
    },
    () => env.stop.aborted,
  )
  if (taken < states.length) return undefined
  const digest = digestJson<'target'>([spec.name])
  return {
    record: collector.record({ target: digest, instances: digestJson<'instances'>([]) }),
    states: () => statesOf(rows),
    perInstanceStats: () => statsOf(rows, spec.metrics.length),
  }
}

const plainInstance = (instance: HelmRequestState['instance']): Instance => ({
  ...instance,
  id: instance.id ?? '',
  input: { text: instance.input.text },
  split: (instance.split ?? 'test') as Split,
})

const replayRequest = async (index: number, instance: Instance | undefined, stages: Stages): Promise<Row> => {
  const old = stages.states[index]
  if (old === undefined || instance === undefined) throw new RangeError(`no request ${index}`)
  const { target, asker } = stages
  const prompt: Prompt = {
    text: old.request.prompt,
    truncated: old.promptTruncated,
    numTrainInstances: old.numTrainInstances,
    tokens: stages.promptTokens(old.request.prompt, index),
  }
  const promptDigest = digestOf<'prompt'>(prompt.text)
  const { outcome } = await asker.ask(completionRequest(helmRequest(target.spec.adapter, prompt.text)))
  const state = (
    result: Outcome<HelmResult> | undefined,
    annotations: RequestState['annotations'],
  ): RequestState =>
    requestState({ target, trial: old.trainTrialIndex, instance, prompt, result, annotations })
  const result = { prompt: promptDigest, promptTruncated: prompt.truncated, judgements: [] }
  if (outcome.kind !== 'done')
    return {
      result: { ...result, failures: [notAnswered(outcome, true)] },
      state: state(undefined, undefined),
    }
  const completion = outcome.value
  const read = stages.reader.read(completion, false)
  if (read.kind !== 'done')
    return {
      result: { ...result, completion, failures: [notAnswered(read, false)] },
      state: state(undefined, undefined),
    }
  const answer = answerOf(read)
  const { annotations, ...judged } = await judge(instance, answer, stages)
  const full = state(read, annotations)
  const own = { ...result, completion, answer, ...judged }
  if (judged.failures.some(({ retriable }) => retriable)) return { result: own, state: full }
  const metrics = await measure({ instance, promptDigest, completion, annotations }, full, stages)
  const unmeasured = metrics.flatMap(notMeasured)
  return { result: { ...own, metrics, failures: [...judged.failures, ...unmeasured] }, state: full }
}

type Judged = Pick<RequestResult, 'judgements' | 'failures'> & {
  readonly annotations: RequestState['annotations']
}

const judge = async (instance: Instance, answer: string, { annotations }: Stages): Promise<Judged> => {
  const judgements = (await annotations?.run(instance, answer)) ?? []
  return {
    judgements,
    annotations: annotations?.assemble(
      instance,
      answer,
      judgements.map(({ digest }) => digest),
    ),
    failures: judgements.flatMap(notJudged),
  }
}

interface Measured extends Pick<Judged, 'annotations'> {
  readonly instance: Instance
  readonly promptDigest: Digest<'prompt'>
  readonly completion: Completion
}

const measure = (
  { instance, promptDigest, completion, annotations }: Measured,
  state: RequestState,
  { metrics, reader }: Stages,
): Promise<readonly MetricResult[]> => {
  const digests = {
    instance: instanceDigest(storedInstance(instance)),
    // Two runs may count one prompt's tokens differently.
    prompt: digestJson<'prompt'>([promptDigest, state.numPromptTokens]),
    completions: reader.content(completion),
    latency: reader.content(completion),
    annotations: annotations === undefined ? '-' : digestOf<'text'>(dumps(annotations)),
  }
  return Promise.all(metrics.map((metric) => metric.run(digests, () => state)))
}

/** HELM's `cached`: the same request was answered before in this run. */
function* statesOf(rows: readonly Row[]): Generator<RequestState> {
  const seen = new Set<string>()
  for (const { result, state } of rows) {
    const digest = result.completion?.digest
    const cached = digest !== undefined && seen.has(digest)
    if (digest !== undefined) seen.add(digest)
    yield state.result === undefined ? state : { ...state, result: { ...state.result, cached } }
  }
}

/** All requests of the first metric object, then of the next, as HELM orders them. */
function* statsOf(rows: readonly Row[], metrics: number): Generator<PerInstanceStats> {
  for (let metric = 0; metric < metrics; metric += 1)
    for (const { result, state } of rows) {
      const measured = result.metrics?.[metric]
      const stats =
        measured &&
        perInstanceStats(
          { instance: state.instance, trainTrialIndex: state.trainTrialIndex },
          measured.points,
        )
      if (stats !== undefined) yield stats
    }
}
