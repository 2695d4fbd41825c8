import type { Judge } from '../../benchmarks/scenario/benchmark.ts'
import type { ModelDeployment } from '../../models/deployment/model.ts'
import type { RunSpec } from './run-spec.ts'

/** One (model, scenario) pair, ready to build. */
export interface Target {
  readonly spec: RunSpec
  readonly deployment: ModelDeployment
  /** The benchmark's judges with the deployments that serve them, in the jury's order. */
  readonly judges: readonly { readonly judge: Judge; readonly deployment: ModelDeployment }[]
}

/** Every deployment that a target asks: its model's, then its judges'. */
export const deploymentsOf = ({
  deployment,
  judges,
}: Pick<Target, 'deployment' | 'judges'>): readonly ModelDeployment[] => [
  deployment,
  ...judges.map((judge) => judge.deployment),
]
