import type { Analysis } from '../../targets/analysis/analysis.ts'
import { csvText } from '../../cache/words/csv-text.ts'
import { fixed } from '../../cache/words/number-text.ts'
import { alignedTable } from '../../cache/words/tables.ts'
import { latexOf } from '../site/downloads/table-files.ts'
import { gridOf, TABLES, type Grid, type TableName } from './tables.ts'

const shown =
  (digits: number) =>
  (cell: string | number | null): string => {
    if (cell === null) return '–'
    return typeof cell === 'string' ? cell : fixed(cell, digits)
  }

const text = ({ caption, heads, rows }: Grid): string =>
  `${caption}\n\n${alignedTable(
    heads,
    rows.map((row) => row.map(shown(3))),
  )}`

/** Wide ones are left to `--table`. */
const IN_FULL: ReadonlySet<TableName> = new Set(['standings', 'categories', 'mde', 'gaps'])

/** @param table only this one */
export const formatAnalysis = (analysis: Analysis, table: TableName | undefined): string => {
  const wanted = TABLES.filter((each) => (table === undefined ? IN_FULL.has(each) : each === table))
  const grids = wanted
    .map((each) => gridOf(analysis, each))
    .filter(({ heads, rows }) => rows.length > 0 && heads.length > 1)
  return [
    analysis.name,
    ...grids.map(text),
    ...(grids.length > 0 ? [] : [`There is nothing to show as ${wanted.join(', ')}.`]),
    ...(analysis.winRateGap === null
      ? []
      : [`Its own win rates are at most ${analysis.winRateGap.toFixed(4)} away from these.`]),
    ...analysisNotes(analysis, table),
  ].join('\n\n')
}

/** What is not in the tables, and why. @param table only this one is shown */
export const analysisNotes = (analysis: Analysis, table: TableName | undefined): readonly string[] => {
  const { undetectable, unscaled, unshared } = analysis
  const without = (what: 'scale' | 'pairs'): readonly string[] =>
    table === undefined || table === 'mde'
      ? (undetectable ?? []).flatMap(({ benchmark, lacks }) => (lacks === what ? [benchmark] : []))
      : []
  return [
    ...partialNote(analysis),
    ...naming('In no mean, as fewer than two models have a ranked score', unshared),
    ...naming(
      'In win rates only, as nobody says what is better or what their scores can be, or some lie beyond',
      unscaled,
    ),
    ...naming('Without an MDE, as their scales have no ends', without('scale')),
    ...naming('Without an MDE, as no two models share instances', without('pairs')),
  ]
}

const naming = (what: string, benchmarks: readonly string[]): readonly string[] =>
  benchmarks.length === 0 ? [] : [`${what}: ${benchmarks.join(', ')}.`]

const partialNote = ({ standings }: Analysis): readonly string[] => {
  const most = Math.max(0, ...standings.map(({ winRateBenchmarks }) => winRateBenchmarks))
  const partial = standings.filter(
    ({ winRate, winRateBenchmarks }) => winRate !== null && winRateBenchmarks < most,
  )
  const named = partial.map(({ model, winRateBenchmarks }) => `${model} (${winRateBenchmarks} of ${most})`)
  return partial.length === 0 ? [] : [`Last, as ranked scores are missing: ${named.join(', ')}.`]
}

/** Every digit: for further analysis. */
export const csvAnalysis = (analysis: Analysis, table: TableName): string => {
  const { heads, rows } = gridOf(analysis, table)
  return csvText(heads, rows)
}

/** Two digits, as the paper prints. */
export const latexAnalysis = (analysis: Analysis, table: TableName): string => {
  const { caption, heads, rows } = gridOf(analysis, table)
  return latexOf({ name: caption, head: heads, rows: rows.map((row) => row.map(shown(2))) })
}
