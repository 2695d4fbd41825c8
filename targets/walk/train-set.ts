import { sampleTrain } from '../../benchmarks/sampling/in-context.ts'
import type { StageEnv } from '../env/env.ts'
import type { InstanceRef } from '../record/instance-ref.ts'
import { loadInstance } from '../stages/instances.ts'
import type { TrainSet } from '../stages/prompts.ts'
import type { Target } from '../record/target.ts'

/** The in-context examples of one trial, sampled as HELM samples them. */
export const trainSet = (
  target: Target,
  train: readonly InstanceRef[],
  trial: number,
  env: StageEnv,
): TrainSet => {
  const { maxTrainInstances, sampleTrain: sampled } = target.spec.adapter
  if (maxTrainInstances === 0 || train.length === 0) return { digests: [], instances: [] }
  const bodies = train.map((ref) => ({ ref, ...loadInstance(ref, env.store) }))
  const chosen = sampleTrain(bodies, maxTrainInstances, trial, sampled)
  return { digests: chosen.map(({ ref }) => ref.digest), instances: chosen }
}
