import { resolve } from 'node:path'
import { EXIT, type ExitCode } from '../../../cache/problems/problem.ts'
import { rewriteFile } from '../../../cache/files/write.ts'
import { currentRatings } from '../../../targets/ratings/current-ratings.ts'
import { exportedCsv, exportedRows } from '../../ratings/exported-rows.ts'
import { createRatingVault } from '../../ratings/rating-vault.ts'
import { readAllEvents, readConsensus, readPlan, tellCut } from '../../ratings/study-folder.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { studyRuns } from '../common/built-runs.ts'
import { boolFlag, nameFlag, textFlag } from '../flags.ts'
import { outputForm } from '../output/output-form.ts'
import type { Invocation } from '../verb.ts'
import { withSession } from '../with-session.ts'
import { studyFlag } from './study-flag.ts'

/** `medmake rate export`: ratings with digests and no text, a JSON object a line or a table with the paper's columns. */
export const rateExport = async (invocation: Invocation): Promise<ExitCode> => {
  const { flags, cwd, print } = invocation
  const form = outputForm(flags)
  const workspace = await findWorkspace(cwd)
  const id = studyFlag(flags, workspace.root)
  const study = readPlan(workspace.root, id)
  // Apart from raters' own: who reads the table elsewhere would take it for one more rater's.
  const own = readAllEvents(workspace.root, [id])
  const consensus = readConsensus(workspace.root, id)
  const isConsensus = boolFlag(flags, 'consensus')
  const logs = isConsensus ? [consensus] : own
  if (!isConsensus && consensus.events.length > 0)
    invocation.warn('The consensus is not in it: --consensus writes it by itself, and no import takes it in.')
  tellCut(logs, invocation.warn)
  const ratings = logs.flatMap(({ events }) => currentRatings(events))
  const suite = nameFlag(flags, 'suite')
  const suites = study?.suites ?? (suite === undefined ? [] : [suite])
  const use = { workspace, readOnly: true, suites }
  return withSession(invocation, use, async (session) => {
    const runs = suites.length === 0 ? [] : await studyRuns({ suites }, invocation, session)
    const vault = createRatingVault(session.vault)
    const comments = new Map<string, string>()
    if (boolFlag(flags, 'withComments'))
      for (const { event } of ratings) {
        const comment = await vault.comment(event)
        if (comment !== undefined) comments.set(event, comment)
      }
    const rows = exportedRows(ratings, { runs, comments })
    const text = form === 'csv' ? exportedCsv(rows) : rows.map((row) => `${JSON.stringify(row)}\n`).join('')
    const out = textFlag(flags, 'out')
    if (out === undefined) {
      if (text !== '') print(text.trimEnd())
    } else {
      rewriteFile(resolve(cwd, out), text, 0o600)
      print(`wrote ${out}: ${rows.length} ratings`)
    }
    return EXIT.done
  })
}
