import { EXIT, type ExitCode } from '../../../cache/problems/problem.ts'
import { judgedTargets, type JudgedTarget } from '../../jury/judged-runs.ts'
import type { Session } from '../../session/session.ts'
import { targetsOf } from '../common/suites.ts'
import { boolFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'

interface JudgeStudy {
  /** What `--json` prints. */
  readonly json: object
  /** Else, a part for each benchmark. */
  readonly texts: () => readonly string[]
}

/** Prints what a study finds in the judgements that the runs of suites have; asks nobody. */
export const studyJudges = async (
  invocation: Invocation,
  study: (runs: readonly JudgedTarget[], session: Session) => JudgeStudy,
): Promise<ExitCode> =>
  withSession(invocation, { readOnly: true }, async (session) => {
    const { flags, print, warn } = invocation
    const runs = await judgedTargets(await targetsOf(invocation, session), session, warn)
    const { json, texts } = study(runs, session)
    print(boolFlag(flags, 'json') ? JSON.stringify(json) : texts().join('\n\n'))
    return EXIT.done
  })
