import { join } from 'node:path'
import { packageRoot } from '../../cache/package-root.ts'

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
scratch=$(mktemp -d "\${SLURM_TMPDIR:-\${TMPDIR:-/tmp}}/medmake-head-XXXXXX")
trap 'rm -rf "$scratch"' EXIT
node ${program()} run ${words(run)} --tier ${quote(tier)} --stored-only --json --store "$scratch/store"
code=$?
node ${program()} report ${words(run)} --store "$scratch/store" --allow-failures || [ "$code" -ne 0 ] || code=1
exit "$code"
`
