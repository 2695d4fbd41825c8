import type { AdapterSpec } from '../../../benchmarks/scenario/adapter-spec.ts'
import type { Jury } from '../../../benchmarks/scenario/benchmark.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'

/** Parts of a target's key, in the order in which stages run; `sampling` chooses among instances and examples. */
export type KeyPart = 'sampling' | 'prompts' | 'completions' | 'annotations' | 'metrics'

/** Of each field another value, undefined where none can be had, and the parts that it alters. */
type Fields<T> = {
  readonly [Field in keyof T]-?: readonly [change: T[Field] | undefined, parts: readonly KeyPart[]]
}

/**
 * Which parts of a target's key a declared field is in: the stages whose results it may alter by itself. What follows
 * from them follows by their results. A field that is in none alters nothing. A new field has to be placed here before
 * it compiles.
 */
export const ADAPTER_FIELDS: Fields<AdapterSpec> = {
  method: ['multiple_choice_joint', ['prompts', 'metrics']],
  globalPrefix: ['x', ['prompts']],
  globalSuffix: ['x', ['prompts']],
  instructions: ['x', ['prompts']],
  inputPrefix: ['x', ['prompts']],
  inputSuffix: ['x', ['prompts']],
  referencePrefix: ['B) ', ['prompts']],
  referencePrefixCharacters: ['xyz', ['prompts']],
  referenceSuffix: ['x', ['prompts']],
  // Of no method here.
  chainOfThoughtPrefix: ['x', []],
  chainOfThoughtSuffix: ['x', []],
  outputPrefix: ['x', ['prompts']],
  outputSuffix: ['x', ['prompts']],
  instancePrefix: ['x', ['prompts']],
  substitutions: [[{ source: 'a', target: 'b' }], ['prompts']],
  maxTrainInstances: [2, ['sampling']],
  maxEvalInstances: [7, ['sampling']],
  numOutputs: [2, ['completions', 'metrics']],
  numTrainTrials: [3, ['sampling', 'metrics']],
  // HELM's metrics refuse more than one.
  numTrials: [2, []],
  sampleTrain: [false, ['sampling']],
  // The deployment itself is in the completions' part.
  modelDeployment: ['x', []],
  model: ['x', []],
  temperature: [0.5, ['completions']],
  /** A prompt shares its window with the answer. */
  maxTokens: [7, ['prompts', 'completions']],
  stopSequences: [['x'], ['completions']],
  random: ['1', ['completions']],
  multiLabel: [true, ['prompts']],
  evalSplits: [['test'], ['sampling']],
  outputMappingPattern: ['x', ['metrics']],
}

/** Of the evaluated model's deployment; a judge's stand in `annotations` likewise. */
export const DEPLOYMENT_FIELDS: Fields<ModelDeployment> = {
  name: ['d/other', ['completions']],
  // What the server is asked for is in `client`.
  modelName: ['d/other', ['completions']],
  tokenizerName: ['openai/o200k_base', ['prompts']],
  tokenizerFiles: [{ digest: 'x' } as unknown as NonNullable<ModelDeployment['tokenizerFiles']>, ['prompts']],
  /** Class and arguments but for URL, key and headers. */
  client: [
    { className: 'medmake.chat', args: { base_url: 'http://127.0.0.1:1/v1', model: 'other' } },
    ['completions'],
  ],
  maxSequenceLength: [2000, ['prompts']],
  maxRequestLength: [500, ['prompts']],
  // A run of one is refused.
  windowService: ['x.EncoderDecoderWindowService', []],
  deprecated: [true, []],
  limits: [{ concurrency: 3 }, []],
  agreement: [{ level: 'private' }, []],
  weights: [undefined, ['completions']],
  code: [undefined, ['completions']],
  codeFault: [undefined, []],
  file: ['models/other.yaml', []],
  placeOf: [() => ({}), []],
}

export const JURY_FIELDS: Fields<Jury> = {
  // Names the annotation; the jury's metric has it among its arguments.
  annotator: ['other', []],
  template: ['Please judge {RESPONSE}', ['annotations']],
  criteria: [new Map([['accuracy', ['score', 'explanation']]]), ['annotations']],
  scale: [{ least: 0, most: 5 }, ['annotations']],
  judges: [[{ name: 'strict', model: 'd/m', deployment: 'd/m' }], ['annotations']],
  grading: [{ style: 'health-bench' }, ['annotations']],
}
