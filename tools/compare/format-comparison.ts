import type { WinDifference } from '../../targets/compare/win-difference.ts'
import {
  brokenLines,
  COMPARISON_NOTE,
  comparisonRows,
  fallLines,
  missingLines,
  rowsOfModels,
  unrankedLines,
  type JudgedComparison,
  comparisonCases,
} from './comparison-table.ts'
import type { OutputFormat } from './format.ts'
import { junitXml } from './junit.ts'
import { alignedTable, markdownTable } from '../../cache/words/tables.ts'
import { formatDifference, formatValue, spanText, plural } from '../../cache/words/number-text.ts'

/** Everything that `medmake compare A B` found. */
interface ModelComparison {
  readonly a: string
  readonly b: string
  readonly judged: readonly JudgedComparison[]
  readonly wins: WinDifference | undefined
  /** Runs compared, and those of which every instance has the same values on both sides. */
  readonly runs: number
  readonly sameRuns: number
}

export const formatComparison = (found: ModelComparison, format: OutputFormat): string => {
  const { a, b, judged, wins, runs, sameRuns } = found
  if (format === 'json')
    return JSON.stringify({
      a,
      b,
      comparisons: comparisonsJson(judged),
      winRate: wins ?? null,
      runs,
      sameRuns,
    })
  if (format === 'junit') return junitXml(`${a} against ${b}`, comparisonCases(judged)).trimEnd()
  const isText = format === 'text'
  const table = isText ? alignedTable : markdownTable
  // Two folders may hold runs of several models.
  const isOfModels = new Set(judged.map(({ comparison }) => comparison.deploymentB)).size > 1
  return [
    ...(isText ? [`A: ${a}`, `B: ${b}`] : [`**A** \`${a}\` · **B** \`${b}\``]),
    '',
    table(...(isOfModels ? rowsOfModels : comparisonRows)(judged)),
    '',
    ...winLines(wins),
    ...(sameRuns === 0 ? [] : [`Equal in the value of every instance: ${sameRuns} of ${runs} runs.`]),
    COMPARISON_NOTE,
    ...missingLines(judged),
    ...fallLines(judged),
    ...unrankedLines(judged),
    ...brokenLines(judged).flatMap((line) => (isText ? [line] : ['', `**${line}**`])),
  ].join('\n')
}

export const comparisonsJson = (judged: readonly JudgedComparison[]): readonly object[] =>
  judged.map(({ comparison, broken }) => ({ ...comparison, broken: broken.map(({ text }) => text) }))

const winLines = (wins: WinDifference | undefined): readonly string[] => {
  if (wins === undefined) return []
  const { winRateA, winRateB, difference, onThese, likeThese, benchmarks } = wins
  const further =
    likeThese === null ? '' : `; on benchmarks like these ${spanText(likeThese, formatDifference)}`
  return [
    `Win rate over ${plural(benchmarks, 'benchmark')}, on the instances that both have in full: A ${formatValue(winRateA)}, B ${formatValue(winRateB)}, B − A ${formatDifference(difference)} (95 % on these benchmarks: ${spanText(onThese, formatDifference)}${further}).`,
  ]
}
