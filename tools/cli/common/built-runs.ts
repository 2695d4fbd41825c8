import { ProblemError, type Problem } from '../../../cache/problems/problem.ts'
import type { Built } from '../../../targets/runs/built.ts'
import { builtRunUnless } from '../../session/built-run.ts'
import { resolveTargets } from '../../session/resolve-targets.ts'
import type { Session } from '../../session/session.ts'
import { boolFlag } from '../flags.ts'
import { formatProblems } from '../output/print-problems.ts'
import type { Invocation } from '../verb.ts'
import { suitesOf } from './suites.ts'

export interface BuiltTargets {
  readonly runs: readonly Built[]
  /** `suite: run`, of those that are declared and not built. */
  readonly missing: readonly string[]
}

/**
 * What the store holds of the runs that the invocation names. Data that can't be read is told.
 *
 * @throws ProblemError `cli/nothing-built`
 */
export const builtRuns = async (invocation: Invocation, session: Session): Promise<BuiltTargets> => {
  const suites = await suitesOf(invocation, session)
  const runs: Built[] = []
  const missing: string[] = []
  const problems: Problem[] = []
  const allowFailures = boolFlag(invocation.flags, 'allowFailures')
  for (const each of await resolveTargets(suites, session)) {
    const built = await builtRunUnless(each, session, { allowFailures, problems })
    if (built === undefined) missing.push(`${each.suite}: ${each.target.spec.name}`)
    else runs.push(built)
  }
  if (runs.length === 0 && problems.length > 0) throw new ProblemError(problems)
  if (problems.length > 0) invocation.warn(formatProblems(problems, process.stderr.isTTY))
  if (runs.length > 0) return { runs, missing }
  throw new ProblemError({
    code: 'cli/nothing-built',
    message: `none of the ${missing.length} runs is finished`,
    remedy: `Run \`medmake run ${suites.map(({ suite }) => suite).join(' ')}\` first; with --allow-failures runs with failed instances are taken, too.`,
  })
}

const NAMED = 10

/** A line each for the first few. */
export const missingLines = (missing: readonly string[]): readonly string[] =>
  missing.length === 0
    ? []
    : [
        `${missing.length} ${missing.length === 1 ? 'run is' : 'runs are'} not finished and not counted:`,
        ...missing.slice(0, NAMED).map((name) => `  ${name}`),
        ...(missing.length > NAMED ? [`  and ${missing.length - NAMED} more`] : []),
      ]
