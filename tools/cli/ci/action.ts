import { writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import type { Digest } from '../../../cache/values/digest.ts'
import { EXIT, ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'
import {
  readComparedRun,
  type ComparedRun,
  type ComparisonOptions,
} from '../../../targets/compare/compared-run.ts'
import { compareRuns } from '../../../targets/compare/compare-runs.ts'
import { gateRuns } from '../../../targets/compare/gate-runs.ts'
import {
  concerns,
  failuresOf,
  metricsNamed,
  parseFailIf,
  type FailIf,
} from '../../../targets/compare/fail-if.ts'
import type { Event } from '../../../targets/event.ts'
import {
  changedTargets,
  type ChangedTarget,
  type Changes,
  type KeyedTarget,
} from '../../../targets/scheduler/changed-targets.ts'
import { differences, discreetDifferences } from '../../../targets/scheduler/explain.ts'
import { planTarget } from '../../../targets/scheduler/plan-target.ts'
import { runTargets, type TargetResult } from '../../../targets/scheduler/run-targets.ts'
import type { Target } from '../../../targets/record/target.ts'
import type { CiOutcome, CiReport } from '../../compare/ci-report.ts'
import { ciJunit, formatCi } from '../../compare/format-ci.ts'
import { failedExit } from '../output/failed-exit.ts'
import { builtRun } from '../../session/built-run.ts'
import { sessionRuns } from '../../session/session-runs.ts'
import type { Session } from '../../session/session.ts'
import { tierUse } from '../../session/tier/tier-use.ts'
import { readVaultMark } from '../../session/tier/vault-mark.ts'
import { requirePrices } from '../../session/spending/unpriced.ts'
import { findWorkspace, type Workspace } from '../../session/workspace/workspace.ts'
import { keyedTargets, withBase } from '../base.ts'
import { differenceText } from '../output/difference-text.ts'
import { boolFlag, countFlag, listFlag, textFlag } from '../flags.ts'
import { formatProblems } from '../output/print-problems.ts'
import { createProgress } from '../output/progress.ts'
import { createSummary, type ProgressSummary } from '../output/summary.ts'
import type { Action, Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { formatFlag, refuseUnknownSource, wantedOf } from '../compare/action.ts'
import { suitesOf } from '../common/suites.ts'
import { tierOf } from '../common/tier-flags.ts'
import { outputPathOf } from '../common/session-flags.ts'
import { withSources } from '../../sources/result-source.ts'

/** What the base is, as far as this tree is compared with it. */
interface Base {
  readonly targets: readonly KeyedTarget[]
  /** Values of the targets that changed and were built, by their own keys. */
  readonly runs: ReadonlyMap<Digest<'target'>, ComparedRun>
  /** Of these, those that a release told. */
  readonly released: ReadonlySet<Digest<'target'>>
}

interface Job {
  readonly invocation: Invocation
  readonly workspace: Workspace
  readonly commit: string
  readonly clauses: readonly FailIf[]
  readonly wanted: ComparisonOptions
}

/** `medmake ci`: the pull-request job. What changed, what it would cost, build it, compare it with the base's results. */
export const ciAction: Action = async (called) => {
  const { flags } = called
  const format = formatFlag(flags, 'markdown')
  const clauses = parseFailIf(listFlag(flags, 'failIf') ?? [])
  // The suites are this verb's arguments, as they are of run and affected.
  const invocation: Invocation = { ...called, args: listFlag(flags, 'suite') ?? [] }
  const workspace = await findWorkspace(called.cwd)
  const job: Job = {
    invocation,
    clauses,
    workspace,
    commit: textFlag(flags, 'base') ?? 'main',
    wanted: wantedOf(flags, metricsNamed(clauses)),
  }
  const base = await readBase(job)
  const summary = createSummary()
  const progress = createProgress({ stream: process.stderr, interval: process.stderr.isTTY ? 100 : 10_000 })
  const listener = (event: Event): void => {
    summary.on(event)
    progress.on(event)
  }
  const tier = await tierOf(invocation, workspace)
  const use = { workspace, listener, ...(tier && { tier: tierUse(tier, workspace.config) }) }
  try {
    return await withSession(invocation, use, async (session, stopper) => {
      const changes = changedTargets(await targetsOf(job, session), base.targets)
      await requirePrices(
        changes.changed.map(({ head }) => head.target),
        session,
      )
      const calls = await callsOf(changes, job, session)
      if (tier !== undefined)
        await readVaultMark(
          changes.changed.map(({ head }) => head.target),
          session,
        )
      const built = await build(changes, session)
      progress.close()
      if (stopper.interrupted()) return EXIT.interrupted
      const report = await compareWithBase(changes, { base, built, calls, job, session, summary })
      called.print(formatCi(report, format))
      const file = textFlag(flags, 'junit')
      if (file !== undefined) await writeFile(resolve(called.cwd, file), ciJunit(report))
      return exitCode(report, built, invocation)
    })
  } finally {
    progress.close()
  }
}

const targetsOf = async ({ invocation, workspace }: Job, session: Session): Promise<readonly KeyedTarget[]> =>
  keyedTargets(await suitesOf(invocation, workspace), session)

/** Reads everything of the base that is needed, so that its tree can be gone while this one is built. */
const readBase = async (job: Job): Promise<Base> => {
  const { invocation, workspace, commit, wanted } = job
  const head = await withSession(invocation, { workspace, readOnly: true }, (session) =>
    targetsOf(job, session),
  )
  return withBase(invocation, workspace, commit, async (session, targets) => {
    const runs = new Map<Digest<'target'>, ComparedRun>()
    const lacking: KeyedTarget[] = []
    for (const { base } of changedTargets(head, targets).changed) {
      if (base === undefined) continue
      const built = await builtRun(base, session, boolFlag(invocation.flags, 'allowFailures'))
      if (built === undefined) lacking.push(base)
      else runs.set(base.key.digest, await readComparedRun(sessionRuns(session)(built), wanted))
    }
    const released = await releasedBase(lacking, job)
    return { targets, runs: new Map([...runs, ...released]), released: new Set(released.keys()) }
  })
}

/** What releases hold of the base's runs, each known by its key: another declaration's results are not the base's. */
const releasedBase = async (
  lacking: readonly KeyedTarget[],
  { invocation: { flags, cwd, warn }, workspace, wanted }: Job,
): Promise<ReadonlyMap<Digest<'target'>, ComparedRun>> => {
  const places = { workspace, cwd, outputPath: outputPathOf(flags, cwd, workspace) }
  return withSources(listFlag(flags, 'from') ?? [], places, async (sources) => {
    const runs = new Map<Digest<'target'>, ComparedRun>()
    const held = sources.flatMap((source) => source.runs)
    for (const { target, key } of sources.length === 0 ? [] : lacking) {
      const { name } = target.spec
      const found = held.find(({ card }) => card?.target.digest === key.digest)
      if (found?.run.asked !== undefined)
        runs.set(key.digest, await readComparedRun(found.run, { ...wanted, acrossSources: true }))
      else if (found !== undefined) warn(`${name}: the release holds no values by instance.`)
      else if (held.some(({ run }) => run.name === name))
        warn(`${name}: the release holds it as another declaration, or another version, made it.`)
    }
    return runs
  })
}

/** @throws ProblemError `ci/too-many-calls`, exit code 4, before any is made */
const callsOf = async (
  { changed }: Changes,
  { invocation }: Job,
  { env }: Session,
): Promise<readonly number[]> => {
  const calls: number[] = []
  for (const { head } of changed) calls.push((await planTarget(head.target, env)).calls)
  const total = calls.reduce((sum, each) => sum + each, 0)
  const most = countFlag(invocation.flags, 'maxCalls', 0)
  if (most === undefined || total <= most) return calls
  throw new ProblemError(
    {
      code: 'ci/too-many-calls',
      message: `building the ${changed.length} changed pairs may take ${total} provider calls, more than --max-calls ${most}`,
      where: { field: '--max-calls' },
      remedy: `Nothing was called. \`medmake affected\` says which pairs; raise the limit to ${total} if they are worth it.`,
    },
    { exitCode: EXIT.spendingCap },
  )
}

interface Built {
  readonly results: ReadonlyMap<Target, TargetResult>
  readonly failed: ReadonlyMap<Target, unknown>
}

const build = async ({ changed }: Changes, { env }: Session): Promise<Built> => {
  const results = new Map<Target, TargetResult>()
  const failed = new Map<Target, unknown>()
  await runTargets(
    changed.map(({ head }) => head.target),
    env,
    {
      onResult: (result) => {
        results.set(result.target, result)
        return Promise.resolve()
      },
      onProblem: (target, error) => void failed.set(target, error),
    },
  )
  return { results, failed }
}

interface Findings {
  readonly base: Base
  readonly built: Built
  readonly calls: readonly number[]
  readonly job: Job
  readonly session: Session
  readonly summary: ProgressSummary
}

const compareWithBase = async (
  { changed, removed, total }: Changes,
  { base, built, calls, job, session, summary }: Findings,
): Promise<CiReport> => {
  const { clauses, wanted, commit, invocation } = job
  const allow = boolFlag(invocation.flags, 'allowFailures')
  const run = sessionRuns(session)
  const pairs = []
  const compared = []
  for (const [index, change] of changed.entries()) {
    const { suite, target } = change.head
    const before = change.base && base.runs.get(change.base.key.digest)
    const outcome = outcomeOf(change, before, { built, allow })
    const result = built.results.get(target)
    if (outcome === 'compared' && before !== undefined && result !== undefined)
      compared.push({
        a: before,
        b: await readComparedRun(run({ suite, ...result }), {
          ...wanted,
          acrossSources: change.base !== undefined && base.released.has(change.base.key.digest),
        }),
      })
    pairs.push({ suite, run: target.spec.name, why: whyOf(change), calls: calls[index] ?? 0, outcome })
  }
  refuseUnknownSource(compared, wanted)
  const comparisons = compareRuns(compared)
  return {
    base: commit,
    total,
    pairs,
    removed,
    providerCalls: summary.providerCalls(),
    judged: comparisons.map((comparison) => ({ comparison, broken: failuresOf(comparison, clauses) })),
    gate: gateRuns(compared, job.workspace.config.pooled_margin),
    decidedBy: clauses.length > 0 ? 'clauses' : 'gate',
    idle: clauses
      .filter((clause) => comparisons.length > 0 && !comparisons.some((each) => concerns(clause, each)))
      .map(({ text }) => text),
  }
}

const outcomeOf = (
  { head, base }: ChangedTarget,
  before: ComparedRun | undefined,
  { built, allow }: { readonly built: Built; readonly allow: boolean },
): CiOutcome => {
  const result = built.results.get(head.target)
  if (built.failed.has(head.target)) return 'failed'
  if (result === undefined || !(result.record.complete || allow)) return 'incomplete'
  if (base === undefined) return 'new'
  return before === undefined ? 'base not built' : 'compared'
}

const whyOf = ({ head, base }: ChangedTarget): string => {
  if (base === undefined) return 'new'
  const { access } = head.target.spec.benchmark
  const [first, ...more] = discreetDifferences(differences(base.key.key, head.key.key), access)
  if (first === undefined) return ''
  return differenceText(first) + (more.length > 0 ? `, and ${more.length} more` : '')
}

const exitCode = (
  { pairs, judged, gate, decidedBy }: CiReport,
  { failed }: Built,
  invocation: Invocation,
): ExitCode => {
  const errors = [...failed.values()]
  const problems = errors.flatMap((error) => (error instanceof ProblemError ? error.problems : []))
  const unexpected = errors.find((error) => !(error instanceof ProblemError))
  if (problems.length > 0) invocation.warn(formatProblems(problems, process.stderr.isTTY))
  if (unexpected !== undefined) throw unexpected
  if (failed.size > 0) return failedExit(errors)
  const byGate = decidedBy === 'gate'
  if (judged.some(({ broken }) => broken.length > 0)) return EXIT.regression
  if (byGate && gate.verdict === 'regressed') return EXIT.regression
  // A pair that should have been compared and was not must not pass for one that did not change.
  const isWhole =
    pairs.every(({ outcome }) => outcome === 'compared' || outcome === 'new') &&
    judged.every(({ comparison }) => comparison.result !== null)
  if (!isWhole) return EXIT.incomplete
  const isOpen = byGate && gate.verdict === 'inconclusive'
  return isOpen && !boolFlag(invocation.flags, 'allowInconclusive') ? EXIT.inconclusive : EXIT.done
}
