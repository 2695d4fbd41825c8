import type { Study } from '../../../targets/ratings/study.ts'
import type { Invocation } from '../verb.ts'
import { suitesOf } from './suites.ts'
import { judgedTargets, type JudgedOptions } from '../../jury/judged-runs.ts'
import { ratableRun, type RatableAnswers } from '../../ratings/rated-runs.ts'
import { resolveTargets } from '../../session/resolve-targets.ts'
import type { Session } from '../../session/session.ts'

/** The judged runs of suites, with what of their answers plans and ratings name. */
export const ratableRuns = async (
  suites: Parameters<typeof resolveTargets>[0],
  session: Session,
  warn: (text: string) => void,
  { skipsUnbuilt = false }: Pick<JudgedOptions, 'skipsUnbuilt'> = {},
): Promise<readonly RatableAnswers[]> => {
  const runs = []
  for (const run of await judgedTargets(await resolveTargets(suites, session), session, warn, {
    takesItems: true,
    skipsUnbuilt,
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
  ratableRuns(await suitesOf({ ...invocation, args: suites }, session), session, invocation.warn, {
    skipsUnbuilt: true,
  })
