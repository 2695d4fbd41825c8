import { groupBy } from '../../cache/lists.ts'
import type { Comparison } from '../../targets/compare/compare-runs.ts'
import { verdictOf, type ComparisonResult, type SideVerdict } from '../../targets/compare/compare-sides.ts'
import type { FailIf } from '../../targets/compare/fail-if.ts'
import type { PairTest } from '../../targets/statistics/paired/pair-difference.ts'
import {
  formatDifference,
  formatP,
  formatValue,
  spanText,
  valueOrDash,
  orDash,
} from '../../cache/words/number-text.ts'
import type { Causes } from '../../targets/record/coverage.ts'
import { causesText, underFloorText } from './coverage-text.ts'
import type { JunitCase } from './junit.ts'

export interface JudgedComparison {
  readonly comparison: Comparison
  readonly broken: readonly FailIf[]
}

/** Heads of the columns that `comparisonCells` fills. */
const COMPARISON_HEADS = [
  'scenario',
  'metric',
  'n',
  'A',
  'B',
  'B − A',
  '95 % interval',
  'p',
  'Holm',
  'verdict',
  'MDE',
  'test',
] as const

/** One row of a table, by `COMPARISON_HEADS`. */
const comparisonCells = ({ comparison }: JudgedComparison): readonly string[] => {
  const { scenario, metric, lowerIsBetter, unranked, result, helmA, helmB } = comparison
  const arrow = lowerIsBetter === null ? '' : lowerIsBetter ? ' ↓' : ' ↑'
  const start = [scenario, `${metric}${arrow}`, count(comparison)]
  if (result === null) {
    const means = unranked === null ? [] : [unranked.meanA ?? helmA, unranked.meanB ?? helmB]
    const shown = [...start, ...means.map((mean) => (mean === null ? '–' : `~${formatValue(mean)}`))]
    return [...shown, ...COMPARISON_HEADS.slice(shown.length).map(() => '–')]
  }
  return [
    ...start,
    valueOrDash(result.meanA),
    valueOrDash(result.meanB),
    orDash(result.difference, formatDifference),
    spanText(result.interval, formatDifference),
    orDash(result.p, formatP),
    orDash(result.holm, formatP),
    verdictText(result),
    result.mde === null ? noMdeText(result) : formatValue(result.mde),
    TESTS[result.test],
  ]
}

type Table = readonly [heads: readonly string[], rows: readonly (readonly string[])[]]

export const comparisonRows = (judged: readonly JudgedComparison[]): Table => [
  COMPARISON_HEADS,
  toldApart(judged).map(comparisonCells),
]

/** Where there are runs of several models, a row says whose it is. */
export const rowsOfModels = (judged: readonly JudgedComparison[]): Table => [
  ['model', ...COMPARISON_HEADS],
  toldApart(judged).map((each) => [each.comparison.deploymentB, ...comparisonCells(each)]),
]

/** Rows of one name, as of a benchmark that two suites hold with other instances, say whose they are. */
const toldApart = (judged: readonly JudgedComparison[]): readonly JudgedComparison[] => {
  const alike = groupBy(judged, ({ comparison }) =>
    JSON.stringify([comparison.deploymentB, comparison.scenario, comparison.metric]),
  )
  const suitesOf = (own: readonly JudgedComparison[]) =>
    new Set(own.map(({ comparison }) => comparison.suite))
  const twins = new Set([...alike.values()].filter((own) => suitesOf(own).size > 1).flat())
  return judged.map((each) => {
    const { suite, scenario } = each.comparison
    return twins.has(each)
      ? { ...each, comparison: { ...each.comparison, scenario: `${scenario} (${suite})` } }
      : each
  })
}

const TESTS: Readonly<Record<PairTest, string>> = {
  'mid-p': 'McNemar mid-p, Tango',
  t: 't, CR2',
  Gaffke: 'Gaffke',
  bounds: 'bounds, Imbens-Manski',
  none: '–',
}

/** What p, adjusted over the rows, lets one say. */
const verdictText = (result: ComparisonResult): string => {
  const verdict = verdictOf(result)
  return `${VERDICTS[verdict]}${result.isBorderline && verdict !== 'not tested' ? ', borderline' : ''}`
}

const VERDICTS: Readonly<Record<SideVerdict, string>> = {
  more: 'B above',
  less: 'B below',
  'no difference': 'no difference found',
  inconclusive: 'inconclusive',
  'not tested': 'not tested',
}

const noMdeText = ({ plan, reason }: ComparisonResult): string =>
  plan === null ? reason || '–' : 'none at this n'

