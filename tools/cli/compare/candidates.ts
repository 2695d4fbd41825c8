import { ProblemError, type Problem } from '../../../cache/problems/problem.ts'
import {
  readComparedRun,
  type ComparedRun,
  type ComparisonOptions,
} from '../../../targets/compare/compared-run.ts'
import type { Sided } from '../../../targets/compare/match-sides.ts'
import { builtRunUnless, sessionRuns } from '../../session/built-run.ts'
import { resolveTargets } from '../../session/resolve-targets.ts'
import type { Session } from '../../session/session.ts'
import type { ResultSource } from '../../sources/result-source.ts'
import { asAsked, suitesOf } from '../common/suites.ts'
import { boolFlag, listFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'

/** A run that may be compared. */
export interface Candidate extends Sided {
  /** Place of its source among those that were named. */
  readonly source: number
  /** Undefined where it is not there to be read; the `Unread` around it then says why. */
  readonly read: () => Promise<ComparedRun | undefined>
}

/** What was to be read and was not: it grows while runs are read. */
export interface Unread {
  readonly problems: Problem[]
  /** Names of runs that are not finished. */
  readonly missing: readonly string[]
}

export interface Candidates extends Unread {
  readonly runs: readonly Candidate[]
}

export interface WantedComparison {
  readonly invocation: Invocation
  readonly wanted: ComparisonOptions
}

/** Runs of the workspace's suites as its store holds them. @param problems takes what keeps any from being read */
export const storedCandidates = async (
  session: Session,
  { invocation, wanted }: WantedComparison,
  problems: Problem[] = [],
): Promise<Candidates> => {
  const args = listFlag(invocation.flags, 'suite') ?? []
  const suites = await suitesOf({ ...invocation, args }, session)
  const run = sessionRuns(session)
  const missing: string[] = []
  const allowFailures = boolFlag(invocation.flags, 'allowFailures')
  const runs = asAsked(await resolveTargets(suites, session), invocation).map((each): Candidate => {
    const { name, adapter } = each.target.spec
    return {
      suite: each.suite,
      name,
      model: adapter.model,
      deployment: adapter.modelDeployment,
      source: 0,
      read: async () => {
        const built = await builtRunUnless(each, session, { allowFailures, problems })
        if (built === undefined) missing.push(name)
        return built && readComparedRun(run(built), wanted)
      },
    }
  })
  return { runs, missing, problems }
}

/**
 * Runs of folders and releases, of the suites that were asked for.
 * @throws ProblemError `compare/no-such-suite` for a place without any: the store's would stand for its own, without a word
 */
export const candidatesOf = (
  sources: readonly ResultSource[],
  { invocation, wanted }: WantedComparison,
): Candidates => {
  const suites = listFlag(invocation.flags, 'suite')
  const problems = sources.flatMap((source) => source.problems)
  for (const source of sources) refuseOtherSuites(source, suites)
  const runs = sources.flatMap((source, at) =>
    source.runs
      .filter(({ run }) => suites?.includes(run.suite) ?? true)
      .map(({ run }): Candidate => ({
        suite: run.suite,
        name: run.name,
        model: run.model.name,
        deployment: run.model.deployment,
        source: at,
        read: async () => {
          try {
            return await readComparedRun(run, wanted)
          } catch (error) {
            if (!(error instanceof ProblemError)) throw error
            problems.push(...error.problems)
            return undefined
          }
        },
      })),
  )
  return { runs, problems, missing: [] }
}

const refuseOtherSuites = ({ given, runs }: ResultSource, suites: readonly string[] | undefined): void => {
  const own = [...new Set(runs.map(({ run }) => run.suite))]
  if (suites === undefined || own.length === 0 || own.some((suite) => suites.includes(suite))) return
  throw new ProblemError({
    code: 'compare/no-such-suite',
    message: `${given} holds no run of ${suites.join(' or ')}`,
    where: { field: '--suite' },
    remedy: `Its suites are ${own.join(', ')}: name one of them, or leave --suite out.`,
  })
}
