import type { Float } from '../../../benchmarks/python/numbers/float.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { HelmCompletion, HelmResult } from '../../../targets/record/request-state.ts'
import {
  any,
  flag,
  int,
  list,
  number,
  optional,
  real,
  record,
  text,
  usually,
  wrapped,
  type Form,
} from './form.ts'

interface FullToken {
  readonly text: string
  readonly logprob: number | Float
}

/** A GeneratedOutput as HELM's files may hold it. */
export interface FullCompletion extends Omit<HelmCompletion, 'logprob' | 'tokens'> {
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
export const requestResultForm: Form<FullResult> = record<FullResult>({
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
