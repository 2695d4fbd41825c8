import { setMaxListeners } from 'node:events'
import type { ExecutorContext, TaskGraph } from '@nx/devkit'
import { ProblemError } from '../../cache/problems/problem.ts'
import { systemProblem } from '../../cache/problems/system-problem.ts'
import { refusals } from '../../targets/access/agreements.ts'
import type { Target } from '../../targets/record/target.ts'
import type { SharedEnv } from '../../targets/env/env.ts'
import { formatProblems } from '../cli/output/print-problems.ts'
import { createProgress } from '../cli/output/progress.ts'
import { openSession, type Session } from '../session/session.ts'
import { stopOnSignals } from '../session/stopper.ts'
import { readVaultMark } from '../session/tier/sealed.ts'
import { findWorkspace, type Workspace } from '../session/workspace/workspace.ts'
import { keepToken, storeKept, type KeptToken } from './kept-token.ts'
import type { Pair } from './pairs/pair.ts'
import type { PairOptions } from './pair-options.ts'
import { createQueue } from './queue.ts'
import { pairsProfile, workspacePairs } from './pairs/workspace-pairs.ts'
import { existsSync } from 'node:fs'
import { type TierUse, tierUse } from '../session/tier/session-tier.ts'
import { tierOf } from '../cli/common/session-flags.ts'

/** What Nx takes for a finished task. */
export interface TaskDone {
  readonly task: string
  readonly result: {
    readonly success: boolean
    readonly terminalOutput: string
    /** Epoch milliseconds. */
    readonly startTime: number
    readonly endTime: number
  }
}

interface PairEnd {
  readonly success: boolean
  readonly text: string
}

/** The work of one kind of target for the pairs of a wave. */
export type PairWork = (wave: {
  readonly pairs: readonly Pair[]
  readonly session: Session
  /** The session's, but its `stop` also ends the wave. */
  readonly env: SharedEnv
  /** Called once for each pair that ended, well or not; never for one that was stopped half-way. */
  readonly finish: (target: Target, end: PairEnd) => void
}) => Promise<void>

/**
 * Nx stores what a batch did only when the batch returns, and calls again for the tasks that are left.
 * So a batch returns after so many tasks or milliseconds: a killed run loses at most one such wave of Nx's notes.
 * (What the models answered is never lost: it is in the store the moment it is there.)
 */
const WAVE = { tasks: 240, milliseconds: 30_000 }

/** All tasks of a batch in this process, through one session: one limiter a deployment, however many pairs. */
export async function* runBatch(
  graph: Pick<TaskGraph, 'tasks'>,
  context: Pick<ExecutorContext, 'root'>,
  work: PairWork,
  { store, suites = [] }: PairOptions = {},
): AsyncGenerator<TaskDone> {
  const workspace = await findWorkspace(context.root)
  const progress = createProgress({ stream: process.stderr, interval: 10_000 })
  const kept = storeKept(workspace, process.env)
  const tier = await sharedTier(workspace, kept)
  const stopper = stopOnSignals((text) => process.stderr.write(`${text}\n`))
  const session = await openSession({
    workspace,
    cwd: workspace.root,
    env: process.env,
    profile: await pairsProfile(workspace, suites),
    listener: progress.on,
    stopper,
    ...(tier && { tier }),
  })
  const keep = (): void => keepToken(kept, store, { replace: false })
  try {
    keep()
    const wave = createWave(graph, await workspacePairs(workspace, session, suites))
    const stop = AbortSignal.any([session.env.stop, wave.over])
    // Every waiting call listens; that is no leak.
    setMaxListeners(0, stop)
    const env = { ...session.env, stop }
    const agreed = wave.pairs.filter((pair) => isAgreed(pair, session, wave.finish))
    const pairs = tier === undefined ? agreed : await readable(agreed, session, wave.finish)
    const running = work({ pairs, session, env, finish: wave.finish }).then(
      () => wave.end(stopper.interrupted(), session.spending.problem()),
      (error: unknown) => wave.end(stopper.interrupted(), error),
    )
    yield* wave.done()
    await running
    keep()
  } finally {
    progress.close()
    stopper.close()
    await session.close()
  }
}

