import { execa, ExecaError } from 'execa'
import { ProblemError } from '../../cache/problems/problem.ts'

/** @throws ProblemError `cluster/slurm` */
const slurm = async (command: string, args: readonly string[], cwd: string): Promise<string> => {
  try {
    return (await execa(command, args, { cwd })).stdout
  } catch (error) {
    if (!(error instanceof ExecaError)) throw error
    const isMissing = error.code === 'ENOENT'
    throw new ProblemError(
      {
        code: 'cluster/slurm',
        message: isMissing ? `there is no ${command} here` : `${command}: ${String(error.stderr).trim()}`,
        remedy: isMissing
          ? 'Run this where Slurm’s commands are, such as a login node; elsewhere start `medmake run --shard i/n` by what you have.'
          : 'Mend the script in cluster/, or ask who runs the cluster.',
      },
      { cause: error },
    )
  }
}

/** Ids of tasks as Slurm takes them: `0-3,7`. */
export const arrayText = (tasks: readonly number[]): string => {
  const ranges: [number, number][] = []
  for (const task of [...tasks].sort((a, b) => a - b)) {
    const last = ranges.at(-1)
    if (last?.[1] === task - 1) last[1] = task
    else ranges.push([task, task])
  }
  return ranges.map(([from, to]) => (from === to ? `${from}` : `${from}-${to}`)).join(',')
}

/** Submits a script; the job's id. */
export const submit = async (
  cwd: string,
  options: readonly string[],
  script: readonly string[],
): Promise<string> => {
  const out = await slurm('sbatch', ['--parsable', ...options, ...script], cwd)
  return out.trim().split(';')[0] ?? ''
}

export interface QueuedTask {
  readonly task: number
  /** Slurm's word: PENDING, RUNNING, … */
  readonly state: string
  readonly node: string
}

/** Tasks of an array that are waiting or running; none where Slurm knows nothing of it any more. */
export const queuedTasks = async (cwd: string, job: string): Promise<readonly QueuedTask[]> => {
  const format = ['--noheader', '--array', '--format=%K|%T|%N']
  const out = await slurm('squeue', ['--job', job, ...format], cwd).catch((error: unknown) => {
    if (error instanceof ProblemError && /invalid job id/i.test(error.message)) return ''
    throw error
  })
  return out.split('\n').flatMap((line) => {
    const [task = '', state = '', node = ''] = line.trim().split('|')
    return /^\d+$/.test(task) ? [{ task: Number(task), state, node }] : []
  })
}
