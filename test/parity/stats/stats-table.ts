import { alignedTable } from '../../../cache/words/tables.ts'
import type { FileParity, StatsRow } from './compare-stats.ts'

const HEADS = ['run', '', 'stats', 'per instance', 'not computed']

export const isAlike = ({ difference }: StatsRow): boolean => difference === undefined

/** A table a folder, a row a run; a row that differs says how below the table. */
export const statsTable = (rows: readonly StatsRow[]): string =>
  [...new Set(rows.map(({ source }) => source))]
    .map((source) => {
      const own = rows.filter((row) => row.source === source)
      const differences = own.flatMap(({ label, difference }) =>
        difference === undefined ? [] : [`≠ ${label}: ${difference}\n`],
      )
      return `${source}\n${alignedTable(HEADS, own.map(cellsOf))}\n${differences.join('')}`
    })
    .join('\n')

const cellsOf = (row: StatsRow): readonly string[] => [
  row.label,
  row.files === undefined ? '–' : isAlike(row) ? '=' : '≠',
  countOf(row.files?.stats),
  countOf(row.files?.perInstance),
  row.notComputed.join('; '),
]

const countOf = (parity: FileParity | undefined): string =>
  parity === undefined ? '' : `${parity.equal}/${parity.compared}`

/** What was compared, in a sentence; nothing left out is hidden. */
export const statsSummary = (rows: readonly StatsRow[]): string => {
  const compared = rows.filter(({ files }) => files !== undefined)
  const different = compared.filter((row) => !isAlike(row)).length
  const left = rows.length - compared.length
  const parts = compared.filter(({ notComputed }) => notComputed.length > 0).length
  return [
    different === 0
      ? `${compared.length} runs recomputed from their completions and annotations: all stats equal HELM's, byte for byte.`
      : `${different} of ${compared.length} recomputed runs differ.`,
    ...(parts > 0 ? [`Runs with stats that are not computed here: ${parts}.`] : []),
    ...(left > 0 ? [`Runs that could not be recomputed: ${left}.`] : []),
    'Taken as HELM saved them: measured times and the token counts of prompts.',
  ].join(' ')
}
