import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { EXIT, type ExitCode } from '../../../cache/problems/problem.ts'
import { openTier } from '../../../cache/tier/open-tier.ts'
import {
  clusterFolder,
  clusterName,
  readClusterFile,
  writeClusterFile,
  type ClusterFile,
} from '../../cluster/cluster-file.ts'
import { shardStates, type ShardState } from '../../cluster/shard-states.ts'
import { arrayText, queuedTasks, submit, type QueuedTask } from '../../cluster/slurm.ts'
import { alignedTable } from '../../../cache/words/tables.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { usdText } from '../../spend/money-text.ts'
import { withCommands } from '../common/command-of.ts'
import { boolFlag, usdFlag } from '../flags.ts'
import type { Action, Invocation } from '../verb.ts'
import { planAction } from './plan.ts'

interface Planned {
  readonly root: string
  readonly name: string
  readonly file: ClusterFile
}

const plannedOf = async ({ args, cwd }: Invocation): Promise<Planned> => {
  const { root } = await findWorkspace(cwd)
  const name = clusterName(args)
  return { root, name, file: readClusterFile(root, name) }
}

const submitAction: Action = async (invocation) => {
  const planned = await plannedOf(invocation)
  const all = Array.from({ length: planned.file.shards }, (_, shard) => shard)
  return send(planned, all, invocation)
}

/** The shards that are neither done nor in the queue, with the same plan and a new allowance. */
const resumeAction: Action = async (invocation) => {
  const planned = await plannedOf(invocation)
  const { root, file } = planned
  const queued = new Set((await queueOf(root, file)).map(({ task }) => task))
  const open = (await statesOf(planned, invocation.env)).filter(
    ({ state, shard }) => state !== 'done' && !queued.has(shard),
  )
  if (open.length > 0)
    return send(
      planned,
      open.map(({ shard }) => shard),
      invocation,
    )
  invocation.print('every shard is done or in the queue')
  return EXIT.done
}

const send = async (
  { root, name, file }: Planned,
  shards: readonly number[],
  { print, flags }: Invocation,
): Promise<ExitCode> => {
  const script = (suffix: string): string => join(clusterFolder(root), `${name}${suffix}.sbatch`)
  const usd = usdFlag(flags, 'maxUsd')
  const caps = usd === undefined ? file.caps : ['--max-usd', String(usd)]
  const array = await submit(
    root,
    [`--array=${arrayText(shards)}`],
    [script(''), String(file.shards), file.plan, ...caps],
  )
  const head = await submit(root, [`--dependency=afterany:${array}`], [script('.head')])
  writeClusterFile(root, name, { ...file, jobs: [...file.jobs, { array, head }] })
  if (boolFlag(flags, 'json')) print(JSON.stringify({ array, head, shards }))
  else
    print(
      `submitted ${shards.length} of ${file.shards} shards as job ${array}, and ${head}, which merges when they have ended`,
    )
  return EXIT.done
}

const statesOf = async ({ root, file }: Planned, env: Invocation['env']): Promise<readonly ShardState[]> =>
  shardStates(await openTier(file.tier, root, env), file.plan, file.shards)

const queueOf = async (root: string, { jobs }: ClusterFile): Promise<readonly QueuedTask[]> => {
  const all = await Promise.all(jobs.map(({ array }) => queuedTasks(root, array)))
  return all.flat()
}

/** Milliseconds between two looks. */
const LOOK = 5000

const statusAction: Action = async (invocation) => {
  const { print, flags } = invocation
  const planned = await plannedOf(invocation)
  for (;;) {
    // Where Slurm can't be asked, the tier still tells.
    const queued = await queueOf(planned.root, planned.file).catch(() => [])
    const shards = (await statesOf(planned, invocation.env)).map((each) => withQueue(each, queued))
    const isDone = shards.every(({ state }) => state === 'done')
    if (boolFlag(flags, 'json')) print(JSON.stringify({ ...planned.file, shards }))
    else print(statusText(shards))
    if (!boolFlag(flags, 'watch') || queued.length === 0) return isDone ? EXIT.done : EXIT.incomplete
    await setTimeout(LOOK)
  }
}

interface ShownState extends ShardState {
  readonly queue: string
}

/** An attempt that said nothing of its end is at work if Slurm has the task running, else lost. */
const withQueue = (shard: ShardState, queued: readonly QueuedTask[]): ShownState => {
  const task = queued.find((each) => each.task === shard.shard)
  const queue = task === undefined ? '' : [task.state.toLowerCase(), task.node].join(' ').trim()
  const state = shard.state !== 'begun' ? shard.state : task?.state === 'RUNNING' ? 'running' : 'lost'
  return { ...shard, state, queue }
}

const statusText = (shards: readonly ShownState[]): string => {
  const count = (value: number | null): string => (value === null ? '' : String(value))
  const rows = shards.map(({ shard, state, queue, attempts, requests, answered, providerCalls, usd }) => [
    String(shard),
    state,
    queue,
    String(attempts),
    count(requests),
    count(answered),
    String(providerCalls),
    usd === null ? 'unknown' : usdText(usd),
  ])
  const heads = ['shard', 'state', 'queue', 'attempts', 'requests', 'answered', 'calls', 'USD']
  const done = shards.filter(({ state }) => state === 'done').length
  return `${alignedTable(heads, rows)}\n${done} of ${shards.length} shards done`
}

/** `medmake cluster …`: a run as an array of tasks that share a tier, and a head that merges. */
export const clusterAction: Action = withCommands('cluster', {
  plan: planAction,
  submit: submitAction,
  status: statusAction,
  resume: resumeAction,
})
