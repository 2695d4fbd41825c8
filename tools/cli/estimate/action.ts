import { EXIT } from '../../../cache/problems/problem.ts'
import { estimateTargets } from '../../../targets/estimate/estimate-targets.ts'
import { csvEstimate, formatEstimate, unreadLines } from '../../spend/format-estimate.ts'
import { outputForm } from '../output/output-form.ts'
import type { Action } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { targetsOf } from '../common/suites.ts'

/** `medmake estimate`: what a run would cost. Reads data and store; writes nothing, calls nobody. */
export const estimateAction: Action = async (invocation) => {
  const { flags, print, warn } = invocation
  const form = outputForm(flags)
  return withSession(invocation, { readOnly: true }, async (session) => {
    const targets = (await targetsOf(invocation, session)).map(({ target }) => target)
    const found = await estimateTargets(targets, session, undefined, { skipsUnread: true })
    for (const line of unreadLines(found)) warn(line)
    if (form === 'json') print(JSON.stringify(found))
    else print(form === 'csv' ? csvEstimate(found) : formatEstimate(found))
    return found.unread.length === 0 ? EXIT.done : EXIT.incomplete
  })
}