/** A pair whose text must not be sent ends as a failed task; the others go on. */
const isAgreed = ({ target }: Pair, { env }: Session, finish: Wave['finish']): boolean => {
  const problems = refusals([target], env.endpoint)
  if (problems.length > 0) finish(target, { success: false, text: formatProblems(problems, false) })
  return problems.length === 0
}

/** Without the key of what is sealed on the tier, nobody could read what is made here: such pairs fail, at no call. */
const readable = async (
  pairs: readonly Pair[],
  session: Session,
  finish: Wave['finish'],
): Promise<readonly Pair[]> => {
  try {
    await readVaultMark(
      pairs.map(({ target }) => target),
      session,
    )
    return pairs
  } catch (error) {
    if (!(error instanceof ProblemError)) throw error
    const isPublic = ({ target }: Pair): boolean => target.spec.benchmark.access === 'public'
    for (const pair of pairs)
      if (!isPublic(pair)) finish(pair.target, { success: false, text: errorText(error) })
    return pairs.filter(isPublic)
  }
}

interface Wave {
  readonly pairs: readonly Pair[]
  /** Aborted once the wave is large or old enough: calls in flight finish, none is begun. */
  readonly over: AbortSignal
  readonly finish: (target: Target, end: PairEnd) => void
  readonly end: (interrupted: boolean, error?: unknown) => void
  readonly done: () => AsyncGenerator<TaskDone>
}

const createWave = ({ tasks }: Pick<TaskGraph, 'tasks'>, known: ReadonlyMap<string, Pair>): Wave => {
  const startTime = Date.now()
  const queue = createQueue<TaskDone>()
  const over = new AbortController()
  const left = new Map<Target, string>()
  const pairs: Pair[] = []
  let ended = 0
  const done = (task: string, { success, text }: PairEnd): void => {
    const endTime = Date.now()
    ended += 1
    queue.push({ task, result: { success, terminalOutput: `${text}\n`, startTime, endTime } })
    if (ended >= WAVE.tasks || endTime - startTime >= WAVE.milliseconds) over.abort()
  }
  for (const [task, { target }] of Object.entries(tasks)) {
    const pair = known.get(target.project)
    if (pair === undefined) done(task, { success: false, text: `no suite holds ${target.project} any more` })
    else {
      left.set(pair.target, task)
      pairs.push(pair)
    }
  }
  return {
    pairs,
    over: over.signal,
    finish: (target, end) => {
      const task = left.get(target)
      left.delete(target)
      if (task !== undefined) done(task, end)
    },
    end: (interrupted, error) => {
      if (error !== undefined) queue.end(error)
      else if (interrupted) queue.end(new Error('interrupted; run again to go on'))
      else if (left.size > 0 && !over.signal.aborted)
        queue.end(new Error(`${left.size} tasks came to no end`))
      else queue.end()
    },
    done: () => queue.values(),
  }
}

/** An error as the text of a failed task. Faults of our own keep their stack. */
export const errorText = (error: unknown): string => {
  const told = error instanceof ProblemError ? error : systemProblem(error)
  if (told !== undefined) return formatProblems(told.problems, false)
  return error instanceof Error ? (error.stack ?? error.message) : String(error)
}

/** Set for Nx's own remote cache. */
const REMOTE = 'NX_SELF_HOSTED_REMOTE_CACHE_SERVER'

/**
 * The tier of medmake.yaml: what other machines paid for is read from it, so that a workspace whose store lacks what Nx's
 * remote cache names makes it at no call. Where there is none, that is said before anything is asked.
 */
const sharedTier = async (workspace: Workspace, { token }: KeptToken): Promise<TierUse | undefined> => {
  const { env } = process
  const tier = await tierOf({ flags: {}, cwd: workspace.root, env }, workspace)
  if (tier !== undefined) return tierUse(tier, workspace.config)
  if (env[REMOTE] !== undefined && !existsSync(token)) process.stderr.write(`${NOT_SHARED}\n`)
  return undefined
}

const NOT_SHARED = `Nx's remote cache holds digests of results and not the results: this workspace's store is new, so all is built here, and what other machines asked is asked and paid for again. To share that, name a folder that all reach, or a bucket, in medmake.yaml: store: { tier: /project/evals }.`
