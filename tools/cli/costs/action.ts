import { EXIT, ProblemError } from '../../../cache/problems/problem.ts'
import { costsReport } from '../../costs/costs-report.ts'
import { csvCosts, formatCosts, unknownText } from '../../costs/format-costs.ts'
import { boolFlag } from '../flags.ts'
import type { Action } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { builtRuns, missingLines } from '../common/built-runs.ts'

/** `medmake costs`: reads what the store holds; runs nothing, calls nobody. */
export const costsAction: Action = async (invocation) => {
  const { flags, print, warn } = invocation
  const [json, csv] = [boolFlag(flags, 'json'), boolFlag(flags, 'csv')]
  if (json && csv) throw twoForms()
  return withSession(invocation, { readOnly: true }, async (session) => {
    const { runs, missing } = await builtRuns(invocation, session)
    const report = costsReport(runs, session.prices)
    if (json) print(JSON.stringify({ ...report, missing }))
    else print(csv ? csvCosts(report) : formatCosts(report))
    for (const line of [...unknownText(report), ...missingLines(missing)]) warn(line)
    return missing.length > 0 ? EXIT.incomplete : EXIT.done
  })
}

const twoForms = (): ProblemError =>
  new ProblemError({
    code: 'cli/bad-flag',
    message: '--json and --csv exclude each other',
    where: { field: '--csv' },
    remedy: 'Give one of them.',
  })
