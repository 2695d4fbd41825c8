import { existsSync } from 'node:fs'
import { defined } from '../../../cache/values/defined.ts'
import { join } from 'node:path'
import { emitRun, isEmitted, refuseOtherReading, requirePlace } from '../../session/emit-run.ts'
import type { SuiteTarget } from '../../session/resolve-targets.ts'
import type { Session } from '../../session/session.ts'
import type { Stopper } from '../../session/stopper.ts'
import type { Workspace } from '../../session/workspace/workspace.ts'
import type { WaitingBatch } from '../../../targets/batch/batches.ts'
import { runTargets, type TargetResult } from '../../../targets/scheduler/run-targets.ts'
import type { RunFailure, Drift } from '../../../targets/record/record.ts'
import type { SkippedRows } from '../../../targets/record/instance-ref.ts'
import { WAITING, type Causes } from '../../../targets/record/coverage.ts'
import type { Target } from '../../../targets/record/target.ts'
import { envFor } from '../../../targets/env/env.ts'
import { noteStale } from '../../helm/reading-note.ts'
import { RUN_FILES } from '../../helm/write/write-run.ts'
import { boolFlag } from '../flags.ts'
import { plural } from '../../../cache/words/number-text.ts'
import { problemsText } from '../output/print-problems.ts'
import type { Invocation } from '../verb.ts'
import { ClientError } from '../../../models/calls/client.ts'
import { sleep } from '../../../models/retry.ts'
import { EXIT, ProblemError } from '../../../cache/problems/problem.ts'
import { outputPathOf } from '../common/session-flags.ts'

/** How the targets of a run ended: names, and what stopped those that failed. */
export interface Ended extends Partial<TellsBatches> {
  readonly fresh: string[]
  readonly built: string[]
  readonly incomplete: string[]
  readonly failed: unknown[]
  readonly total: number
  /** Of runs that have any. */
  readonly causes: Map<string, Causes>
  /** Of whole runs: values that trying again would not bring. */
  readonly missing: Map<string, readonly RunFailure[]>
  /** Numbers that could not be computed, of runs that lack any. */
  readonly omitted: Map<string, readonly string[]>
  /** Of runs that go without rows of their data. */
  readonly skipped: Map<string, SkippedRows>
  /** Of runs that several models answered under one name. */
  readonly drift: Map<string, readonly Drift[]>
  /** Whose folders hold files of an earlier state. */
  readonly stale?: readonly string[]
}

interface TellsBatches {
  /** Those whose answers are still to come. */
  readonly waiting: readonly WaitingBatch[]
  /** Those under way that nothing waits for. */
  readonly idle: readonly WaitingBatch[]
}

/** Builds the targets and writes the files of those that are whole. */
export const buildRuns = async (
  all: readonly SuiteTarget[],
  session: Session,
  { invocation, workspace, stopper }: { invocation: Invocation; workspace: Workspace; stopper: Stopper },
): Promise<Ended> => {
  const { flags, cwd } = invocation
  const output = outputPathOf(flags, cwd, workspace)
  const directoryOf = ({ suite, target }: SuiteTarget): string =>
    join(output, 'runs', suite, target.spec.name)
  const skip = boolFlag(flags, 'skipCompletedRuns')
  const targets = all.filter((each) => !(skip && isCompleted(directoryOf(each))))
  const directories = new Map(targets.map((each) => [each.target, directoryOf(each)]))
  for (const [{ spec }, directory] of directories) {
    requirePlace(directory)
    refuseOtherReading(
      directory,
      defined({ profile: session.env.profile, errata: spec.benchmark.errata }),
      session.store,
    )
  }
  const ended = noneOf(targets.length)
  const old = new Set<Target>()
  const allow = boolFlag(flags, 'allowFailures')
  await runTargets(
    targets.map(({ target }) => target),
    session.env,
    {
      onResult: async (result) => {
        const directory = directories.get(result.target)
        const isWaiting = (): boolean => result.record.failures.some(({ code }) => code === WAITING)
        if (directory !== undefined) {
          const isWritten = result.complete || (allow && !isWaiting())
          if (isWritten) await emitRun(directory, result, session.env)
          else if (!isEmitted(directory, result, session.store)) old.add(result.target)
        }
        note(result, ended)
      },
      onProblem: (target, error) => {
        old.add(target)
        ended.failed.push(error)
        if (boolFlag(flags, 'exitOnError')) stopper.request()
      },
      onChecked: (failed) => {
        // Where none goes on, the end tells it at once.
        const isEnd = failed.length === targets.length || stopper.stop.aborted
        if (failed.length === 0 || isEnd) return
        invocation.warn(problemsText(ended.failed, process.stderr.isTTY))
        invocation.warn(`${failed.length} of ${targets.length} runs cannot be built, the others go on.`)
      },
    },
  )
  await collectIdle(directories.keys(), session)
  return { ...ended, stale: await notedStale(old, directories) }
}

const noneOf = (total: number): Ended => ({
  fresh: [],
  built: [],
  incomplete: [],
  failed: [],
  total,
  causes: new Map(),
  missing: new Map(),
  omitted: new Map(),
  skipped: new Map(),
  drift: new Map(),
})

