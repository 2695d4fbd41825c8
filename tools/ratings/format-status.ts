import type { LevelDrift, StudyStatus } from '../../targets/ratings/status.ts'
import { formatValue, plural } from '../../cache/words/number-text.ts'
import { alignedTable, indented, tabulated, type TextColumns } from '../../cache/words/tables.ts'

const RATERS: TextColumns<StudyStatus['raters'][number]> = [
  ['rater', ({ rater }) => rater],
  ['planned', ({ planned }) => String(planned)],
  ['rated', ({ rated }) => String(rated)],
  ["can't judge", ({ cannotJudge }) => String(cannotJudge)],
  ['left', ({ left }) => String(left)],
  ['changed', ({ changes }) => String(changes)],
  ['withdrawn', ({ withdrawn }) => String(withdrawn)],
  ['s an answer', ({ seconds }) => seconds?.toFixed(0) ?? '–'],
  ['drift, points an item', ({ drift }) => driftText(drift)],
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

const driftText = (drift: LevelDrift | null): string =>
  drift === null
    ? '–'
    : `${formatValue(drift.slope)} (${formatValue(drift.low)} to ${formatValue(drift.high)})${drift.low > 0 || drift.high < 0 ? ' !' : ''}`
