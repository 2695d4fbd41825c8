import type { ObjectSpec } from '../../../benchmarks/scenario/benchmark.ts'
import type { RunSpec } from '../../../targets/record/run-spec.ts'
import { adapterSpecForm, type HelmAdapterSpec } from './adapter-spec.ts'
import { list, optional, record, text, type Form, flag, int } from './form.ts'
import { objectSpecForm } from './object-spec.ts'

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

const dataAugmenterSpecForm: Form<DataAugmenterSpec> = record<DataAugmenterSpec>({
  perturbationSpecs: list(objectSpecForm),
  shouldAugmentTrainInstances: flag,
  shouldIncludeOriginalTrain: flag,
  shouldSkipUnchangedTrain: flag,
  shouldAugmentEvalInstances: flag,
  shouldIncludeOriginalEval: flag,
  shouldSkipUnchangedEval: flag,
  seedsPerInstance: int,
})

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
export const runSpecForm: Form<HelmRunSpec> = record<HelmRunSpec>({
  name: text,
  scenarioSpec: objectSpecForm,
  adapterSpec: adapterSpecForm,
  metricSpecs: list(objectSpecForm),
  dataAugmenterSpec: dataAugmenterSpecForm,
  groups: list(text),
  annotators: optional(list(objectSpecForm)),
})

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
