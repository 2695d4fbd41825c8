import { ProblemError, type Problem } from '../../../cache/problems/problem.ts'
import type { Built } from '../../../targets/runs/built.ts'
import { plural } from '../../../cache/words/number-text.ts'
import { builtRunUnless } from '../../session/built-run.ts'
import { resolveTargets, type SuiteTarget } from '../../session/resolve-targets.ts'
import type { Session } from '../../session/session.ts'
import { boolFlag } from '../flags.ts'
import { formatProblems } from '../output/print-problems.ts'
import type { Invocation } from '../verb.ts'
import { asAsked, suitesOf } from './suites.ts'

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
  const { runs, missing, problems } = await readBuilt(
    asAsked(await resolveTargets(suites, session), invocation),
    session,
    invocation,
  )
  if (problems.length > 0) invocation.warn(formatProblems(problems, process.stderr.isTTY))
  if (runs.length > 0) return { runs, missing: missing.map(shownTarget) }
  throw new ProblemError({
    code: 'cli/nothing-built',
    message: `none of the ${missing.length} runs is finished`,
    remedy: `Run \`medmake run ${suites.map(({ suite }) => suite).join(' ')}\` first; with --allow-failures runs with failed instances are taken, too.`,
  })
}

/**
 * What the store holds of the targets, and which of them it lacks.
 *
 * @returns `problems`: data that can't be read
 * @throws ProblemError these, where nothing else is there
 */
export const readBuilt = async (
  targets: readonly SuiteTarget[],
  session: Session,
  { flags }: Pick<Invocation, 'flags'>,
): Promise<{
  readonly runs: readonly Built[]
  readonly missing: readonly SuiteTarget[]
  readonly problems: readonly Problem[]
}> => {
  const runs: Built[] = []
  const missing: SuiteTarget[] = []
  const problems: Problem[] = []
  const allowFailures = boolFlag(flags, 'allowFailures')
  for (const each of targets) {
    const built = await builtRunUnless(each, session, { allowFailures, problems })
    if (built === undefined) missing.push(each)
    else runs.push(built)
  }
  if (runs.length === 0 && problems.length > 0) throw new ProblemError(problems)
  return { runs, missing, problems }
}

export const shownTarget = ({ suite, target }: SuiteTarget): string => `${suite}: ${target.spec.name}`

const NAMED = 10

/** A line each for the first few. @param so what follows for them, e.g. ` and not counted` */
export const missingLines = (missing: readonly string[], so = ' and not counted'): readonly string[] =>
  missing.length === 0
    ? []
    : [
        `${plural(missing.length, 'run is', 'runs are')} not finished${so}:`,
        ...missing.slice(0, NAMED).map((name) => `  ${name}`),
        ...(missing.length > NAMED ? [`  and ${missing.length - NAMED} more`] : []),
      ]
