import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { EXIT, ProblemError, reasonOf, type ExitCode } from '../../../cache/problems/problem.ts'
import { openTier } from '../../../cache/tier/open-tier.ts'
import {
  clusterFolder,
  clusterName,
  readClusterFile,
  writeClusterFile,
  type ClusterFile,
} from '../../cluster/cluster-file.ts'
import { shardStates, type ShardState } from '../../cluster/shard-states.ts'
import { arrayText, jobsOf, queuedTasks, submit, type QueuedTask } from '../../cluster/slurm.ts'
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
  const [queued] = (await queueOf(planned)).tasks
  // Each array has an allowance of its own.
  if (queued !== undefined)
    throw new ProblemError({
      code: 'cluster/queued',
      message: `job ${queued.array} of ${planned.name} is in the queue`,
      remedy: `\`medmake cluster resume\` submits what is neither done nor in the queue, and the head if Slurm did not take it; \`scancel ${queued.array}\` takes the job back.`,
    })
  const shards = Array.from({ length: planned.file.shards }, (_, shard) => shard)
  return send(planned, { shards, queued: [] }, invocation)
}

/** The shards that are neither done nor in the queue, with the same plan and a new allowance; a head that is missing, too. */
const resumeAction: Action = async (invocation) => {
  const planned = await plannedOf(invocation)
  const { tasks: queued, jobs } = await queueOf(planned)
  const shards = (await statesOf(planned, invocation.env))
    .filter(({ state, shard }) => state !== 'done' && !queued.some(({ task }) => task === shard))
    .map(({ shard }) => shard)
  const found = { ...planned, file: { ...planned.file, jobs } }
  writeClusterFile(found.root, found.name, found.file)
  if (shards.length > 0 || jobs.at(-1)?.head === undefined)
    return send(found, { shards, queued: queued.map(({ array }) => array) }, invocation)
  invocation.print('every shard is done or in the queue')
  return EXIT.done
}

interface Sending {
  readonly shards: readonly number[]
  /** Arrays that the head waits for, too. */
  readonly queued: readonly string[]
}

const send = async (
  planned: Planned,
  { shards, queued }: Sending,
  { print, flags }: Invocation,
): Promise<ExitCode> => {
  const { root, name, file } = planned
  const scripts = scriptsOf(planned)
  const [usd, isJson] = [usdFlag(flags, 'maxUsd'), boolFlag(flags, 'json')]
  const caps = usd === undefined ? file.caps : ['--max-usd', String(usd)]
  const arrays = [...new Set(queued)]
  let jobs = file.jobs
  if (shards.length > 0) {
    const options = [`--array=${arrayText(shards)}`]
    const array = await submit(root, options, [...scripts.array, ...caps])
    arrays.push(array)
    if (!isJson) print(`submitted ${shards.length} of ${file.shards} shards as job ${array}`)
    jobs = [...jobs, { array }]
    // Before the head, which Slurm may refuse: what is at work must not be sent again.
    writeClusterFile(root, name, { ...file, jobs })
  }
  const after = arrays.length === 0 ? [] : [`--dependency=afterany:${arrays.join(':')}`]
  const head = await submit(root, after, scripts.head)
  const array = jobs.at(-1)?.array ?? head
  writeClusterFile(root, name, { ...file, jobs: [...jobs.slice(0, -1), { array, head }] })
  print(isJson ? JSON.stringify({ array, head, shards }) : `job ${head} merges when they have ended`)
  return EXIT.done
}

const statesOf = async ({ root, file }: Planned, env: Invocation['env']): Promise<readonly ShardState[]> =>
  shardStates(await openTier(file.tier, root, env), file.plan, file.shards)

/** What Slurm is given, by which it also names what runs it: nothing else is left of a job whose number was not noted. */
const scriptsOf = ({
  root,
  name,
  file: { shards, plan },
}: Planned): Readonly<Record<'array' | 'head', readonly string[]>> => {
  const script = (suffix: string): string => join(clusterFolder(root), `${name}${suffix}.sbatch`)
  return { array: [script(''), String(shards), plan], head: [script('.head'), plan] }
}

interface Queue {
  readonly tasks: readonly QueuedTask[]
  /** Those that were noted, and those that Slurm took without: their sender was killed, or its answer got lost. */
  readonly jobs: ClusterFile['jobs']
}

const queueOf = async (planned: Planned): Promise<Queue> => {
  const { root, file } = planned
  const scripts = scriptsOf(planned)
  const isNew = (job: string): boolean => !file.jobs.some(({ array, head }) => job === array || job === head)
  const [arrays, heads] = await Promise.all([jobsOf(root, scripts.array), jobsOf(root, scripts.head)])
  const jobs: ClusterFile['jobs'] = [...file.jobs, ...arrays.filter(isNew).map((array) => ({ array }))]
  const head = heads.findLast(isNew)
  // Where its array has ended and was never noted, a head stands for itself.
  const last = jobs.at(-1) ?? (head === undefined ? undefined : { array: head })
  const all = await Promise.all(jobs.map(({ array }) => queuedTasks(root, array)))
  const isHeadless = last !== undefined && last.head === undefined && head !== undefined
  return { tasks: all.flat(), jobs: isHeadless ? [...jobs.slice(0, -1), { ...last, head }] : jobs }
}

/** Milliseconds between two looks. */
const LOOK = 5000

const statusAction: Action = async (invocation) => {
  const { print, flags, warn } = invocation
  const planned = await plannedOf(invocation)
  for (let wasAsked = false; ;) {
    // Where Slurm can't be asked, the tier still tells.
    const found = await queueOf(planned).catch((error: unknown) => {
      warn(`which tasks are at work is not known: ${reasonOf(error)}`)
      return undefined
    })
    const queued = found?.tasks
    wasAsked ||= queued !== undefined
    const shards = (await statesOf(planned, invocation.env)).map((each) => withQueue(each, queued))
    const isDone = shards.every(({ state }) => state === 'done')
    if (boolFlag(flags, 'json')) print(JSON.stringify({ ...planned.file, shards }))
    else print(statusText(shards))
    const goesOn = queued === undefined ? wasAsked && !isDone : queued.length > 0
    if (!boolFlag(flags, 'watch') || !goesOn) return isDone ? EXIT.done : EXIT.incomplete
    await setTimeout(LOOK)
  }
}

interface ShownState extends ShardState {
  readonly queue: string
}

/** An attempt that said nothing of its end is at work if Slurm has the task running, else lost; who can't ask can't tell. */
const withQueue = (shard: ShardState, queued: readonly QueuedTask[] | undefined): ShownState => {
  if (queued === undefined) return { ...shard, queue: '' }
  const tasks = queued.filter((each) => each.task === shard.shard)
  const task = tasks.find(({ state }) => state === 'RUNNING') ?? tasks[0]
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
