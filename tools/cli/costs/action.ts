import { EXIT } from '../../../cache/problems/problem.ts'
import { costsReport } from '../../../targets/board/cost-table.ts'
import { csvCosts, formatCosts, unknownText } from '../../costs/format-costs.ts'
import { outputForm } from '../output/output-form.ts'
import type { Action } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { builtRuns, missingLines } from '../common/built-runs.ts'

/** `medmake costs`: reads what the store holds; runs nothing, calls nobody. */
export const costsAction: Action = async (invocation) => {
  const { flags, print, warn } = invocation
  const form = outputForm(flags)
  return withSession(invocation, { readOnly: true }, async (session) => {
    const { runs, missing } = await builtRuns(invocation, session)
    const report = costsReport(runs, session.prices)
    if (form === 'json') print(JSON.stringify({ ...report, missing }))
    else print(form === 'csv' ? csvCosts(report) : formatCosts(report))
    for (const line of [...unknownText(report), ...missingLines(missing)]) warn(line)
    return missing.length > 0 ? EXIT.incomplete : EXIT.done
  })
}
