import { EXIT, type ExitCode } from '../../../cache/problems/problem.ts'
import { readPlan } from '../../ratings/study-folder.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { agreementAction } from '../agreement/action.ts'
import { juryCalibrate } from '../jury/calibrate.ts'
import { boolFlag, nameFlag, textFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { reportRaters } from './report-raters.ts'
import { rateStatus } from './status.ts'
import { studyFlag } from './study-flag.ts'

/**
 * `medmake rate report`: what came of a study, as `rate status`, `agreement` and `jury calibrate` tell it, concerns for safety
 * first, then its raters; with `--rater` that rater's part alone. A table's ratings without `--suite` are held against what stood
 * beside them, and calibrate nothing.
 */
export const rateReport = async (invocation: Invocation): Promise<ExitCode> => {
  const { flags, cwd, print } = invocation
  const workspace = await findWorkspace(cwd)
  const study = studyFlag(flags, workspace.root)
  const suite = nameFlag(flags, 'suite')
  const suites = readPlan(workspace.root, study)?.suites ?? (suite === undefined ? [] : [suite])
  const own = { ...invocation, flags: { ...flags, study, suite: undefined } }
  const parts = [
    () => rateStatus(own),
    () => agreementAction({ ...own, args: suites }),
    ...suites.map((each) => () => juryCalibrate({ ...own, flags: { ...own.flags, suite: each } })),
  ]
  if (textFlag(flags, 'rater') === undefined)
    for (const part of parts) {
      await part()
      if (!boolFlag(flags, 'json')) print('')
    }
  await reportRaters(own, workspace, { study, suites })
  return EXIT.done
}
