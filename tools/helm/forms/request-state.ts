import type { RequestState } from '../../../targets/record/request-state.ts'
import { dict, flag, int, optional, record, text, texts, usually, type Form } from './form.ts'
import { instanceForm, type HelmInstance } from './instance.ts'
import { requestResultForm, type FullResult } from './request-result.ts'
import { requestForm, type FullRequest } from './request.ts'

type Kept = 'trainTrialIndex' | 'outputMapping' | 'numTrainInstances' | 'promptTruncated' | 'annotations'

/** A RequestState as HELM's files may hold it; every RequestState of ours is one. */
export interface HelmRequestState extends Pick<RequestState, Kept> {
  readonly instance: HelmInstance
  readonly referenceIndex?: number
  readonly requestMode?: string
  readonly request: FullRequest
  readonly result?: FullResult
  readonly numConditioningTokens?: number
}

/** RequestState in HELM's order (HELM.md F2). */
export const requestStateForm: Form<HelmRequestState> = record<HelmRequestState>({
  instance: instanceForm,
  referenceIndex: optional(int),
  requestMode: optional(text),
  trainTrialIndex: int,
  outputMapping: optional(texts),
  request: requestForm,
  result: optional(requestResultForm),
  numTrainInstances: int,
  promptTruncated: flag,
  numConditioningTokens: usually(int, 0),
  annotations: optional(dict),
})
