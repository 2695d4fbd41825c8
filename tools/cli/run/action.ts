import type { Benchmark } from '../../../benchmarks/scenario/benchmark.ts'
import { type ExitCode, ProblemError } from '../../../cache/problems/problem.ts'
import { idleCodeOf } from '../../session/idle-code.ts'
import { requirePrices } from '../../session/spending/unpriced.ts'
import { readVaultMark } from '../../session/tier/sealed.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { requireAgreements } from '../../../targets/access/agreements.ts'
import { boolFlag, flagNamed } from '../flags.ts'
import { followRun } from '../output/follow-run.ts'
import type { Action, FlagValues } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { inRounds } from './batch-rounds.ts'
import { confirmCost } from './confirm-cost.ts'
import { printPlan } from '../common/plan.ts'
import { targetsOf } from '../common/suites.ts'
import { runShard } from './run-shard.ts'
import { tellOtherKeys, withSharedRun, type TierPlace } from './tier-use.ts'
import { buildRuns } from './build-runs.ts'
import { reportRun } from './report-run.ts'

/** `medmake run`: resolve everything first, so that a mistake anywhere costs nothing, then build. */
export const runAction: Action = async (invocation) => {
  const { flags, cwd } = invocation
  refuseUnsupported(flags)
  const workspace = await findWorkspace(cwd)
  const { summary, progress, listener } = followRun()
  const readOnly = boolFlag(flags, 'dryRun')
  const storedOnly = boolFlag(flags, 'storedOnly')
  const runIn = ({ scratch, ...shared }: TierPlace): Promise<ExitCode> =>
    withSession(
      invocation,
      { workspace, listener, readOnly, storedOnly, ...shared },
      async (session, stopper) => {
        const targets = await targetsOf(invocation, session)
        const errata = errataText(targets.map(({ target }) => target.spec.benchmark))
        if (errata !== undefined) invocation.warn(errata)
        const all = targets.map(({ target }) => target)
        const typed = pandasText(all.map(({ spec }) => spec.benchmark))
        if (typed !== undefined) invocation.warn(typed)
        for (const { message, remedy } of idleCodeOf(session)) invocation.warn(`${message}. ${remedy}`)
        requireAgreements(all, session.env.endpoint)
        if (readOnly) {
          await tellOtherKeys(all, invocation, workspace)
          return printPlan(targets, session, invocation)
        }
        await requirePrices(all, session)
        if (shared.tier?.shard !== undefined)
          return runShard(all, { session, stopper, summary, invocation, scratch })
        if (shared.tier !== undefined) await readVaultMark(all, session)
        await confirmCost(all, session, invocation)
        const { ended, waiting } = await inRounds(
          () => {
            summary.nextRound()
            return buildRuns(targets, session, { invocation, workspace, stopper })
          },
          session,
          boolFlag(flags, 'wait'),
        )
        progress.close()
        return reportRun({ ...ended, waiting }, { invocation, summary, stopper })
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
const INSTEAD: Readonly<Record<string, string>> = {
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

/** @throws ProblemError `cli/unsupported-flag`: a flag that would silently do nothing is worse than none */
const refuseUnsupported = (flags: FlagValues): void => {
  const problems = Object.entries(INSTEAD)
    .filter(([name]) => flags[name] !== undefined)
    .map(([name, remedy]) => ({
      code: 'cli/unsupported-flag',
      message: `${flagNamed(name)} is not supported`,
      where: { field: flagNamed(name) },
      remedy,
    }))
  if (problems.length > 0) throw new ProblemError(problems)
}
