import type { GatedRow, GateReport } from '../../targets/compare/gate-runs.ts'
import type { CiOutcome, CiPair, CiReport } from './ci-report.ts'
import {
  brokenLines,
  COMPARISON_NOTE,
  missingLines,
  rowsOfModels,
  unrankedLines,
  comparisonCases,
} from './comparison-table.ts'
import { comparisonsJson } from './format-comparison.ts'
import type { OutputFormat } from './format.ts'
import { junitXml, type JunitCase } from './junit.ts'
import { alignedTable, markdownTable, tabulated, type TextColumns } from '../../cache/words/tables.ts'
import type { PooledLoss } from '../../targets/statistics/gate/gate.ts'
import {
  formatBeside,
  formatDifference,
  formatP,
  formatShare,
  formatValue,
  plural,
  orDash,
} from '../../cache/words/number-text.ts'

export const formatCi = (report: CiReport, format: OutputFormat): string => {
  if (format === 'json') return JSON.stringify({ ...report, judged: comparisonsJson(report.judged) })
  if (format === 'junit') return ciJunit(report).trimEnd()
  return format === 'text' ? text(report) : markdown(report)
}

const PAIR_COLUMNS: TextColumns<CiPair> = [
  ['pair', ({ run }) => run],
  ['why', ({ why }) => why],
  ['calls at most', ({ calls }) => String(calls)],
  ['outcome', ({ outcome }) => outcome],
]

/** Only what was compared can be free of regressions, and only a declared margin can be cleared. */
const verdict = ({ pairs, judged, gate, decidedBy }: CiReport): string => {
  const compared = judged.filter(({ comparison }) => comparison.result !== null)
  if (judged.some(({ broken }) => broken.length > 0)) return 'regression'
  if (decidedBy === 'gate' && gate.verdict === 'regressed') return 'regression'
  if (pairs.length === 0) return 'nothing changed'
  if (compared.length === 0) return 'nothing was compared'
  const isWhole =
    compared.length === judged.length && pairs.every(({ outcome }) => ['compared', 'new'].includes(outcome))
  if (!isWhole) return 'no regression found in what was compared'
  if (decidedBy === 'gate' && gate.verdict === 'inconclusive') return 'inconclusive'
  if (decidedBy === 'gate' && gate.verdict === 'not worse') return 'not worse by more than the margins'
  return 'no regression found'
}

const text = (report: CiReport): string =>
  [
    `${verdict(report)}: ${headline(report)}`,
    ...removedLines(report, (name) => name),
    ...(report.pairs.length > 0 ? ['', alignedTable(...tabulated(PAIR_COLUMNS, report.pairs))] : []),
    ...(report.gate.rows.length > 0
      ? ['', alignedTable(...tabulated(GATE_COLUMNS, report.gate.rows)), '', GATE_NOTE]
      : []),
    ...(report.judged.length > 0 ? ['', alignedTable(...rowsOfModels(report.judged)), '', LEGEND] : []),
    ...notes(report),
  ].join('\n')

const markdown = (report: CiReport): string => {
  const pairs = report.pairs.map((pair) => ({ ...pair, run: code(pair.run), why: code(pair.why) }))
  return [
    `### medmake: ${verdict(report)}`,
    '',
    headline(report),
    ...removedLines(report, code),
    ...(report.gate.rows.length > 0
      ? ['', markdownTable(...tabulated(GATE_COLUMNS, report.gate.rows)), '', GATE_NOTE]
      : []),
    ...(report.judged.length > 0 ? ['', markdownTable(...rowsOfModels(report.judged)), '', LEGEND] : []),
    ...notes(report).map((line) => `\n**${line}**`),
    ...(pairs.length > 0
      ? [
          '',
          '<details><summary>What changed</summary>',
          '',
          markdownTable(...tabulated(PAIR_COLUMNS, pairs)),
          '',
          '</details>',
        ]
      : []),
  ].join('\n')
}

const LEGEND = `A is the base, B this tree. ${COMPARISON_NOTE}`

const code = (value: string): string => `\`${value.replaceAll('`', "'")}\``

const headline = ({ pairs, total, base, providerCalls }: CiReport): string =>
  `${pairs.length} of ${total} pairs differ from ${base}; ${providerCalls} provider calls were made.`

const removedLines = ({ removed }: CiReport, of: (name: string) => string): readonly string[] =>
  removed.length === 0 ? [] : ['', `Removed: ${removed.map(of).join(', ')}`]

const REMEDIES: Readonly<Partial<Record<CiOutcome, string>>> = {
  'base not built':
    'the base has no finished result in this store: run `medmake run` on it and keep its store',
  incomplete: 'some requests failed: run again to try only these',
  failed: 'see the error above',
}

const notes = (report: CiReport): readonly string[] => [
  ...brokenLines(report.judged),
  ...gateLines(report.gate),
  ...report.pairs.flatMap(({ run, outcome }) => {
    const remedy = REMEDIES[outcome]
    return remedy === undefined ? [] : [`not compared: ${run}: ${remedy}`]
  }),
  ...missingLines(report.judged),
  ...unrankedLines(report.judged),
  ...report.judged.flatMap(({ comparison: { runB, result, unranked } }) =>
    result === null && unranked === null
      ? [`not compared: ${runB}: none of its instances is in the base's data`]
      : [],
  ),
  ...report.idle.map((clause) => `no compared run has the metric of ${JSON.stringify(clause)}`),
]

/** A test a comparison, and one for each pair that could not be compared; the gate's fail where it decides. */
export const ciJunit = (report: CiReport): string =>
  junitXml(`medmake against ${report.base}`, [
    ...comparisonCases(report.judged),
    ...gateCases(report.gate).map(({ outcome, ...each }) =>
      outcome === undefined || report.decidedBy === 'clauses' ? each : { ...each, outcome },
    ),
    ...report.pairs.flatMap(({ suite, run, outcome }): readonly JunitCase[] => {
      const kind = outcome === 'new' ? 'skipped' : 'error'
      return outcome === 'compared' ? [] : [{ suite, name: run, outcome: { kind, message: outcome } }]
    }),
  ])

/** Failed where it regressed: a margin that was not settled fails nothing, and its row says so. */
const gateCases = ({ rows, pooled }: GateReport): readonly JunitCase[] => {
  const failed = ({ verdict }: GatedRow | PooledLoss): Pick<JunitCase, 'outcome'> =>
    verdict === 'regressed' ? { outcome: { kind: 'failure', message: verdict } } : {}
  return [
    ...rows.map((row) => ({
      suite: `${row.suite}.${row.benchmark}`,
      name: `gate of ${row.deployment}, ${row.metric}`,
      output: GATE_COLUMNS.map(([head, cellOf]) => `${head}: ${cellOf(row)}`).join('\n'),
      ...failed(row),
    })),
    ...(pooled === null
      ? []
      : [{ suite: 'pooled', name: 'gate', output: pooledLine(pooled, rows.length), ...failed(pooled) }]),
  ]
}

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
const GATE_NOTE =
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
