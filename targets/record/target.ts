import type { Judge, Benchmark, MetricSpec, ObjectSpec } from '../../benchmarks/scenario/benchmark.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import type { AdapterSpec } from '../../benchmarks/scenario/adapter-spec.ts'

/** One (model, scenario) pair, ready to build. */
export interface Target {
  readonly spec: RunSpec
  readonly deployment: ModelDeployment
  /** The benchmark's judges with the deployments that serve them, in the jury's order. */
  readonly judges: readonly { readonly judge: Judge; readonly deployment: ModelDeployment }[]
}

/** Every deployment that a target asks: its model's, then its judges'. */
export const deploymentsOf = (target: Pick<Target, 'deployment' | 'judges'>): readonly ModelDeployment[] =>
  [target, ...target.judges].map(({ deployment }) => deployment)

/** A resolved run entry: one (model, scenario) pair. */
export interface RunSpec {
  /** HELM's run name, also the name of its directory. */
  readonly name: string
  readonly benchmark: Benchmark
  readonly adapter: AdapterSpec
  readonly metrics: readonly MetricSpec[]
  readonly groups: readonly string[]
  readonly annotators?: readonly ObjectSpec[]
}
