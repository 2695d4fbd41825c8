import type { GatedRow, GateReport } from '../../targets/compare/gate-runs.ts'
import type { PooledLoss } from '../../targets/statistics/gate/gate.ts'
import type { TextColumns } from '../../cache/words/tables.ts'
import {
  formatBeside,
  formatDifference,
  formatP,
  formatShare,
  formatValue,
  plural,
  orDash,
} from '../../cache/words/number-text.ts'

/** Losses in the metric's own units, positive is worse. */
export const GATE_COLUMNS: TextColumns<GatedRow> = [
  ['model', (row) => row.deployment],
  ['benchmark', (row) => row.benchmark],
  ['metric', (row) => row.metric],
  ['n', (row) => (row.common === row.n ? String(row.n) : `${row.common} of ${row.n}`)],
  ['loss', (row) => orDash(row.loss, formatDifference)],
  ['below (97.5 %)', (row) => formatBeside(row.upper, row.margin)],
  ['margin', (row) => (row.margin === null ? 'none' : formatValue(row.margin))],
  ['p', (row) => formatP(row.p)],
  ['Holm', (row) => formatP(row.holm)],
  ['finds the margin', (row) => powerText(row.powerToFindMargin)],
  ['clears', (row) => powerText(row.powerToClear)],
  ['verdict', (row) => verdictText(row)],
]

const powerText = (power: number | undefined): string =>
  power === undefined ? '–' : power > 0.999 ? '> 99.9 %' : formatShare(power)

/** Without a margin nothing is claimed but regressions. */
const verdictText = ({ verdict, margin }: GatedRow): string =>
  verdict === 'inconclusive' && margin === null ? 'no regression found' : verdict

/** What the columns mean; below the table. */
export const GATE_NOTE =
  'Losses over all runs of a benchmark, in units of the metric; positive is worse. Regressed: by Holm beside the pooled loss, in at most 2.5 % of sound changes. Not worse: the loss stays below the declared margin. Finds, clears: chance of a rerun of this size to find a loss of the margin, or to clear a change without one.'

/** Lines on the pooled loss, on rows that took no part, and on single instances that fell far. */
export const gateLines = ({ pooled, ungated, rows }: GateReport): readonly string[] => [
  ...(pooled === null ? [] : [pooledLine(pooled, rows.length)]),
  ...rows.flatMap(({ deployment, benchmark, largestFalls }) =>
    largestFalls.length === 0
      ? []
      : [
          `largest falls of single instances: ${deployment}, ${benchmark}: ${largestFalls.map(formatValue).join(', ')}`,
        ],
  ),
  ...ungated.map(({ deployment, benchmark, reason }) =>
    reason === 'unchanged'
      ? `unchanged: ${deployment}, ${benchmark}: all results are the base's`
      : `not gated: ${deployment}, ${benchmark}: ${reason}`,
  ),
]

const pooledLine = ({ over, loss, upper, p, margin, verdict }: PooledLoss, rows: number): string => {
  const mean = orDash(loss, formatDifference)
  const declared = margin === undefined ? '' : `, margin ${formatValue(margin)}`
  const said = verdict === 'inconclusive' && margin === undefined ? '' : `: ${verdict}`
  const among = over === rows ? '' : ` of ${rows}, as the others have one source`
  return `pooled over ${plural(over, 'row')}${among}, as a share of the scales: loss ${mean}, below ${formatBeside(upper, margin)}${declared}, p ${formatP(p)}${said}`
}