/** `120`, `120 in 40` sources, `118 of 120` where values are missing, `118 (2|1 unpaired)`. */
const count = ({ result, unranked, unpairedA, unpairedB }: Comparison): string => {
  const n = result?.common ?? unranked?.n ?? 0
  const of = result === null || result.n === n ? '' : ` of ${result.n}`
  const sources = result === null || result.sources === n ? '' : ` in ${result.sources}`
  const unpaired = unpairedA + unpairedB === 0 ? '' : ` (${unpairedA}|${unpairedB} unpaired)`
  return `${n}${of}${sources}${unpaired}`
}

/** What the columns mean; below every table. */
export const COMPARISON_NOTE =
  'On the instances that both have a value of; where one has none, interval and p hold whatever it would have been, and no difference is where both lack it by the same replies. MDE: the true difference that a rerun of this size shows in 80 % of cases. Holm: p adjusted for all rows.'

/** What is missing in each comparison, and what HELM makes of it. */
export const missingLines = (judged: readonly JudgedComparison[]): readonly string[] =>
  judged.flatMap(({ comparison }) => {
    const { scenario, metric, runB, lostA, lostB, helmA, helmB, causesA, causesB, result } = comparison
    if (result === null || lostA + lostB === 0) return []
    const bounds =
      result.bounds === null ? '' : `, B − A of all lies in ${spanText(result.bounds, formatDifference)}`
    const strict =
      result.strict === null || result.strict.p === null
        ? ''
        : `; on common instances alone ${spanText(result.strict.interval, formatDifference)}, p ${formatP(result.strict.p)}`
    const helm = `; HELM's means, defaults included: A ${valueOrDash(helmA)}, B ${valueOrDash(helmB)}`
    return [
      `missing: ${scenario}, ${metric} of ${runB}: A lacks ${lostA}${whyText(causesA)}, B ${lostB}${whyText(causesB)} of ${result.n}${bounds}${strict}${helm}`,
    ]
  })

/** ` (6 unreadable judgements)`; empty without a cause. */
const whyText = (causes: Causes): string => {
  const text = causesText(causes)
  return text === '' ? '' : ` (${text})`
}

/** The greatest falls from A to B beside the means, which say nothing of rare ones. */
export const fallLines = (judged: readonly JudgedComparison[]): readonly string[] =>
  judged.flatMap(({ comparison: { scenario, metric, runB, largestFalls } }) =>
    largestFalls.length === 0
      ? []
      : [
          `largest falls of single instances, A to B: ${scenario}, ${metric} of ${runB}: ${largestFalls.map(formatValue).join(', ')}`,
        ],
  )

/** One line for each comparison that decides nothing, as too much of a side is missing. */
export const unrankedLines = (judged: readonly JudgedComparison[]): readonly string[] =>
  judged.flatMap(({ comparison: { scenario, metric, runB, causesA, causesB, unranked } }) => {
    if (unranked === null) return []
    const { a, b } = unranked
    const sides = [
      ...(a === null ? [] : [`A: ${underFloorText(a)}${whyText(causesA)}`]),
      ...(b === null ? [] : [`B: ${underFloorText(b)}${whyText(causesB)}`]),
    ]
    return [`not compared: ${scenario}, ${metric} of ${runB}: ${sides.join('; ')}`]
  })

export const brokenLines = (judged: readonly JudgedComparison[]): readonly string[] =>
  judged.flatMap(({ comparison, broken }) =>
    broken.map(({ text }) => {
      const { scenario, metric, runB, result } = comparison
      const moved = result?.difference == null ? '' : `: ${formatDifference(result.difference)}`
      return `regression: ${scenario}, ${metric}${moved}, p ${orDash(result?.p ?? null, formatP)} (${text}) in ${runB}`
    }),
  )

/** Comparisons as a CI server's tests: one a row, failed where a clause holds. */
export const comparisonCases = (judged: readonly JudgedComparison[]): readonly JunitCase[] =>
  judged.map((each) => {
    const { comparison, broken } = each
    const { suite, benchmark, runB, metric, result, unranked } = comparison
    const cells = comparisonCells(each)
    const base = {
      suite: `${suite}.${benchmark}`,
      name: `${runB} ${metric}`,
      output: COMPARISON_HEADS.map((head, column) => `${head}: ${cells[column] ?? ''}`).join('\n'),
    }
    if (broken.length > 0)
      return { ...base, outcome: { kind: 'failure', message: broken.map(({ text }) => text).join('; ') } }
    if (unranked !== null)
      return { ...base, outcome: { kind: 'error', message: unrankedLines([each]).join('; ') } }
    if (result === null) return { ...base, outcome: { kind: 'skipped', message: 'no instance is shared' } }
    return base
  })
