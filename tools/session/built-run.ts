import { EXIT, ProblemError, type Problem } from '../../cache/problems/problem.ts'
import { discreetError } from '../../cache/problems/withheld.ts'
import type { Built } from '../../targets/runs/board-metric.ts'
import { getRecord } from '../../targets/record/record.ts'
import { keepingFor } from '../../targets/env/env.ts'
import { namedRecord } from '../../targets/record/named-record.ts'
import { targetKey, type TargetKey } from '../../targets/keys/keys.ts'
import { readTrace } from '../../targets/record/trace.ts'
import type { SuiteTarget } from './resolve-targets.ts'
import type { Session } from './session.ts'
import type { Run } from '../../targets/runs/run.ts'
import { storedRuns } from '../../targets/runs/stored-run.ts'

/** What the store holds of a target as it is declared now; undefined where it was not built since, or not to its end. */
export const builtRun = async (
  { suite, target }: SuiteTarget,
  { env }: Pick<Session, 'env'>,
  allowFailures: boolean,
): Promise<(Built & { readonly key: TargetKey }) | undefined> => {
  const key = await targetKey(target, env.profile)
  const trace = readTrace(key.digest, env.records)
  if (trace === undefined || !(trace.complete || allowFailures)) return undefined
  const [digest, stored] = [trace.record, getRecord(trace.record, env.records)]
  if (stored === undefined) return undefined
  const record =
    stored.hasNumberedSubSplits === true
      ? namedRecord({ record: stored, digest }, (await keepingFor(target.spec.benchmark, env)).store)
      : stored
  return { suite, target, key, record, digest }
}

/**
 * The same for readers that go on without a run whose data can't be read, as `medmake run` does: `problems` then say why it
 * is missing.
 */
export const builtRunUnless = async (
  each: SuiteTarget,
  session: Pick<Session, 'env'>,
  { allowFailures, problems }: { readonly allowFailures: boolean; readonly problems: Problem[] },
): ReturnType<typeof builtRun> => {
  try {
    return await builtRun(each, session, allowFailures)
  } catch (cause) {
    const error = each.target.spec.benchmark.access === 'public' ? cause : discreetError(cause)
    if (!(error instanceof ProblemError)) throw error
    problems.push(...error.problems)
    return undefined
  }
}

/** Flags of runs that whoever reads them gives, too: with others they are other runs. */
export const RUN_FLAGS = '-m, -t, --profile, --errata and --skip-bad-rows'

/** Runs that are wanted are not there, or not to their end. @param first what makes them */
export const notFinished = (code: string, message: string, first: string): ProblemError =>
  new ProblemError(
    {
      code,
      message,
      remedy: `${first}; with --allow-failures runs with failed instances are taken, too.`,
    },
    { exitCode: EXIT.incomplete },
  )

/** Runs as the session's store holds them, under the workspace's floors and margins. */
export const sessionRuns = (
  { env, registry, workspace: { config } }: Pick<Session, 'env' | 'registry' | 'workspace'>,
  showsTexts = false,
): ((built: Built) => Run) =>
  storedRuns({ env, registry, coverageFloor: config.coverage_floor, margins: config.margins, showsTexts })
