import { resolve } from 'node:path'
import { rewriteFile } from '../../../cache/files/write.ts'
import { EXIT, ProblemError, type ExitCode } from '../../../cache/problems/problem.ts'
import { metricsNamed, parseFailIf } from '../../../targets/compare/fail-if.ts'
import { changedTargets } from '../../../targets/scheduler/changed-targets.ts'
import { planInTurn } from '../../../targets/scheduler/plan-target.ts'
import { runTargets, type TargetResult } from '../../../targets/scheduler/run-targets.ts'
import type { Target } from '../../../targets/record/target.ts'
import type { CiReport } from '../../compare/ci-report.ts'
import { ciJunit, formatCi } from '../../compare/format-ci.ts'
import { failedExit, tellFailed } from '../output/print-problems.ts'
import type { Session } from '../../session/session.ts'
import { strayNames } from '../../session/stray-names.ts'
import { exitOfSignal } from '../../session/stopper.ts'
import { tierUse } from '../../session/tier/session-tier.ts'
import { readVaultMark } from '../../session/tier/sealed.ts'
import { requirePrices } from '../../session/spending/session-spending.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { boolFlag, countFlag, listFlag, textFlag } from '../flags.ts'
import { followRun } from '../output/progress.ts'
import type { Action, Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { formatFlag, wantedOf } from '../compare/action.ts'
import { headTargets } from '../common/base-targets.ts'
import { readBase, type Job } from './base.ts'
import { compareWithBase, type BuiltPairs } from './compare-with-base.ts'
import { tierOf } from '../common/session-flags.ts'
import { ciExit } from './ci-exit.ts'

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
  const { summary, progress, listener } = followRun()
  const tier = await tierOf(invocation, workspace)
  const use = {
    workspace,
    listener,
    stopsItself: true,
    ...(tier && { tier: tierUse(tier, workspace.config) }),
  }
  try {
    return await withSession(invocation, use, async (session, stopper) => {
      for (const { message, remedy } of await strayNames(session)) invocation.warn(`${message}. ${remedy}`)
      const changes = changedTargets(await headTargets(invocation, session), base.targets)
      const targets = changes.changed.map(({ head }) => head.target)
      await requirePrices(targets, session)
      const calls = await callsOf(targets, job, session)
      if (tier !== undefined) await readVaultMark(targets, session)
      const built = await build(targets, session)
      progress.close()
      const stopped = exitOfSignal(stopper)
      if (stopped !== undefined) return stopped
      const report = await compareWithBase(changes, { base, built, calls, job, session, summary })
      called.print(formatCi(report, format))
      const file = textFlag(flags, 'junit')
      if (file !== undefined) rewriteFile(resolve(called.cwd, file), ciJunit(report))
      return exitCode(report, built, invocation)
    })
  } finally {
    progress.close()
  }
}

/** @throws ProblemError `ci/too-many-calls`, exit code 4, before any is made */
const callsOf = async (
  targets: readonly Target[],
  { invocation }: Job,
  { env }: Session,
): Promise<readonly number[]> => {
  const calls: number[] = []
  const plan = planInTurn(env)
  for (const target of targets) calls.push((await plan(target)).calls)
  const total = calls.reduce((sum, each) => sum + each, 0)
  const most = countFlag(invocation.flags, 'maxCalls', 0)
  if (most === undefined || total <= most) return calls
  throw new ProblemError(
    {
      code: 'ci/too-many-calls',
      message: `building the ${targets.length} changed pairs may take ${total} provider calls, more than --max-calls ${most}`,
      where: { field: '--max-calls' },
      remedy: `Nothing was called. \`medmake affected\` says which pairs; raise the limit to ${total} if they are worth it.`,
    },
    { exitCode: EXIT.spendingCap },
  )
}

const build = async (targets: readonly Target[], { env }: Session): Promise<BuiltPairs> => {
  const results = new Map<Target, TargetResult>()
  const failed = new Map<Target, unknown>()
  await runTargets(targets, env, {
    onResult: async (result) => void results.set(result.target, result),
    onProblem: (target, error) => void failed.set(target, error),
  })
  return { results, failed }
}

const exitCode = (report: CiReport, { failed }: BuiltPairs, invocation: Invocation): ExitCode => {
  const errors = [...failed.values()]
  tellFailed(errors, invocation.warn)
  return failedExit(errors) ?? ciExit(report, boolFlag(invocation.flags, 'allowInconclusive'))
}
