import type { Board, BoardRow, Spent } from '../../../../targets/aggregate/board.ts'
import { formatCost, formatRange, formatSeconds, formatTokens, formatValue } from '../../format.ts'
import type { CellView, ColumnView } from './view.ts'

interface SummaryColumn {
  readonly column: ColumnView
  readonly cell: (row: BoardRow) => CellView
}

/** Columns over all benchmarks: what there is of win rate, average, cost, tokens and time. */
export const summaryColumns = (board: Board): readonly SummaryColumn[] => [
  ...(board.winRateColumns.length === 0 ? [] : [winRateColumn(board.winRateColumns.length)]),
  // A mean over fewer than two columns says nothing that the columns do not.
  ...(board.macroColumns.length < 2 ? [] : [averageColumn(board.macroColumns.length)]),
  ...spentColumns(board),
]

const NOTHING: CellView = { sort: null, text: '–' }

const winRateColumn = (columns: number): SummaryColumn => ({
  column: { key: 'win-rate', label: 'Win rate', metric: 'mean', better: 'higher' },
  cell: ({ winRate, winRateColumns, rank }) =>
    winRate === null
      ? NOTHING
      : {
          sort: winRate,
          text: formatValue(winRate),
          ...(rank?.winRate == null ? {} : { range: formatRange(rank.winRate) }),
          ...(winRateColumns === columns ? {} : { warning: `${winRateColumns} of ${columns} benchmarks` }),
        },
})

const averageColumn = (columns: number): SummaryColumn => ({
  column: { key: 'average', label: 'Average', metric: `of ${columns} shares`, better: 'higher' },
  cell: ({ macroAverage }) =>
    macroAverage === null ? NOTHING : { sort: macroAverage, text: formatValue(macroAverage) },
})

const spentColumns = ({ rows }: Board): readonly SummaryColumn[] => {
  const spent = rows.flatMap((row) => row.spent ?? [])
  const columns: SummaryColumn[] = []
  if (spent.some(({ usd }) => usd !== null && usd > 0))
    columns.push(spentColumn('cost', 'Cost', 'US dollars', ({ usd }) => [usd, formatCost]))
  if (spent.some((each) => tokensOf(each) > 0))
    columns.push({
      column: { key: 'tokens', label: 'Tokens', metric: 'read + written', better: 'lower' },
      cell: ({ spent: own }) =>
        own === null
          ? NOTHING
          : {
              sort: tokensOf(own),
              text: formatTokens(tokensOf(own)),
              base: `${formatTokens(own.inputTokens)} + ${formatTokens(own.outputTokens)}`,
            },
    })
  if (spent.some(({ latency }) => latency !== null))
    columns.push(
      spentColumn('latency', 'Latency', 'mean of calls', ({ latency }) => [latency, formatSeconds]),
    )
  return columns
}

const tokensOf = ({ inputTokens, outputTokens }: Spent): number => inputTokens + outputTokens

const spentColumn = (
  key: string,
  label: string,
  metric: string,
  read: (spent: Spent) => readonly [value: number | null, format: (value: number) => string],
): SummaryColumn => ({
  column: { key, label, metric, better: 'lower' },
  cell: ({ spent }) => {
    if (spent === null) return NOTHING
    const [value, format] = read(spent)
    return value === null ? NOTHING : { sort: value, text: format(value) }
  },
})

/** `1–4`, or `1` where both ends are the same. Ends are whole places. */
export const rangeText = ({ low, high }: { readonly low: number; readonly high: number }): string => {
  const [first, last] = [Math.floor(low), Math.ceil(high)]
  return first === last ? String(first) : `${first}–${last}`
}
