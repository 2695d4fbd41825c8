import { completionRequest, helmRequest, type AskedPrompt } from '../adapters/request.ts'
import type { CompletionRequest } from '../../models/calls/client.ts'
import { metricFor } from '../metrics/catalog.ts'
import type { Target } from '../record/target.ts'
import { createAnnotationStage } from '../stages/annotations.ts'
import type { Annotator } from '../stages/annotator.ts'
import { createAsker, type Asker } from '../stages/ask.ts'
import type { StageEnv } from '../env/env.ts'
import { createMetricStage, type MetricStage } from '../stages/metrics.ts'
import { createReplyReader, type ReplyReader } from '../stages/reply-reader.ts'

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
