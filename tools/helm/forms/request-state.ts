import type {
  RequestState,
  HelmRequest,
  HelmCompletion,
  HelmResult,
} from '../../../targets/record/request-state.ts'
import {
  dict,
  flag,
  int,
  optional,
  record,
  text,
  texts,
  usually,
  type Form,
  any,
  list,
  number,
  real,
  wrapped,
  id,
  type Field,
} from './form.ts'
import { float, type Float } from '../../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { Chat, Instance, Reference } from '../../../benchmarks/scenario/instance.ts'

/** A Request as HELM's files may hold it. Undefined `embedding` … `frequencyPenalty`: HELM's defaults. */
export interface FullRequest extends HelmRequest {
  readonly embedding?: boolean
  readonly echoPrompt?: boolean
  readonly topP?: number | Float
  readonly presencePenalty?: number | Float
  readonly frequencyPenalty?: number | Float
  readonly multimodalPrompt?: PyValue
  readonly imageGenerationParameters?: PyValue
  readonly responseFormat?: PyValue
}

type NumberForm = Form<number | Float>

/** Request in HELM's order (targets/HELM.md T9). */
const requestFormWith = (temperature: NumberForm, sampling: NumberForm, one: PyValue, zero: PyValue) =>
  record<FullRequest>(
    {
      modelDeployment: text,
      model: text,
      embedding: usually(flag, false),
      prompt: text,
      temperature,
      numCompletions: int,
      topKPerToken: int,
      maxTokens: int,
      stopSequences: list(text),
      echoPrompt: usually(flag, false),
      topP: usually(sampling, one),
      presencePenalty: usually(sampling, zero),
      frequencyPenalty: usually(sampling, zero),
      random: optional(text),
      messages: optional(list(dict)),
      multimodalPrompt: optional(any),
      imageGenerationParameters: optional(any),
      responseFormat: optional(any),
    },
    { modelDeployment: '' },
  )

const coerced: NumberForm = {
  write: (value) => (typeof value === 'number' ? float(value) : value),
  read: (value, at) => number.read(value, at),
}

/** As scenario_state.json has it: `top_p` and the penalties are HELM's int defaults. */
const requestForm: Form<FullRequest> = requestFormWith(number, number, 1, 0)

/** As display_requests.json has it: every number that HELM declares a float is one. */
export const displayRequestForm: Form<FullRequest> = requestFormWith(coerced, coerced, float(1), float(0))

interface FullToken {
  readonly text: string
  readonly logprob: number | Float
}

/** A GeneratedOutput as HELM's files may hold it. */
interface FullCompletion extends Omit<HelmCompletion, 'logprob' | 'tokens'> {
  readonly logprob: number | Float
  readonly tokens: readonly FullToken[]
  readonly multimodalContent?: PyValue
}

/** A RequestResult as HELM's files may hold it. */
export interface FullResult extends Omit<HelmResult, 'completions' | 'requestTime' | 'requestDatetime'> {
  readonly embedding?: PyValue
  readonly completions: readonly FullCompletion[]
  readonly requestTime?: number
  readonly requestDatetime?: number
  readonly errorFlags?: { readonly isRetriable?: boolean; readonly isFatal?: boolean }
  readonly batchSize?: number
  readonly batchRequestTime?: number
}

/** GeneratedOutput in HELM's order (targets/HELM.md T9). */
const completionForm: Form<FullCompletion> = record<FullCompletion>({
  text,
  logprob: number,
  tokens: list(record<FullToken>({ text, logprob: number })),
  finishReason: optional(wrapped('reason', text)),
  multimodalContent: optional(any),
  thinking: optional(wrapped('text', text)),
})

/** RequestResult in HELM's order (targets/HELM.md T9). */
const requestResultForm: Form<FullResult> = record<FullResult>({
  success: flag,
  embedding: usually(any, []),
  completions: list(completionForm),
  cached: flag,
  requestTime: optional(real),
  requestDatetime: optional(int),
  error: optional(text),
  errorFlags: optional(
    record<NonNullable<FullResult['errorFlags']>>({ isRetriable: optional(flag), isFatal: optional(flag) }),
  ),
  batchSize: optional(int),
  batchRequestTime: optional(real),
})

interface HelmInput {
  readonly text: string
  readonly multimediaContent?: PyValue
  readonly messages?: Chat
}

/** An Instance as HELM's files may hold it: with perturbations and images, which no benchmark of ours makes. */
export interface HelmInstance extends Omit<Instance, 'input' | 'split' | 'id' | 'cluster' | 'attributes'> {
  readonly input: HelmInput
  readonly split?: string
  readonly id?: string | number
  readonly perturbation?: ReadonlyMap<string, PyValue>
  readonly contrastInputs?: PyValue
  readonly contrastReferences?: PyValue
}

interface HelmReference {
  readonly output: string
  readonly tags: readonly string[]
}

const helmReference = record<HelmReference>({ output: wrapped('text', text), tags: list(text) })

const referenceForm: Form<Reference> = {
  write: ({ text, tags }) => helmReference.write({ output: text, tags }),
  read: (value, at) => {
    const { output, tags } = helmReference.read(value, at)
    return { text: output, tags }
  },
}

const inputForm: Field<HelmInput> = record<HelmInput>({
  text,
  multimediaContent: optional(any),
  messages: optional(list(dict)),
})

/** Instance in HELM's order (HELM.md F2). */
export const instanceForm: Form<HelmInstance> = record<HelmInstance>({
  input: inputForm,
  references: list(referenceForm),
  split: optional(text),
  subSplit: optional(text),
  id: optional(id),
  perturbation: optional(dict),
  contrastInputs: optional(any),
  contrastReferences: optional(any),
  extraData: optional(dict),
})

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
