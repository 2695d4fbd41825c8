import type { AdapterSpec } from '../../../benchmarks/scenario/adapter-spec.ts'
import type { Jury } from '../../../benchmarks/scenario/benchmark.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'

/** Parts of a target's key, in the order in which stages run; `sampling` chooses among instances and examples. */
export type KeyPart = 'sampling' | 'prompts' | 'completions' | 'annotations' | 'metrics'

type Fields<T> = Readonly<Record<keyof T, readonly KeyPart[]>>

/**
 * Which parts of a target's key a declared field is in: the stages whose results it may alter by itself. What follows
 * from them follows by their results. A field that is in none alters nothing. A new field has to be placed here before
 * it compiles; a test changes each by itself and looks at the key.
 */
export const ADAPTER_FIELDS: Fields<AdapterSpec> = {
  method: ['prompts', 'metrics'],
  globalPrefix: ['prompts'],
  globalSuffix: ['prompts'],
  instructions: ['prompts'],
  inputPrefix: ['prompts'],
  inputSuffix: ['prompts'],
  referencePrefix: ['prompts'],
  referencePrefixCharacters: ['prompts'],
  referenceSuffix: ['prompts'],
  // Of no method here.
  chainOfThoughtPrefix: [],
  chainOfThoughtSuffix: [],
  outputPrefix: ['prompts'],
  outputSuffix: ['prompts'],
  instancePrefix: ['prompts'],
  substitutions: ['prompts'],
  maxTrainInstances: ['sampling'],
  maxEvalInstances: ['sampling'],
  numOutputs: ['completions', 'metrics'],
  numTrainTrials: ['sampling', 'metrics'],
  // HELM's metrics refuse more than one.
  numTrials: [],
  sampleTrain: ['sampling'],
  // The deployment itself is in the completions' part.
  modelDeployment: [],
  model: [],
  temperature: ['completions'],
  /** A prompt shares its window with the answer. */
  maxTokens: ['prompts', 'completions'],
  stopSequences: ['completions'],
  random: ['completions'],
  multiLabel: ['prompts'],
  evalSplits: ['sampling'],
  outputMappingPattern: ['metrics'],
}

/** Of the evaluated model's deployment; a judge's stand in `annotations` likewise. */
export const DEPLOYMENT_FIELDS: Fields<ModelDeployment> = {
  name: ['completions'],
  // What the server is asked for is in `client`.
  modelName: ['completions'],
  tokenizerName: ['prompts'],
  tokenizerFiles: ['prompts'],
  /** Class and arguments but for URL, key and headers. */
  client: ['completions'],
  maxSequenceLength: ['prompts'],
  maxRequestLength: ['prompts'],
  deprecated: [],
  limits: [],
  agreement: [],
  weights: ['completions'],
  code: ['completions'],
  file: [],
}

export const JURY_FIELDS: Fields<Jury> = {
  // Names the annotation; the jury's metric has it among its arguments.
  annotator: [],
  template: ['annotations'],
  criteria: ['annotations'],
  scale: ['annotations'],
  judges: ['annotations'],
  grading: ['annotations'],
}
