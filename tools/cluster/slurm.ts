import { userInfo } from 'node:os'
import { join } from 'node:path'
import { execa, ExecaError } from 'execa'
import { ProblemError } from '../../cache/problems/problem.ts'
import { packageRoot } from '../../cache/package-root.ts'

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
          : 'Where Slurm can’t be reached, run it again once it can: what it took is not sent twice. Else mend the script in cluster/, or ask who runs the cluster.',
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
  readonly array: string
  readonly task: number
  /** Slurm's word: PENDING, RUNNING, … */
  readonly state: string
  readonly node: string
}

/** Tasks of an array that are waiting or running; none where Slurm knows nothing of it any more. */
export const queuedTasks = async (cwd: string, array: string): Promise<readonly QueuedTask[]> => {
  const format = ['--noheader', '--array', '--format=%K|%T|%N']
  const out = await slurm('squeue', ['--job', array, ...format], cwd).catch((error: unknown) => {
    if (error instanceof ProblemError && /invalid job id/i.test(error.message)) return ''
    throw error
  })
  return out.split('\n').flatMap((line) => {
    const [task = '', state = '', node = ''] = line.trim().split('|')
    return /^\d+$/.test(task) ? [{ array, task: Number(task), state, node }] : []
  })
}

/** This user's jobs that wait or run, of this script with these words first behind it. */
export const jobsOf = async (cwd: string, script: readonly string[]): Promise<readonly string[]> => {
  const out = await slurm('squeue', [`--user=${userInfo().uid}`, '--noheader', '--format=%F|%o'], cwd)
  const jobs = out.split('\n').flatMap((line) => {
    const [, job = '', command = ''] = /^(\d+)\|(.*)$/.exec(line.trim()) ?? []
    return `${command} `.startsWith(`${script.join(' ')} `) ? [job] : []
  })
  return [...new Set(jobs)].sort((a, b) => Number(a) - Number(b))
}

export interface ScriptOptions {
  readonly root: string
  readonly name: string
  readonly tier: string
  readonly run: readonly string[]
}

const quote = (text: string): string =>
  /^[\w./:@=,+-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`

const words = (texts: readonly string[]): string => texts.map(quote).join(' ')

const program = (): string => quote(join(packageRoot(), 'dist/medmake.js'))

/** One task of the array. A log a node: two nodes that append to one file of a network file system lose lines. */
export const arrayScript = ({ root, name, tier, run }: ScriptOptions): string => `#!/bin/bash
# A part of ${name}. Yours to edit: account, partition, time, memory, modules, a container. Made by \`medmake cluster plan\`,
# which leaves it alone from then on; \`medmake cluster submit\` adds the array, the number of parts and the plan.
#SBATCH --job-name=medmake-${name}
#SBATCH --cpus-per-task=1
#SBATCH --requeue --open-mode=append
#SBATCH --signal=B:TERM@60
#SBATCH --output=cluster/logs/%A-%a-%N.log

shards=$1 plan=$2; shift 2
cd ${quote(root)} || exit 2
node ${program()} run ${words(run)} --tier ${quote(tier)} --shard auto --shards "$shards" --plan "$plan" "$@" &
task=$!
trap 'kill -TERM $task 2> /dev/null' TERM USR1
# A signal ends a wait, not the task.
wait $task; code=$?
while [ "$code" -gt 128 ] && kill -0 $task 2> /dev/null; do wait $task; code=$?; done
if [ "$code" -gt 128 ]; then wait $task; last=$?; [ "$last" -eq 127 ] || code=$last; fi
# Stopped before its end: once more, from where it was.
[ "$code" -ne 75 ] || scontrol requeue "\${SLURM_ARRAY_JOB_ID}_$SLURM_ARRAY_TASK_ID"
exit "$code"
`

/** What merges and reports, once no task is left. Its store lies on its node's disk: all that is paid for is in the tier. */
export const headScript = ({ root, name, tier, run }: ScriptOptions): string => `#!/bin/bash
# Merges and reports ${name}, and asks nobody. Yours to edit, as the other.
#SBATCH --job-name=medmake-${name}-head
#SBATCH --cpus-per-task=1
#SBATCH --requeue --open-mode=append
#SBATCH --output=cluster/logs/%j-%N.log

cd ${quote(root)} || exit 2
tmp=\${SLURM_TMPDIR:-\${TMPDIR:-/tmp}}
# What heads left here whose node died: the lock of one that is at work is held.
for old in "$tmp"/medmake-head-*; do [ ! -O "$old" ] || [ -L "$old" ] || flock -n "$old" rm -rf "$old"; done
scratch=$(mktemp -d "$tmp/medmake-head-XXXXXX")
exec 9< "$scratch" && flock -n 9
trap 'rm -rf "$scratch"' EXIT
node ${program()} run ${words(run)} --tier ${quote(tier)} --stored-only --json --store "$scratch/store"
code=$?
node ${program()} report ${words(run)} --store "$scratch/store" --allow-failures || [ "$code" -ne 0 ] || code=1
exit "$code"
`
