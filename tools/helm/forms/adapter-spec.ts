import type { PyValue } from '../../../benchmarks/python/value.ts'
import type { AdapterSpec } from '../../../benchmarks/scenario/adapter-spec.ts'
import { any, flag, int, list, number, optional, record, text, type Form } from './form.ts'

/** An AdapterSpec as HELM's files may hold it: any method, and the two fields that only other benchmarks use. */
export interface HelmAdapterSpec extends Omit<AdapterSpec, 'method'> {
  readonly method: string
  readonly imageGenerationParameters?: PyValue
  readonly reevalParameters?: PyValue
}

/** AdapterSpec in HELM's order (HELM.md F2). */
export const adapterSpecForm: Form<HelmAdapterSpec> = record<HelmAdapterSpec>({
  method: text,
  globalPrefix: text,
  globalSuffix: text,
  instructions: text,
  inputPrefix: text,
  inputSuffix: text,
  referencePrefix: text,
  referencePrefixCharacters: optional(text),
  referenceSuffix: text,
  chainOfThoughtPrefix: text,
  chainOfThoughtSuffix: text,
  outputPrefix: text,
  outputSuffix: text,
  instancePrefix: text,
  substitutions: list(record<AdapterSpec['substitutions'][number]>({ source: text, target: text })),
  maxTrainInstances: int,
  maxEvalInstances: optional(int),
  numOutputs: int,
  numTrainTrials: int,
  numTrials: int,
  sampleTrain: flag,
  modelDeployment: text,
  model: text,
  temperature: number,
  maxTokens: int,
  stopSequences: list(text),
  random: optional(text),
  multiLabel: flag,
  imageGenerationParameters: optional(any),
  reevalParameters: optional(any),
  evalSplits: optional(list(text)),
  outputMappingPattern: optional(text),
})
