import type { ObjectSpec } from '../../../benchmarks/scenario/benchmark.ts'
import type { RunSpec } from '../../../targets/record/target.ts'
import { list, optional, record, text, type Form, flag, int, any, number, dict } from './form.ts'
import type { PyValue } from '../../../benchmarks/python/value.ts'
import { ADAPTER_DEFAULTS, type AdapterSpec } from '../../../benchmarks/scenario/adapter-spec.ts'

/** HELM's ObjectSpec: a class of HELM's and its arguments (HELM.md F2). */
export const objectSpecForm: Form<ObjectSpec> = record<ObjectSpec>(
  { className: text, args: dict },
  { args: new Map() },
)

/** HELM's DataAugmenterSpec: perturbations of instances. No MedHELM run has any. */
interface DataAugmenterSpec {
  readonly perturbationSpecs: readonly ObjectSpec[]
  readonly shouldAugmentTrainInstances: boolean
  readonly shouldIncludeOriginalTrain: boolean
  readonly shouldSkipUnchangedTrain: boolean
  readonly shouldAugmentEvalInstances: boolean
  readonly shouldIncludeOriginalEval: boolean
  readonly shouldSkipUnchangedEval: boolean
  readonly seedsPerInstance: number
}

/** HELM's defaults (HELM.md F2). */
export const NO_AUGMENTATION: DataAugmenterSpec = {
  perturbationSpecs: [],
  shouldAugmentTrainInstances: false,
  shouldIncludeOriginalTrain: false,
  shouldSkipUnchangedTrain: false,
  shouldAugmentEvalInstances: false,
  shouldIncludeOriginalEval: false,
  shouldSkipUnchangedEval: false,
  seedsPerInstance: 1,
}

const dataAugmenterSpecForm: Form<DataAugmenterSpec> = record<DataAugmenterSpec>(
  {
    perturbationSpecs: list(objectSpecForm),
    shouldAugmentTrainInstances: flag,
    shouldIncludeOriginalTrain: flag,
    shouldSkipUnchangedTrain: flag,
    shouldAugmentEvalInstances: flag,
    shouldIncludeOriginalEval: flag,
    shouldSkipUnchangedEval: flag,
    seedsPerInstance: int,
  },
  NO_AUGMENTATION,
)

/** An AdapterSpec as HELM's files may hold it: any method, and the two fields that only other benchmarks use. */
export interface HelmAdapterSpec extends Omit<AdapterSpec, 'method'> {
  readonly method: string
  readonly imageGenerationParameters?: PyValue
  readonly reevalParameters?: PyValue
}

/** AdapterSpec in HELM's order (HELM.md F2). */
export const adapterSpecForm: Form<HelmAdapterSpec> = record<HelmAdapterSpec>(
  {
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
  },
  { ...ADAPTER_DEFAULTS, method: '' },
)

/** What run_spec.json holds. */
export interface HelmRunSpec {
  readonly name: string
  readonly scenarioSpec: ObjectSpec
  readonly adapterSpec: HelmAdapterSpec
  readonly metricSpecs: readonly ObjectSpec[]
  readonly dataAugmenterSpec: DataAugmenterSpec
  readonly groups: readonly string[]
  readonly annotators?: readonly ObjectSpec[]
}

/** RunSpec in HELM's order (HELM.md F2). */
export const runSpecForm: Form<HelmRunSpec> = record<HelmRunSpec>(
  {
    name: text,
    scenarioSpec: objectSpecForm,
    adapterSpec: adapterSpecForm,
    metricSpecs: list(objectSpecForm),
    dataAugmenterSpec: dataAugmenterSpecForm,
    groups: list(text),
    annotators: optional(list(objectSpecForm)),
  },
  { dataAugmenterSpec: NO_AUGMENTATION, groups: [] },
)

/** A run of ours as HELM names it. */
export const helmRunSpec = (run: RunSpec): HelmRunSpec => ({
  name: run.name,
  scenarioSpec: run.benchmark.scenario.spec,
  adapterSpec: run.adapter,
  metricSpecs: run.metrics.map((metric) => metric.helm),
  dataAugmenterSpec: NO_AUGMENTATION,
  groups: run.groups,
  ...(run.annotators === undefined ? {} : { annotators: run.annotators }),
})

/** What scenario.json holds. */
export interface HelmScenario {
  readonly name: string
  readonly description: string
  readonly tags: readonly string[]
  readonly definitionPath: string
}

/** Scenario in HELM's order (HELM.md F2). */
export const scenarioForm: Form<HelmScenario> = record<HelmScenario>({
  name: text,
  description: text,
  tags: list(text),
  definitionPath: text,
})

/** A run's scenario as HELM shows it. */
export const helmScenario = (run: RunSpec): HelmScenario => {
  const { name, description, tags, definitionPath } = run.benchmark.scenario
  return { name, description, tags, definitionPath }
}
