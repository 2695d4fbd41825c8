import { groupBy } from '../../cache/group-by.ts'
import { sideBySide } from '../../cache/claims/side-by-side.ts'
import { asProblem } from '../../cache/store-problems.ts'
import { discreetError } from '../../cache/problems/withheld.ts'
import type { SharedEnv } from '../env/env.ts'
import { requireAgreements } from '../access/agreements.ts'
import { tellAssumed } from '../access/assumed-servers.ts'
import type { RunFailure } from '../record/record.ts'
import type { Target } from '../record/target.ts'

/** Targets of one deployment that run at a time: one fills the gaps while the other's last replies come in. */
const PER_DEPLOYMENT = 2
/** Deployments that are worked on at a time. Each has dozens of requests under way: with a thousand the heap is full of them. */
const LANES = 64

/**
 * What comes before anything runs.
 * @throws ProblemError `models/data-agreement`
 */
export const beginTargets = async (targets: readonly Target[], env: SharedEnv): Promise<void> => {
  requireAgreements(targets, env.endpoint)
  await tellAssumed(targets, env)
  env.listener({ type: 'plan', targets: targets.length })
}

/** Tells how a target ended, and of its failures where nobody did yet. */
export const tellEnd = (
  { spec: { name } }: Target,
  failures: readonly RunFailure[],
  { listener }: Pick<SharedEnv, 'listener'>,
): void => {
  for (const failure of failures) listener({ type: 'instance-failed', target: name, ...failure })
  const outcome = failures.length === 0 ? 'built' : 'incomplete'
  listener({ type: 'target-finished', target: name, outcome, failures: failures.length })
}

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
  const lanes = [...groupBy(targets, ({ deployment }) => deployment.name).values()]
  await sideBySide(lanes, LANES, (lane) => sideBySide(lane, PER_DEPLOYMENT, workOrTell))
}
