import type { LevelDrift, StudyStatus } from '../../targets/ratings/status.ts'
import { formatValue } from '../compare/number-text.ts'
import { alignedTable } from '../compare/tables.ts'

export const statusText = ({ study, hasPlan, raters, benchmarks }: StudyStatus): string => {
  const safety = raters.reduce((sum, each) => sum + each.safety, 0)
  return [
    `study ${study}${hasPlan ? '' : ', imported, without a plan'}`,
    ...(safety === 0
      ? []
      : [
          `SAFETY: ${safety} ${safety === 1 ? 'concern was' : 'concerns were'} raised; \`medmake rate disagreements\` lists them.`,
        ]),
    indented(
      alignedTable(
        [
          'rater',
          'planned',
          'rated',
          "can't judge",
          'left',
          'changed',
          'withdrawn',
          's an answer',
          'drift, points an item',
          '',
        ],
        raters.map((each) => [
          each.rater,
          String(each.planned),
          String(each.rated),
          String(each.cannotJudge),
          String(each.left),
          String(each.changes),
          String(each.withdrawn),
          each.seconds === null ? '–' : each.seconds.toFixed(0),
          driftText(each.drift),
          each.handedIn ? 'handed in' : '',
        ]),
      ),
    ),
    indented(
      alignedTable(
        ['benchmark', 'planned', 'rated', 'by two', 'ICC(3,k) so far', 'points apart'],
        benchmarks.map(({ benchmark, planned, rated, shared, icc, pairs, apart }) => [
          benchmark,
          String(planned),
          String(rated),
          String(shared),
          icc === null ? '–' : `${formatValue(icc)} (${pairs} ${pairs === 1 ? 'pair' : 'pairs'})`,
          apart === null ? '–' : apart.toFixed(2),
        ]),
      ),
    ),
  ].join('\n\n')
}

const driftText = (drift: LevelDrift | null): string =>
  drift === null
    ? '–'
    : `${formatValue(drift.slope)} (${formatValue(drift.low)} to ${formatValue(drift.high)})${drift.low > 0 || drift.high < 0 ? ' !' : ''}`

const indented = (table: string): string => table.replaceAll(/^/gm, '  ')