const notedStale = async (
  old: Iterable<Target>,
  directories: ReadonlyMap<Target, string>,
): Promise<readonly string[]> => {
  const names: string[] = []
  for (const target of old) {
    const directory = directories.get(target) ?? ''
    // A disk that was full lets no run through, but maybe the note.
    if ((await noteStale(directory)) && existsSync(join(directory, RUN_FILES.runSpec)))
      names.push(target.spec.name)
  }
  return names
}

const LACKING = ['not-measured', 'judge-unparseable', 'judge-out-of-range'] as const

const note = (result: TargetResult, ended: Ended): void => {
  const { name } = result.target.spec
  const list = !result.complete ? ended.incomplete : result.fresh ? ended.fresh : ended.built
  list.push(name)
  if (Object.keys(result.causes).length > 0) ended.causes.set(name, result.causes)
  if (result.omitted.length > 0) ended.omitted.set(name, result.omitted)
  // What follows opens the record of a fresh target, too: only where its main metric lacks something.
  if (result.complete && (!result.fresh || LACKING.some((cause) => result.causes[cause] !== undefined)))
    ended.missing.set(name, result.record.failures)
  const { 'row-skipped': gone = 0, 'row-in-part': cut = 0 } = result.causes
  const skipped = gone + cut === 0 ? undefined : result.record.skippedRows
  if (skipped !== undefined) ended.skipped.set(name, skipped)
  const drift = result.causes['model-drift'] === undefined ? [] : (result.record.drift ?? [])
  if (drift.length > 0) ended.drift.set(name, drift)
}

/** HELM's notion: the five files exist. */
const isCompleted = (directory: string): boolean =>
  Object.values(RUN_FILES).every((name) => existsSync(join(directory, name)))

/** Milliseconds between looks at what the provider has done: longer the longer it takes. */
const FIRST_LOOK = 1000
const LONGEST_LOOK = 60_000
/** Rounds that bring nothing though a batch has ended, such as where its answers can't be had: more will not, either. */
const MOST_IDLE = 6

/**
 * Builds, then sends what was gathered. With `wait` again, as batches end: the judges' requests are known once the
 * models' answers are there.
 */
export const inRounds = async <Ended>(
  build: () => Promise<Ended>,
  { batches, env }: Session,
  wait: boolean,
): Promise<{ readonly ended: Ended } & TellsBatches> => {
  let [before, idle] = ['', 0]
  // Whoever is stopped rests no longer.
  const rest = (milliseconds: number): Promise<void> => sleep(milliseconds, env.stop).catch(() => undefined)
  for (;;) {
    const ended = await build()
    const waiting = await batches.send().catch(notSent)
    const ids = waiting.map(({ id }) => id).join(' ')
    idle = ids === before ? idle + 1 : 0
    before = ids
    if (waiting.length === 0 || !wait || env.stop.aborted || idle > MOST_IDLE)
      return { ended, waiting, idle: batches.idle() }
    let [pause, unheard] = [FIRST_LOOK, 0]
    if (idle > 0) await rest(pause * 2 ** (idle - 1))
    const hasEnded = async (): Promise<boolean> => {
      try {
        const isAny = await batches.anyEnded()
        unheard = 0
        return isAny
      } catch (error) {
        // Over hours a server is out of reach now and then.
        if (error instanceof ClientError && error.retriable && (unheard += 1) <= MOST_IDLE) return false
        return notSent(error)
      }
    }
    while (!env.stop.aborted && !(await hasEnded())) {
      await rest(pause)
      pause = Math.min(LONGEST_LOOK, pause * 2)
    }
    batches.forget()
  }
}

const notSent = (error: unknown): never => {
  if (!(error instanceof ClientError)) throw error
  const isUnknown = error.status === 404 || error.status === 405
  throw new ProblemError(
    {
      code: isUnknown ? 'batch/not-offered' : 'batch/not-sent',
      message: `the batch interface answered: ${error.message}`,
      remedy: isUnknown
        ? 'This server takes no batches: run without --batch, or say batches: false among the deployment’s args.'
        : 'Run again: what the provider has of it is found there, the rest is sent then.',
    },
    error.retriable ? { exitCode: EXIT.incomplete } : {},
  )
}

/** Collects what batches have of these deployments though nothing asks for it any more: it was paid for. */
const collectIdle = async (targets: Iterable<Target>, { batches, env }: Session): Promise<void> => {
  if (env.storedOnly === true) return
  // What is whole already needs no key, of the vault or a server, and no server.
  const told = (error: unknown): undefined => {
    if (!(error instanceof ProblemError)) throw error
  }
  for (const { deployment, judges, spec } of targets) {
    const own = await envFor(spec.benchmark, env).catch(told)
    if (own === undefined) continue
    for (const asked of [deployment, ...judges.map((judge) => judge.deployment)])
      await batches.look(asked, own).catch(told)
  }
}

export const batchLines = (what: string, batches: readonly WaitingBatch[]): readonly string[] =>
  batches.map(
    ({ id, deployment, requests, sent }) =>
      `${what}: batch ${id}: ${plural(requests, 'request')} to ${deployment}, sent ${sent}`,
  )

export const waitingText = (waiting: readonly WaitingBatch[]): string =>
  [...batchLines('waiting', waiting), 'Run again to collect them, or add --wait.'].join('\n')
