import { asProblem } from '../../cache/store-problems.ts'
import { discreetError } from '../../cache/problems/withheld.ts'
import type { SharedEnv } from '../env/env.ts'
import type { Target } from '../record/target.ts'

/** Targets of one deployment that run at a time: one fills the gaps while the other's last replies come in. */
const PER_DEPLOYMENT = 2
/** Deployments that are worked on at a time. Each has dozens of requests under way: with a thousand the heap is full of them. */
const SIDE_BY_SIDE = 64

/**
 * Works on targets of different deployments side by side, up to a number of deployments, all through one store and one limiter a deployment.
 * A stopped run begins no further target. An error of one target does not stop the others.
 */
export const inLanes = async (
  targets: readonly Target[],
  env: Pick<SharedEnv, 'stop'>,
  work: (target: Target) => Promise<void>,
  onError: (target: Target, error: unknown) => void,
): Promise<void> => {
  const workOrTell = async (target: Target): Promise<void> => {
    if (env.stop.aborted) return
    try {
      await work(target)
    } catch (error) {
      const isOpen = target.spec.benchmark.access === 'public'
      onError(target, isOpen ? asProblem(error) : discreetError(asProblem(error)))
    }
  }
  await forEach([...byDeployment(targets).values()], SIDE_BY_SIDE, (lane) =>
    forEach(lane, PER_DEPLOYMENT, workOrTell),
  )
}

/** Works on items in their order, a number of them at a time. */
const forEach = async <T>(
  items: readonly T[],
  limit: number,
  work: (item: T) => Promise<void>,
): Promise<void> => {
  const left = items.values()
  const worker = async (): Promise<void> => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker))
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
