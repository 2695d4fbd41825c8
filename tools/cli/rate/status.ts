import { EXIT, type ExitCode } from '../../../cache/problems/problem.ts'
import { studyStatus, type StudyStatus } from '../../../targets/ratings/status.ts'
import { keptRatings, type KeptRatings } from '../../ratings/kept-ratings.ts'
import { tellCut } from '../../ratings/study-folder.ts'
import { findWorkspace } from '../../session/workspace/workspace.ts'
import { boolFlag } from '../flags.ts'
import type { Invocation } from '../verb.ts'
import { studyFlag } from './study-flag.ts'
import { formatValue, plural } from '../../../cache/words/number-text.ts'
import { alignedTable, indented, tabulated, type TextColumns } from '../../../cache/words/tables.ts'

/** `medmake rate status`: who is how far, how they agree so far; no answer's scores. */
export const rateStatus = async ({ flags, cwd, print, warn }: Invocation): Promise<ExitCode> => {
  const { root } = await findWorkspace(cwd)
  const id = studyFlag(flags, root)
  const kept = keptRatings(root, [id])
  tellCut(kept.logs, warn)
  showStatus(id, kept, { flags, print })
  return EXIT.done
}

export const showStatus = (
  id: string,
  { studies: [study], logs }: Pick<KeptRatings, 'studies' | 'logs'>,
  { flags, print }: Pick<Invocation, 'flags' | 'print'>,
): void => {
  const status = studyStatus(id, study, logs)
  print(boolFlag(flags, 'json') ? JSON.stringify(status) : statusText(status))
}

const RATERS: TextColumns<StudyStatus['raters'][number]> = [
  ['rater', ({ rater }) => rater],
  ['planned', ({ planned }) => String(planned)],
  ['rated', ({ rated }) => String(rated)],
  ["can't judge", ({ cannotJudge }) => String(cannotJudge)],
  ['left', ({ left }) => String(left)],
  ['changed', ({ changes }) => String(changes)],
  ['withdrawn', ({ withdrawn }) => String(withdrawn)],
  ['s an answer', ({ seconds }) => seconds?.toFixed(0) ?? '–'],
  ['', ({ handedIn }) => (handedIn ? 'handed in' : '')],
]

const BENCHMARKS: TextColumns<StudyStatus['benchmarks'][number]> = [
  ['benchmark', ({ benchmark }) => benchmark],
  ['planned', ({ planned }) => String(planned)],
  ['rated', ({ rated }) => String(rated)],
  ['by two', ({ shared }) => String(shared)],
  [
    'ICC(3,k) so far',
    ({ icc, pairs }) => (icc === null ? '–' : `${formatValue(icc)} (${plural(pairs, 'pair')})`),
  ],
  ['points apart', ({ apart }) => apart?.toFixed(2) ?? '–'],
]

export const statusText = ({ study, hasPlan, raters, benchmarks }: StudyStatus): string => {
  const safety = raters.reduce((sum, each) => sum + each.safety, 0)
  return [
    `study ${study}${hasPlan ? '' : ', imported, without a plan'}`,
    ...(safety === 0
      ? []
      : [
          `SAFETY: ${plural(safety, 'concern was', 'concerns were')} raised; \`medmake rate disagreements\` lists them.`,
        ]),
    indented(alignedTable(...tabulated(RATERS, raters))),
    indented(alignedTable(...tabulated(BENCHMARKS, benchmarks))),
  ].join('\n\n')
}
