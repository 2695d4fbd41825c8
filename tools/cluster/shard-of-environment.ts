import type { Shard } from '../../targets/keys/shard.ts'

/** Where a scheduler tells a task which one it is. */
interface Scheduler {
  readonly index: string
  /** Absent where none tells how many there are. */
  readonly count?: string
  /** Of the first task. */
  readonly from: number
  /** Names what was submitted, the same for all its tasks and their restarts. */
  readonly submission?: string
}

const SCHEDULERS: readonly Scheduler[] = [
  { index: 'JOB_COMPLETION_INDEX', from: 0 },
  { index: 'CI_NODE_INDEX', count: 'CI_NODE_TOTAL', from: 1, submission: 'CI_PIPELINE_ID' },
  { index: 'CIRCLE_NODE_INDEX', count: 'CIRCLE_NODE_TOTAL', from: 0, submission: 'CIRCLE_WORKFLOW_ID' },
  {
    index: 'BUILDKITE_PARALLEL_JOB',
    count: 'BUILDKITE_PARALLEL_JOB_COUNT',
    from: 0,
    submission: 'BUILDKITE_BUILD_ID',
  },
]

/** A whole number of a variable; undefined for what is none. */
const numberIn = (env: NodeJS.ProcessEnv, name: string | undefined): number | undefined => {
  const text = name === undefined ? undefined : env[name]
  return text !== undefined && /^\d+$/.test(text) ? Number(text) : undefined
}

/**
 * Which part of the work this task is, by what its scheduler says: Slurm's arrays, Kubernetes' Indexed Jobs, GitLab,
 * CircleCI, Buildkite. Undefined where none says it, or not how many parts there are.
 *
 * @param count how many there are, which wins: a rerun of a few tasks is an array of a few
 */
export const shardOfEnvironment = (env: NodeJS.ProcessEnv, count: number | undefined): Shard | undefined => {
  const task = numberIn(env, 'SLURM_ARRAY_TASK_ID')
  if (task !== undefined) {
    const [least, most] = [numberIn(env, 'SLURM_ARRAY_TASK_MIN') ?? 0, numberIn(env, 'SLURM_ARRAY_TASK_MAX')]
    const parts = count ?? numberIn(env, 'SLURM_ARRAY_TASK_COUNT')
    // An array from 1 to n has all n parts, too.
    const from = count === undefined ? least : least === 1 && most === count ? 1 : 0
    return parts === undefined ? undefined : { index: task - from, count: parts }
  }
  for (const scheduler of SCHEDULERS) {
    const index = numberIn(env, scheduler.index)
    const parts = count ?? numberIn(env, scheduler.count)
    if (index !== undefined)
      return parts === undefined ? undefined : { index: index - scheduler.from, count: parts }
  }
  return undefined
}

/** What was submitted, by the scheduler's name of it; undefined where there is none. */
export const submissionOf = (env: NodeJS.ProcessEnv): string | undefined => {
  const named = ['MEDMAKE_SUBMISSION', 'SLURM_ARRAY_JOB_ID', 'GITHUB_RUN_ID']
  const names = [...named, ...SCHEDULERS.flatMap(({ submission = [] }) => submission)]
  const text = names.map((name) => env[name]).find((value) => value !== undefined && value !== '')
  return text?.replaceAll(/[^\w-]/g, '-')
}
