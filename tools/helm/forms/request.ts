import { float, type Float } from '../../../benchmarks/python/numbers/float.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { HelmRequest } from '../../../targets/record/request-state.ts'
import { any, dict, flag, int, list, number, optional, record, text, usually, type Form } from './form.ts'

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
  record<FullRequest>({
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
  })

const coerced: NumberForm = {
  write: (value) => (typeof value === 'number' ? float(value) : value),
  read: (value, at) => number.read(value, at),
}

/** As scenario_state.json has it: `top_p` and the penalties are HELM's int defaults. */
export const requestForm: Form<FullRequest> = requestFormWith(number, number, 1, 0)

/** As display_requests.json has it: every number that HELM declares a float is one. */
export const displayRequestForm: Form<FullRequest> = requestFormWith(coerced, coerced, float(1), float(0))
