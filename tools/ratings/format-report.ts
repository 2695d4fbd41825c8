import type { AgreementEstimate } from '../../targets/jury/study/agreement.ts'
import type { RecognisedAnswer } from '../rating-desk/desk.ts'
import type { RaterReport } from '../../targets/ratings/rater-report.ts'
import {
  fixed,
  formatDifference,
  formatShare,
  formatValue,
  intervalText,
  orDash,
} from '../../cache/words/number-text.ts'
import { alignedTable, indented, tabulated, type TextColumns } from '../../cache/words/tables.ts'
import { shortText } from '../jury/format-agreement.ts'

/** Agreement among ratings that have something in common, beside that of the others. */
export interface AgreementSplit {
  readonly benchmark: string
  readonly by: 'reference' | 'answer'
  readonly part: string
  readonly ratings: number
  readonly answers: number
  readonly clinicians: AgreementEstimate
  readonly jury: AgreementEstimate | null
  /** Points that the jury gives more. */
  readonly bias: AgreementEstimate | null
}

/** What a study's coordinator is told of its raters; with one rater alone, what that rater is. */
export interface RatingReport {
  readonly study: string
  readonly raters: readonly RaterReport[]
  /** By rater, whether authors were recognised; null for who has not handed in. */
  readonly recognised: Readonly<Record<string, RecognisedAnswer | null>>
  /** Of the answers that were rated and that runs hold, those that name a model or a maker. */
  readonly namesItself: { readonly answers: number; readonly of: number }
  readonly splits: readonly AgreementSplit[]
}

const difference = (value: number | null): string => orDash(value, formatDifference)

const RATERS: TextColumns<RaterReport> = [
  ['rater', ({ rater }) => rater],
  ['benchmark', ({ benchmark }) => benchmark],
  ['rated', ({ rated }) => String(rated)],
  ["can't judge", ({ cannotJudge }) => formatShare(cannotJudge)],
  ['level', ({ level }) => orDash(level, formatValue)],
  ['spread', ({ spread }) => orDash(spread, formatValue)],
  ['above jury', ({ aboveJury }) => difference(aboveJury)],
  ['ICC with others', ({ icc, pairs }) => (icc === null ? '–' : `${formatValue(icc)} (${pairs})`)],
  ['points apart', ({ apart }) => orDash(apart, (points) => fixed(points, 2))],
  ['s an answer', ({ seconds }) => orDash(seconds, (each) => fixed(each, 0))],
  ['reference opened', ({ opened }) => orDash(opened, formatShare)],
  ['drift above jury, points an item', ({ drift }) => orDash(drift, driftText)],
  [
    'practice',
    ({ practice: { rated, aboveJury } }) =>
      rated === 0 ? '–' : `${rated}, ${difference(aboveJury)} above jury`,
  ],
]

const SPLITS: TextColumns<AgreementSplit> = [
  ['benchmark', ({ benchmark }) => benchmark],
  ['', ({ by, part }) => `${by} ${part}`],
  ['ratings', ({ ratings }) => String(ratings)],
  ['answers', ({ answers }) => String(answers)],
  ['clinicians ICC(3,k)', ({ clinicians }) => shortText(clinicians)],
  ['jury ICC(3,k)', ({ jury }) => shortText(jury ?? undefined)],
  ['jury’s points more', ({ bias }) => shortText(bias ?? undefined)],
]

/** Raters as a table, then how blind they were. */
export const reportText = ({ study, raters, recognised, namesItself, splits }: RatingReport): string =>
  [
    `study ${study}`,
    indented(alignedTable(...tabulated(RATERS, raters))),
    ...(Object.keys(recognised).length === 0
      ? []
      : [
          `Authors recognised: ${Object.entries(recognised)
            .map(([rater, answer]) => `${rater} ${answer ?? 'not handed in'}`)
            .join(', ')}.`,
        ]),
    ...(splits.length === 0
      ? []
      : [
          `${namesItself.answers} of ${namesItself.of} rated answers name a model or a maker.`,
          indented(alignedTable(...tabulated(SPLITS, splits))),
        ]),
  ].join('\n\n')

const driftText = (drift: NonNullable<RaterReport['drift']>): string =>
  `${formatValue(drift.slope)}${intervalText(drift)}${drift.low > 0 || drift.high < 0 ? ' !' : ''}`
