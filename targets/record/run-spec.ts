import type { AdapterSpec } from '../../benchmarks/scenario/adapter-spec.ts'
import type { Benchmark, MetricSpec, ObjectSpec } from '../../benchmarks/scenario/benchmark.ts'

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
