import { EXIT, type ExitCode } from '../../../cache/problems/problem.ts'
import { studyStatus } from '../../../targets/ratings/status.ts'
import { statusText } from '../../ratings/format-status.ts'
import { readAllEvents, readPlan, tellTorn } from '../../ratings/study-folder.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { boolFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { studyFlag } from './study-flag.ts'

/** `medmake rate status`: who is how far, how they agree so far, whether levels drift; no answer's scores. */
export const rateStatus = async ({ flags, cwd, print, warn }: Invocation): Promise<ExitCode> => {
  const { root } = await findWorkspace(cwd)
  const id = studyFlag(flags, root)
  const study = readPlan(root, id)
  const logs = readAllEvents(root, [id])
  tellTorn(logs, warn)
  const status = studyStatus(id, study, logs)
  print(boolFlag(flags, 'json') ? JSON.stringify(status) : statusText(status))
  return EXIT.done
}
