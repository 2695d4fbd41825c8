import { EXIT, type ExitCode } from '../../../cache/problems/problem.ts'
import { judgeAgreements } from '../../../targets/jury/study/judge-agreement.ts'
import { judgeAgreementText } from '../../jury/format-judge-agreement.ts'
import { judgedTargets } from '../../jury/judged-runs.ts'
import { resolveTargets } from '../../session/resolve-targets.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { boolFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { familyRuns } from './family.ts'
import { suitesOf } from '../common/suites.ts'

/** `medmake jury agreement`: how judges agree with each other, and how many of them a reliable score takes. */
export const juryAgreement = async (invocation: Invocation): Promise<ExitCode> => {
  const { flags, cwd, print } = invocation
  const workspace = await findWorkspace(cwd)
  return withSession(invocation, { workspace, readOnly: true }, async (session) => {
    const suites = await suitesOf(invocation, workspace, session.entries)
    const runs = await judgedTargets(await resolveTargets(suites, session), session, invocation.warn)
    const found = judgeAgreements(familyRuns(runs, session))
    if (boolFlag(flags, 'json')) print(JSON.stringify({ agreement: found }))
    else print(found.map(judgeAgreementText).join('\n\n'))
    return EXIT.done
  })
}
