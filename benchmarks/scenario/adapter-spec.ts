import type { Float } from '../python/numbers/number.ts'

export type AdapterMethod = 'generation' | 'multiple_choice_joint' | 'chat'

/** HELM's AdapterSpec (HELM.md B4), its fields in HELM's order. Undefined fields are not written. */
export interface AdapterSpec {
  readonly method: AdapterMethod
  readonly globalPrefix: string
  readonly globalSuffix: string
  readonly instructions: string
  readonly inputPrefix: string
  readonly inputSuffix: string
  readonly referencePrefix: string
  readonly referencePrefixCharacters?: string
  readonly referenceSuffix: string
  readonly chainOfThoughtPrefix: string
  readonly chainOfThoughtSuffix: string
  readonly outputPrefix: string
  readonly outputSuffix: string
  readonly instancePrefix: string
  readonly substitutions: readonly { readonly source: string; readonly target: string }[]
  readonly maxTrainInstances: number
  readonly maxEvalInstances?: number
  readonly numOutputs: number
  readonly numTrainTrials: number
  readonly numTrials: number
  readonly sampleTrain: boolean
  readonly modelDeployment: string
  readonly model: string
  readonly temperature: number | Float
  readonly maxTokens: number
  readonly stopSequences: readonly string[]
  readonly random?: string
  readonly multiLabel: boolean
  readonly evalSplits?: readonly string[]
  readonly outputMappingPattern?: string
}

/** HELM's dataclass defaults (HELM.md B4). */
export const ADAPTER_DEFAULTS: Omit<AdapterSpec, 'method'> = {
  globalPrefix: '',
  globalSuffix: '',
  instructions: '',
  inputPrefix: 'Input: ',
  inputSuffix: '\n',
  referencePrefix: 'A. ',
  referenceSuffix: '\n',
  chainOfThoughtPrefix: '',
  chainOfThoughtSuffix: '\n',
  outputPrefix: 'Output: ',
  outputSuffix: '\n',
  instancePrefix: '\n',
  substitutions: [],
  maxTrainInstances: 5,
  numOutputs: 5,
  numTrainTrials: 1,
  numTrials: 1,
  sampleTrain: true,
  modelDeployment: '',
  model: '',
  temperature: 1,
  maxTokens: 100,
  stopSequences: [],
  multiLabel: false,
}

/** The name of HELM's `max_train_instances` here. */
export const camelCase = (name: string): string =>
  name.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase())
