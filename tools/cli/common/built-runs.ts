import { runFirst } from './run-first.ts'
import { ProblemError, type Problem } from '../../../cache/problems/problem.ts'
import type { Built } from '../../../targets/runs/board-metric.ts'
import { plural } from '../../../cache/words/number-text.ts'
import { builtRunUnless, notFinished } from '../../session/built-run.ts'
import { resolveTargets, type SuiteTarget } from '../../session/resolve-targets.ts'
import type { Session } from '../../session/session.ts'
import { boolFlag, badFlag, textFlag } from '../flags.ts'
import { formatProblems } from '../output/print-problems.ts'
import type { Invocation, FlagValues } from '../verb.ts'
import { asAsked, suitesOf } from './suites.ts'
import type { Study } from '../../../targets/ratings/study.ts'
import { judgedTargets, type JudgedOptions } from '../../jury/judged-runs.ts'
import { ratableRun, type RatableAnswers } from '../../ratings/rated-runs.ts'

interface BuiltTargets {
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
  throw notFinished(
    'cli/nothing-built',
    `none of the ${missing.length} runs is finished`,
    runFirst(
      invocation,
      suites.map(({ suite }) => suite),
    ),
  )
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

/** The judged runs of suites, with what of their answers plans and ratings name. */
export const ratableRuns = async (
  suites: Parameters<typeof resolveTargets>[0],
  session: Session,
  { flags, warn }: Pick<Invocation, 'flags' | 'warn'>,
  { skipsUnbuilt = false }: Pick<JudgedOptions, 'skipsUnbuilt'> = {},
): Promise<readonly RatableAnswers[]> => {
  const runs = []
  for (const run of await judgedTargets(await resolveTargets(suites, session), session, warn, {
    takesItems: true,
    skipsUnbuilt,
    allowFailures: boolFlag(flags, 'allowFailures'),
  }))
    runs.push(await ratableRun(run, session))
  return runs
}

/** Those of a study's suites; runs that are not built are told and left out, as long as others are there. */
export const studyRuns = async (
  { suites }: Pick<Study, 'suites'>,
  invocation: Invocation,
  session: Session,
): Promise<readonly RatableAnswers[]> =>
  ratableRuns(await suitesOf({ ...invocation, args: suites }, session), session, invocation, {
    skipsUnbuilt: true,
  })

/** `--runs`: a regular expression that a run's name matches somewhere; all runs without it. @throws ProblemError `cli/bad-flag` */
export const runFilter = (flags: FlagValues): ((name: string) => boolean) => {
  const pattern = textFlag(flags, 'runs')
  if (pattern === undefined) return () => true
  try {
    const expression = new RegExp(pattern, 'u')
    return (name) => expression.test(name)
  } catch (cause) {
    throw badFlag(
      '--runs',
      `--runs ${pattern} is no regular expression`,
      'Write --runs "^medication_qa", for instance.',
      cause,
    )
  }
}
