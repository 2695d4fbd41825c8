import type { ObjectSpec } from '../../../benchmarks/scenario/benchmark.ts'
import type { RunSpec } from '../../../targets/record/run-spec.ts'
import { adapterSpecForm, type HelmAdapterSpec } from './adapter-spec.ts'
import { dataAugmenterSpecForm, NO_AUGMENTATION, type DataAugmenterSpec } from './data-augmenter-spec.ts'
import { list, optional, record, text, type Form } from './form.ts'
import { objectSpecForm } from './object-spec.ts'

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
