import { EXIT, type ExitCode } from '../../../cache/problems/problem.ts'
import type { RatingEvent } from '../../../targets/ratings/event.ts'
import { readAllEvents, readConsensus, tellCut } from '../../ratings/study-folder.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { boolFlag, textFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { studyFlag } from './study-flag.ts'

/** `medmake rate log`: every event, from what to what. */
export const rateLog = async ({ flags, cwd, print, warn }: Invocation): Promise<ExitCode> => {
  const { root } = await findWorkspace(cwd)
  const rater = textFlag(flags, 'rater')
  const study = studyFlag(flags, root)
  const all = readAllEvents(root, [study])
  const consensus = readConsensus(root, study)
  const logs = [...all, ...(consensus.events.length > 0 ? [consensus] : [])].filter(
    (log) => rater === undefined || log.rater === rater,
  )
  tellCut(logs, warn)
  if (boolFlag(flags, 'json')) print(JSON.stringify({ logs }))
  else print(logs.flatMap(({ events }) => events.map(eventLine)).join('\n') || 'Nothing was rated yet.')
  return EXIT.done
}

const eventLine = ({ at, rater, kind, order, practice, subject, content, withdraws }: RatingEvent): string =>
  [
    at,
    rater,
    kind,
    ...(order === undefined ? [] : [`${practice === true ? 'practice' : 'item'} ${order}`]),
    ...(subject === undefined ? [] : [subject.benchmark]),
    ...(content === null
      ? withdraws === undefined
        ? kind === 'handed-in'
          ? []
          : ['(deleted)']
        : [`of ${withdraws.slice(0, 12)}`]
      : [
          ...Object.entries(content.scores).map(([name, score]) => `${name}=${score}`),
          ...(content.reason === undefined ? [] : [content.reason]),
          ...(content.safety === true ? ['SAFETY'] : []),
          ...(content.comment === true ? ['comment'] : []),
        ]),
  ].join(' ')
