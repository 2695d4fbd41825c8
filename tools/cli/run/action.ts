import { once } from 'node:events'
import { createInterface } from 'node:readline/promises'
import type { Benchmark } from '../../../benchmarks/scenario/benchmark.ts'
import { type ExitCode, ProblemError, EXIT } from '../../../cache/problems/problem.ts'
import { idleCodeOf } from '../../session/resolve-targets.ts'
import { strayNames } from '../../session/stray-names.ts'
import { requirePrices } from '../../session/spending/session-spending.ts'
import { readVaultMark } from '../../session/tier/sealed.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { requireAgreements } from '../../../targets/access/agreements.ts'
import { boolFlag, refuseUnsupported, requireBeside, textFlag } from '../flags.ts'
import { followRun } from '../output/progress.ts'
import type { Action, Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { inRounds, buildRuns } from './build-runs.ts'
import { printPlan } from '../common/plan.ts'
import { targetsOf } from '../common/suites.ts'
import { runShard } from './run-shard.ts'
import { shardFlags, tellOtherKeys, withSharedRun, type TierPlace } from './tier-use.ts'
import { reportRun } from './report-run.ts'
import type { Target } from '../../../targets/record/target.ts'
import { isRemote } from '../../../models/clients/create-client.ts'
import type { ModelDeployment } from '../../../models/deployment/model.ts'
import type { Session } from '../../session/session.ts'
import { estimateTargets, type TargetsEstimate } from '../../../targets/estimate/estimate-targets.ts'
import { formatEstimate, unreadLines } from '../../spend/format-estimate.ts'
import { usdText } from '../../spend/money-text.ts'

/** `medmake run`: resolve everything first, so that a mistake anywhere costs nothing, then build. */
export const runAction: Action = async (invocation) => {
  const { flags, cwd } = invocation
  refuseUnsupported(flags, INSTEAD)
  requireBeside(flags, 'batch', ['wait'])
  const workspace = await findWorkspace(cwd)
  const { summary, progress, listener } = followRun()
  const readOnly = boolFlag(flags, 'dryRun')
  // Where no scheduler is, a plan of what it will start is still wanted.
  if (readOnly && textFlag(flags, 'shard') !== 'auto') shardFlags(invocation)
  const storedOnly = boolFlag(flags, 'storedOnly')
  const runIn = ({ scratch, ...shared }: TierPlace): Promise<ExitCode> =>
    withSession(
      invocation,
      { workspace, listener, readOnly, storedOnly, stopsItself: !readOnly, ...shared },
      async (session, stopper) => {
        const targets = await targetsOf(invocation, session)
        const all = targets.map(({ target }) => target)
        const benchmarks = all.map(({ spec }) => spec.benchmark)
        for (const text of [...heldTexts(benchmarks), errataText(benchmarks), pandasText(benchmarks)])
          if (text !== undefined) invocation.warn(text)
        const asked = {
          suites: targets.map(({ suite }) => suite),
          benchmarks: benchmarks.map(({ name }) => name),
        }
        for (const { message, remedy } of [...idleCodeOf(session), ...(await strayNames(session, asked))])
          invocation.warn(`${message}. ${remedy}`)
        const direct = boolFlag(flags, 'batch') ? await directText(all) : undefined
        if (direct !== undefined) invocation.warn(direct)
        requireAgreements(all, session.env.endpoint)
        if (readOnly) {
          await tellOtherKeys(all, invocation, workspace)
          if (['tier', 'shard'].some((name) => textFlag(flags, name) !== undefined))
            invocation.warn(
              'Counted without the tier, over all shards: what lies on the tier is not asked for again.',
            )
          return printPlan(targets, session, invocation)
        }
        await requirePrices(all, session)
        if (shared.tier?.shard !== undefined)
          return runShard(all, { session, stopper, summary, invocation, scratch })
        if (shared.tier !== undefined) await readVaultMark(all, session)
        await confirmCost(all, session, invocation)
        const { ended, ...batches } = await inRounds(
          () => {
            summary.nextRound()
            return buildRuns(targets, session, { invocation, workspace, stopper })
          },
          session,
          boolFlag(flags, 'wait'),
        )
        progress.close()
        return reportRun({ ...ended, ...batches }, { invocation, summary, stopper })
      },
    )
  try {
    return await (readOnly ? runIn({}) : withSharedRun(invocation, workspace, runIn))
  } finally {
    progress.close()
  }
}

/** Whom `--batch` asks directly all the same, told before anything is paid. */
const directText = async (targets: readonly Target[]): Promise<string | undefined> => {
  const { takesBatches } = await import('../../../models/clients/chat/batch-api.ts')
  const names = new Set<string>()
  const note = (deployment: ModelDeployment, n: number): void => {
    if (isRemote(deployment) && !takesBatches(deployment, n)) names.add(deployment.name)
  }
  for (const { deployment, judges, spec } of targets) {
    note(deployment, spec.adapter.numOutputs)
    for (const judge of judges) note(judge.deployment, 1)
  }
  return names.size === 0
    ? undefined
    : `--batch: not known to take these calls in batches, so asked directly, at full price: ${[...names].join(', ')}`
}

/** A line a benchmark that is fenced though it says it is public. */
const heldTexts = (benchmarks: readonly Benchmark[]): ReadonlySet<string> =>
  new Set(
    benchmarks.flatMap(({ name, access, accessReason }) =>
      accessReason === undefined ? [] : [`${name} is ${access}, since ${accessReason}`],
    ),
  )

/** What HELM's own commands do to cells, told once. */
const pandasText = (benchmarks: readonly Benchmark[]): string | undefined => {
  const names = new Set(benchmarks.filter(({ readAsPandas }) => readAsPandas).map(({ runName }) => runName))
  if (names.size === 0) return undefined
  return `The cells of ${[...names].join(', ')} are read as HELM's pandas reads them: 007 becomes 7. \`medmake run\` keeps them as written; \`csv_types\` in the benchmark decides for both.`
}

/** A line a benchmark whose errata a run corrects: what is put right, and what is not though all was asked for. */
const errataText = (benchmarks: Iterable<Pick<Benchmark, 'name' | 'errata'>>): string | undefined => {
  const lines = new Set<string>()
  for (const { name, errata } of benchmarks)
    if (errata !== undefined) {
      const { corrected, uncorrected } = errata
      const missing = uncorrected.length === 0 ? '' : `; not corrected: ${uncorrected.join(', ')}`
      lines.add(`errata of ${name}: corrected: ${corrected.join(', ') || 'none'}${missing}`)
    }
  return lines.size === 0 ? undefined : [...lines].join('\n')
}

/** HELM's flags that have no counterpart, each with what to do instead. */
const INSTEAD = {
  batchSize: 'Leave it out: --num-threads says how many calls are in flight.',
  disableCache: 'Point --store at an empty folder to begin without earlier results.',
  skipInstances: 'Use --dry-run to see what would run.',
  cacheInstancesOnly: 'Use --dry-run; instances are cached by every run.',
  serverUrl: 'Declare the server as a deployment in model_deployments.yaml.',
  apiKeyPath: 'Put keys into prod_env/credentials.conf or the environment.',
  mongoUri: 'Share the folder that --store names instead.',
  runnerClassName: 'Leave it out.',
  plugins: 'A benchmark is a folder in benchmarks/, a model an entry in models/.',
  logConfig: 'Use --json for machine-readable results.',
}

/**
 * Tells what a run may cost and asks, where that is wanted (`--confirm`) or more than `budget.confirm_above`. `--yes` goes
 * on unasked. What has no price may cost more than anything.
 *
 * @throws ProblemError `spend/not-confirmed`, exit code 4, where the answer is no or nobody is there to answer
 */
const confirmCost = async (
  targets: readonly Target[],
  session: Session,
  { flags, warn }: Invocation,
): Promise<void> => {
  const above = session.workspace.config.budget?.confirm_above
  const asks = boolFlag(flags, 'confirm')
  if (boolFlag(flags, 'yes') || (!asks && above === undefined)) return
  const found = await estimateTargets(targets, session, undefined, { skipsUnread: true })
  if (found.calls === 0) return
  const least = asks ? -1 : (above ?? 0)
  if (found.usd !== null && found.usd.high <= least) return
  for (const line of unreadLines(found)) warn(line)
  warn(formatEstimate(found))
  if (process.stdin.isTTY && process.stderr.isTTY) {
    if (await isAgreed()) return
    throw notConfirmed(found, 'was not agreed to')
  }
  throw notConfirmed(found, 'needs a yes, and there is no terminal to ask on')
}

const isAgreed = async (): Promise<boolean> => {
  const lines = createInterface({ input: process.stdin, output: process.stderr })
  try {
    // Ctrl-C and the end of the input close it without an answer.
    const closed = once(lines, 'close').then(() => '')
    const answer = await Promise.race([lines.question('\nGo on? [y/N] '), closed])
    return /^y(?:es)?$/i.test(answer.trim())
  } finally {
    lines.close()
  }
}

const notConfirmed = ({ calls, usd }: TargetsEstimate, why: string): ProblemError =>
  new ProblemError(
    {
      code: 'spend/not-confirmed',
      message: `a run of ${calls} calls, ${usd === null ? 'of unknown cost' : `up to ${usdText(usd.high)} USD`}, ${why}`,
      where: { field: 'budget.confirm_above' },
      remedy: 'Nothing was called. Add --yes to go on, with --max-usd to stop it at a sum.',
    },
    { exitCode: EXIT.spendingCap },
  )
