import { asProblem } from '../../cache/store-problems.ts'
import { discreetError } from '../../cache/problems/withheld.ts'
import type { SharedEnv } from '../env/env.ts'
import type { Target } from '../record/target.ts'

/** Targets of one deployment that run at a time: one fills the gaps while the other's last replies come in. */
const PER_DEPLOYMENT = 2

/**
 * Works on targets of different deployments side by side, all through one store and one limiter a deployment.
 * A stopped run begins no further target. An error of one target does not stop the others.
 */
export const inLanes = async (
  targets: readonly Target[],
  env: Pick<SharedEnv, 'stop'>,
  work: (target: Target) => Promise<void>,
  onError: (target: Target, error: unknown) => void,
): Promise<void> => {
  await Promise.all(
    [...byDeployment(targets).values()].map(async (lane) => {
      let next = 0
      const worker = async (): Promise<void> => {
        while (next < lane.length && !env.stop.aborted) {
          const target = lane[next]
          next += 1
          if (target === undefined) continue
          try {
            await work(target)
          } catch (error) {
            const isOpen = target.spec.benchmark.access === 'public'
            onError(target, isOpen ? asProblem(error) : discreetError(asProblem(error)))
          }
        }
      }
      await Promise.all(Array.from({ length: PER_DEPLOYMENT }, worker))
    }),
  )
}

const byDeployment = (targets: readonly Target[]): ReadonlyMap<string, readonly Target[]> => {
  const lanes = new Map<string, Target[]>()
  for (const target of targets) {
    const lane = lanes.get(target.deployment.name)
    if (lane === undefined) lanes.set(target.deployment.name, [target])
    else lane.push(target)
  }
  return lanes
}
