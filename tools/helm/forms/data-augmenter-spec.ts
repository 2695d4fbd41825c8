import type { ObjectSpec } from '../../../benchmarks/scenario/benchmark.ts'
import { flag, int, list, record, type Form } from './form.ts'
import { objectSpecForm } from './object-spec.ts'

/** HELM's DataAugmenterSpec: perturbations of instances. No MedHELM run has any. */
export interface DataAugmenterSpec {
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

export const dataAugmenterSpecForm: Form<DataAugmenterSpec> = record<DataAugmenterSpec>({
  perturbationSpecs: list(objectSpecForm),
  shouldAugmentTrainInstances: flag,
  shouldIncludeOriginalTrain: flag,
  shouldSkipUnchangedTrain: flag,
  shouldAugmentEvalInstances: flag,
  shouldIncludeOriginalEval: flag,
  shouldSkipUnchangedEval: flag,
  seedsPerInstance: int,
})
