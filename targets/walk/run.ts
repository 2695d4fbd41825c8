import type { InstanceRef } from '../record/instance-ref.ts'
import {
  chooseInstances,
  loadInstance,
  requireInstances,
  withInstances,
  type InstanceList,
} from '../stages/instances.ts'
import type { StageEnv } from '../env/env.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import { createPromptStage, type PromptStage, type TrainSet } from '../stages/prompts.ts'
import type { Target } from '../record/target.ts'
import type { RequestAt } from './walk.ts'
import { once } from '../../cache/once.ts'
import { sampleTrain } from '../../benchmarks/sampling/choose-instances.ts'
import { completionRequest, helmRequest, type AskedPrompt } from '../adapters/prompt.ts'
import type { CompletionRequest } from '../../models/calls/client.ts'
import { metricFor } from '../metrics/catalog.ts'
import { createAnnotationStage } from '../stages/annotations.ts'
import type { Annotator } from '../stages/judge.ts'
import { createAsker, type Asker } from '../stages/ask.ts'
import { createMetricStage, type MetricStage } from '../stages/metrics.ts'
import { createReplyReader, type ReplyReader } from '../stages/reply-reader.ts'

/** The requests of a target, trial by trial, before any is made. */
export interface OpenRequests {
  readonly list: InstanceList
  readonly evaluated: readonly InstanceRef[]
  /** Instances × trials. */
  readonly requests: number
  /** @throws LostValueError where the list names an instance that the store lacks */
  requireInstances(): void
  readonly at: (row: number) => RequestAt
  /** The prompt stage of a trial; its in-context examples are sampled when it is first asked for. */
  prompts(trial: number): PromptStage
}

/**
 * Gives a target's requests to `use`; once more, with the data read again, where the store turns out to have lost an
 * instance.
 *
 * @param key of the instances, as it stands in the target's key
 * @throws ProblemError from the data
 */
export const withRun = <T>(
  target: Target,
  key: JsonObject,
  env: StageEnv,
  use: (run: OpenRequests) => Promise<T>,
): Promise<T> => withInstances(target.spec.benchmark, key, env, (list) => use(openRun(target, list, env)))

/** @param trace of the finished build that is read */
export const openRun = (target: Target, list: InstanceList, env: StageEnv, trace?: string): OpenRequests => {
  const { adapter } = target.spec
  const { train, evaluated } = chooseInstances(list.refs, adapter)
  const requests = evaluated.length * adapter.numTrainTrials
  const trials = Array.from({ length: adapter.numTrainTrials }, (_, trial) =>
    once(() => createPromptStage(adapter, target.deployment, trainSet(target, train, trial, env), env)),
  )
  return {
    list,
    evaluated,
    requests,
    requireInstances: () => requireInstances([...train, ...evaluated], env.store),
    at: (row) => {
      const ref = evaluated[row % evaluated.length]
      if (ref === undefined) throw new RangeError(`no request ${row}`)
      return {
        row,
        trial: Math.floor(row / evaluated.length),
        ref,
        instance: once(() => loadInstance(ref, env.store, trace)),
      }
    },
    prompts: (trial) => {
      const stage = trials[trial]
      if (stage === undefined) throw new RangeError(`no trial ${trial}`)
      return stage()
    },
  }
}

/** The in-context examples of one trial, sampled as HELM samples them. */
const trainSet = (target: Target, train: readonly InstanceRef[], trial: number, env: StageEnv): TrainSet => {
  const { maxTrainInstances, sampleTrain: sampled } = target.spec.adapter
  if (maxTrainInstances === 0 || train.length === 0) return { digests: [], instances: [] }
  const bodies = train.map((ref) => ({ ref, ...loadInstance(ref, env.store) }))
  const chosen = sampleTrain(bodies, maxTrainInstances, trial, sampled)
  return { digests: chosen.map(({ ref }) => ref.digest), instances: chosen }
}

/** The stages behind the prompts, opened once for all requests of a target. */
export interface OpenStages {
  readonly target: Target
  readonly asker: Asker
  readonly reader: ReplyReader
  /** Absent where a benchmark has neither a jury nor queries. */
  readonly annotator?: Annotator
  readonly metrics: readonly MetricStage[]
  /** What the model is asked by a prompt. */
  readonly request: (prompt: AskedPrompt) => CompletionRequest
}

export const openStages = async (target: Target, env: StageEnv): Promise<OpenStages> => {
  const { spec, deployment } = target
  const judges = target.judges.map((judge) => judge.deployment)
  const annotator = await createAnnotationStage(target, env)
  return {
    target,
    asker: createAsker(deployment, spec, env, judges),
    reader: await createReplyReader(deployment, helmRequest(spec.adapter, { text: '' }), env),
    ...(annotator === undefined ? {} : { annotator }),
    metrics: spec.metrics.map((metric) => createMetricStage(metricFor(metric), metric, spec.adapter, env)),
    request: (prompt) => completionRequest(helmRequest(spec.adapter, prompt)),
  }
}
