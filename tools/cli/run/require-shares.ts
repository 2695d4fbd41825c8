import { ProblemError } from '../../../cache/problems/problem.ts'
import { isRemote } from '../../../models/clients/create-client.ts'
import { mostTasks } from '../../../models/limits/split-limits.ts'
import { deploymentsOf, type Target } from '../../../targets/record/target.ts'

/** @throws ProblemError `models/too-many-tasks` where a limit leaves a task nothing */
export const requireShares = (targets: readonly Target[], count: number): void => {
  const deployments = new Set(targets.flatMap(deploymentsOf))
  const problems = [...deployments].filter(isRemote).flatMap(({ name, file, limits }) => {
    const most = mostTasks(limits)
    if (most === undefined || most >= count) return []
    return {
      code: 'models/too-many-tasks',
      message: `the limits of ${name} can't be split over ${count} tasks`,
      where: { file, field: 'limits' },
      remedy:
        most === 0
          ? 'Run it without --shard.'
          : `Take at most ${most} tasks; or write \`per_machine: true\` into its limits, where each machine has a server of its own.`,
    }
  })
  if (problems.length > 0) throw new ProblemError(problems)
}
