import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { Benchmark } from '../../../benchmarks/scenario/benchmark.ts'
import { compareCodePoints } from '../../../benchmarks/python/text.ts'
import { EXIT, ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'
import { emitRun } from '../../session/emit-run.ts'
import { idleCodeOf } from '../../session/idle-code.ts'
import { refuseOtherReading } from '../../session/other-reading.ts'
import { resolveTargets, type SuiteTarget } from '../../session/resolve-targets.ts'
import type { Session } from '../../session/session.ts'
import { requirePrices } from '../../session/spending/unpriced.ts'
import type { Stopper } from '../../session/stopper.ts'
import { readVaultMark } from '../../session/tier/vault-mark.ts'
import { findWorkspace, type Workspace } from '../../session/workspace/workspace.ts'
import { WAITING, type WaitingBatch } from '../../../targets/batch/batches.ts'
import { requireAgreements } from '../../../targets/access/agreements.ts'
import { runTargets, type TargetResult } from '../../../targets/scheduler/run-targets.ts'
import type { Event } from '../../../targets/event.ts'
import { skippedText, type SkippedRows } from '../../../targets/record/skipped-rows.ts'
import { driftText, type Drift } from '../../../targets/record/drift.ts'
import type { Causes } from '../../../targets/record/coverage.ts'
import { RUN_FILES } from '../../helm/write/write-run.ts'
import { moneyText, oddMoneyLines } from '../../spend/money-text.ts'
import { causesText } from '../../compare/coverage-text.ts'
import { omittedLines } from '../../site/content/omitted-text.ts'
import { failedExit } from '../output/failed-exit.ts'
import { errataText } from '../output/errata-text.ts'
import { boolFlag } from '../flags.ts'
import { formatProblems } from '../output/print-problems.ts'
import { createProgress, stoppedText } from '../output/progress.ts'
import { createSummary, type ProgressSummary, type ToldFailure } from '../output/summary.ts'
import type { Action, Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { inRounds, waitingText } from './batch-rounds.ts'
import { confirmCost } from './confirm-cost.ts'
import { printPlan } from '../common/plan.ts'
import { outputPathOf } from '../common/session-flags.ts'
import { refuseStraySuite, suitesOf } from '../common/suites.ts'
import { runShard } from './run-shard.ts'
import { withSharedRun, type TierPlace } from './tier-use.ts'
import { refuseUnsupported } from './unsupported.ts'

/** `medmake run`: resolve everything first, so that a mistake anywhere costs nothing, then build. */
export const runAction: Action = async (invocation) => {
  const { flags, cwd } = invocation
  refuseUnsupported(flags)
  if (!invocation.strictHelm) refuseStraySuite(invocation)
  const workspace = await findWorkspace(cwd)
  const summary = createSummary()
  const progress = createProgress({ stream: process.stderr, interval: process.stderr.isTTY ? 100 : 10_000 })
  const listener = (event: Event): void => {
    // What comes with a batch has not failed.
    if (event.type === 'instance-failed' && event.code === WAITING) return
    summary.on(event)
    progress.on(event)
  }
  const readOnly = boolFlag(flags, 'dryRun')
  const storedOnly = boolFlag(flags, 'storedOnly')
  const runIn = ({ scratch, ...shared }: TierPlace): Promise<ExitCode> =>
    withSession(
      invocation,
      { workspace, listener, readOnly, storedOnly, ...shared },
      async (session, stopper) => {
        const targets = await resolveTargets(await suitesOf(invocation, workspace, session.entries), session)
        const errata = errataText(targets.map(({ target }) => target.spec.benchmark))
        if (errata !== undefined) invocation.warn(errata)
        const all = targets.map(({ target }) => target)
        const typed = pandasText(all.map(({ spec }) => spec.benchmark))
        if (typed !== undefined) invocation.warn(typed)
        for (const { message, remedy } of idleCodeOf(session)) invocation.warn(`${message}. ${remedy}`)
        requireAgreements(all, session.env.endpoint)
        if (readOnly) return printPlan(targets, session, invocation)
        await requirePrices(all, session)
        if (shared.tier?.shard !== undefined)
          return runShard(all, { session, stopper, summary, invocation, scratch })
        if (shared.tier !== undefined) await readVaultMark(all, session)
        await confirmCost(all, session, invocation)
        const { ended, waiting } = await inRounds(
          () => {
            summary.nextRound()
            return build(targets, session, { invocation, workspace, stopper })
          },
          session,
          boolFlag(flags, 'wait'),
        )
        progress.close()
        return report({ ...ended, waiting }, { invocation, summary, stopper })
      },
    )
  try {
    return await (readOnly ? runIn({}) : withSharedRun(invocation, workspace, runIn))
  } finally {
    progress.close()
  }
}

/** What HELM's own commands do to cells, told once. */
const pandasText = (benchmarks: readonly Benchmark[]): string | undefined => {
  const names = new Set(benchmarks.filter(({ readAsPandas }) => readAsPandas).map(({ runName }) => runName))
  if (names.size === 0) return undefined
  return `The cells of ${[...names].join(', ')} are read as HELM's pandas reads them: 007 becomes 7. \`medmake run\` keeps them as written; \`csv_types\` in the benchmark decides for both.`
}

/** How the targets of a run ended, by name. */
interface Ended {
  readonly fresh: string[]
  readonly built: string[]
  readonly incomplete: string[]
  readonly failed: { readonly name: string; readonly error: unknown }[]
  readonly total: number
  /** Of runs that have any. */
  readonly causes: Map<string, Causes>
  /** Numbers that could not be computed, of runs that lack any. */
  readonly omitted: Map<string, readonly string[]>
  /** Of runs that go without rows of their data. */
  readonly skipped: Map<string, SkippedRows>
  /** Of runs that several models answered under one name. */
  readonly drift: Map<string, readonly Drift[]>
  /** Batches whose answers are still to come. */
  readonly waiting?: readonly WaitingBatch[]
}

const build = async (
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
  for (const [{ spec }, directory] of directories)
    refuseOtherReading(
      directory,
      {
        profile: session.env.profile,
        ...(spec.benchmark.errata === undefined ? {} : { errata: spec.benchmark.errata }),
      },
      session.store,
    )
  const ended: Ended = {
    fresh: [],
    built: [],
    incomplete: [],
    failed: [],
    total: targets.length,
    causes: new Map(),
    omitted: new Map(),
    skipped: new Map(),
    drift: new Map(),
  }
  const allow = boolFlag(flags, 'allowFailures')
  await runTargets(
    targets.map(({ target }) => target),
    session.env,
    {
      onResult: async (result) => {
        const directory = directories.get(result.target)
        const isWaiting = (): boolean => result.record.failures.some(({ code }) => code === WAITING)
        if (directory !== undefined && (result.complete || (allow && !isWaiting())))
          await emitRun(directory, result, session.env)
        note(result, ended)
      },
      onProblem: (target, error) => {
        ended.failed.push({ name: target.spec.name, error })
        if (boolFlag(flags, 'exitOnError')) stopper.request()
      },
      onChecked: (failed) => {
        // Where none goes on, the end tells it at once.
        const isEnd = failed.length === targets.length || stopper.stop.aborted
        if (failed.length === 0 || isEnd) return
        invocation.warn(problemTexts(ended.failed).join('\n'))
        invocation.warn(`${failed.length} of ${targets.length} runs cannot be built, the others go on.`)
      },
    },
  )
  return ended
}

const note = (result: TargetResult, ended: Ended): void => {
  const { name } = result.target.spec
  const list = !result.complete ? ended.incomplete : result.fresh ? ended.fresh : ended.built
  list.push(name)
  if (Object.keys(result.causes).length > 0) ended.causes.set(name, result.causes)
  if (result.omitted.length > 0) ended.omitted.set(name, result.omitted)
  // Opens the record of a fresh target, too: only where there are such rows.
  const { 'row-skipped': gone = 0, 'row-in-part': cut = 0 } = result.causes
  const skipped = gone + cut === 0 ? undefined : result.record.skippedRows
  if (skipped !== undefined) ended.skipped.set(name, skipped)
  const drift = result.causes['model-drift'] === undefined ? [] : (result.record.drift ?? [])
  if (drift.length > 0) ended.drift.set(name, drift)
}

/** HELM's notion: the five files exist. */
const isCompleted = (directory: string): boolean =>
  Object.values(RUN_FILES).every((name) => existsSync(join(directory, name)))

const report = (
  ended: Ended,
  { invocation, summary, stopper }: { invocation: Invocation; summary: ProgressSummary; stopper: Stopper },
): ExitCode => {
  const { flags, print, warn, leftOut } = invocation
  const { waiting = [] } = ended
  const unexpected = ended.failed.find(({ error }) => !(error instanceof ProblemError))
  const texts = problemTexts(ended.failed)
  if (texts.length > 0) warn(texts.join('\n'))
  const counts = {
    total: ended.total,
    fresh: ended.fresh.length,
    built: ended.built.length,
    incomplete: ended.incomplete.length,
    failed: ended.failed.length,
  }
  if (boolFlag(flags, 'json'))
    print(
      JSON.stringify({
        ...summary.json(counts),
        causes: Object.fromEntries(byName(ended.causes)),
        ...(ended.omitted.size === 0 ? {} : { omitted: Object.fromEntries(byName(ended.omitted)) }),
        skippedRows: Object.fromEntries(byName(ended.skipped)),
        ...(ended.drift.size === 0 ? {} : { drift: Object.fromEntries(byName(ended.drift)) }),
        ...(waiting.length === 0 ? {} : { waiting }),
        ...(leftOut.length === 0 ? {} : { unknown: leftOut }),
      }),
    )
  else
    print(
      [
        lastLine(counts, summary),
        ...(waiting.length > 0 ? [] : causeLines(ended.causes)),
        ...(waiting.length > 0 ? [] : omittedLines(byName(ended.omitted))),
        ...moneyLines(summary),
      ].join('\n'),
    )
  for (const entry of leftOut) warn(`left out, as its benchmark is unknown or can't be run here: ${entry}`)
  for (const each of summary.stopped()) warn(`stopped: ${stoppedText(each)}`)
  for (const line of oddMoneyLines(summary.money())) warn(line)
  for (const line of new Set(byName(ended.skipped).map(([, rows]) => skippedText(rows)))) warn(line)
  for (const [name, all] of byName(ended.drift)) for (const drift of all) warn(`${name}: ${driftText(drift)}`)
  if (ended.incomplete.length > 0 && !boolFlag(flags, 'json'))
    warn(waiting.length > 0 ? waitingText(waiting) : incompleteText(ended.incomplete, summary))
  if (!boolFlag(flags, 'json'))
    for (const line of unmeasuredLines([...ended.built, ...ended.fresh], summary)) warn(line)
  // A fault of ours in one target: the others are done and told of.
  if (unexpected !== undefined) throw unexpected.error
  if (stopper.interrupted()) return stopper.suspended() ? EXIT.goOn : EXIT.interrupted
  if (ended.failed.length > 0) return failedExit(ended.failed.map(({ error }) => error))
  if (waiting.length > 0) return EXIT.incomplete
  return ended.incomplete.length > 0 && !boolFlag(flags, 'allowFailures') ? EXIT.incomplete : EXIT.done
}

/** A full disk or a bad file is met by all targets alike. */
const problemTexts = (failed: Ended['failed']): readonly string[] => {
  const problems = failed.flatMap(({ error }) => (error instanceof ProblemError ? error.problems : []))
  return [...new Set(problems.map((problem) => formatProblems([problem], process.stderr.isTTY)))]
}

const lastLine = (
  counts: { total: number; fresh: number; built: number; incomplete: number; failed: number },
  summary: ProgressSummary,
): string => {
  const parts = [
    `${counts.total} targets: ${counts.fresh} fresh, ${counts.built} built`,
    ...(counts.incomplete > 0 ? [`${counts.incomplete} incomplete`] : []),
    ...(counts.failed > 0 ? [`${counts.failed} failed`] : []),
    `${summary.executed()} stage results executed`,
    `${summary.providerCalls()} provider calls`,
  ]
  return parts.join(', ')
}

/** Nothing where nobody is paid, now or at a known price before. */
const moneyLines = (summary: ProgressSummary): readonly string[] => {
  const money = summary.money()
  const priced = money.reused - money.unknownReused
  const idle = summary.providerCalls() + priced + money.uncertainAttempts === 0
  return idle ? [] : [moneyText(money)]
}

const byName = <Told>(told: ReadonlyMap<string, Told>): readonly (readonly [string, Told])[] =>
  [...told].sort(([a], [b]) => compareCodePoints(a, b))

/** Runs whose causes are worth a line each. */
const NAMED = 10

/** What of the runs' results is less than it seems. */
const causeLines = (causes: Ended['causes']): readonly string[] => [
  ...byName(causes)
    .slice(0, NAMED)
    .map(([name, own]) => `${name}: ${causesText(own)}`),
  ...(causes.size > NAMED ? [`and ${causes.size - NAMED} more: see \`medmake report\``] : []),
]

const failuresOf = (name: string, summary: ProgressSummary): readonly ToldFailure[] =>
  summary.failures().filter(({ target }) => target === name)

/** A run may be whole and lack values all the same: trying again would not bring them. */
const unmeasuredLines = (names: readonly string[], summary: ProgressSummary): readonly string[] =>
  names.flatMap((name) => {
    const own = failuresOf(name, summary)
    const [first] = own
    return first === undefined
      ? []
      : [
          `${name}: ${own.length} values are missing, first of ${first.instance}: ${first.detail} [${first.code}]`,
        ]
  })

const incompleteText = (names: readonly string[], summary: ProgressSummary): string => {
  const lines = names.flatMap((name) => {
    const own = failuresOf(name, summary)
    const first = own[0]
    return [
      `incomplete: ${name}: ${own.length} failed${first === undefined ? '' : `, first ${first.instance}: ${first.code} ${first.detail}`}`,
    ]
  })
  return [...lines, 'Run again to try only the failed ones, or add --allow-failures to accept them.'].join(
    '\n',
  )
}
