import type { Outcome } from '../../cache/outcome.ts'
import { outputMappingOf } from '../adapters/prompt.ts'
import { helmRequest } from '../adapters/request.ts'
import type { HelmResult, RequestState } from '../record/request-state.ts'
import type { Target } from '../record/target.ts'
import type { Prompt } from '../stages/prompts.ts'
import type { RequestAt } from './mode.ts'

interface StateParts {
  readonly prompt: Prompt
  /** Undefined where the request has no reply. */
  readonly result?: Outcome<HelmResult> | undefined
  readonly annotations?: RequestState['annotations']
}

/** Everything that HELM's files show of one request. */
export const requestState = (
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
