import type { ExitCode } from '../../../cache/problems/problem.ts'
import { judgeAgreements } from '../../../targets/jury/study/judge-agreement.ts'
import { judgeAgreementText } from '../../jury/format-judge-agreement.ts'
import type { Invocation } from '../verb.ts'
import { studyJudges } from './study-judges.ts'
import { familyRuns } from './family.ts'

/** `medmake jury agreement`: how judges agree with each other, and how many of them a reliable score takes. */
export const juryAgreement = async (invocation: Invocation): Promise<ExitCode> =>
  studyJudges(invocation, (runs, session) => {
    const agreement = judgeAgreements(familyRuns(runs, session))
    return { json: { agreement }, texts: () => agreement.map(judgeAgreementText) }
  })
