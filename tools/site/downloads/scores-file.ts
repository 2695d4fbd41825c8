import { isRanked, isThere, scoredOf, type BoardCell } from '../../../targets/board/board-cell.ts'
import { placeText } from '../../../targets/compare/ranks/rank-place.ts'
import { usdPerThousand } from '../../../targets/board/board-cost.ts'
import { openRanks } from '../../../targets/board/board-ranks.ts'
import type { Board, BoardRow } from '../../../targets/board/board.ts'
import type { Interval } from '../../../targets/statistics/intervals/wilson.ts'
import { incompleteText } from '../../compare/coverage-text.ts'
import { formatCost, formatSeconds, formatValue, rangeText } from '../../../cache/words/number-text.ts'
import { visibleText } from '../visible-text.ts'
import type { ShownTable } from './shown-table.ts'

const HEAD = [
  'suite',
  'model',
  'deployment',
  'benchmark',
  'benchmark_name',
  'category',
  'subcategory',
  'access',
  'metric',
  'value',
  'score',
  'low',
  'high',
  'interval',
  'n',
  'requests',
  'measured',
  'ranked',
  'place',
  'groups',
  'note',
  'runs',
] as const

/** A row a model and benchmark that was run, all digits: `value` as HELM forms it, `score` what places go by. */
export const scoresTable = (board: Board): ShownTable => ({
  name: `Scores of ${board.suite}`,
  head: HEAD,
  rows: board.rows.flatMap((row) =>
    board.benchmarks.flatMap((benchmark, at) => {
      const cell = row.cells[at]
      if (cell === undefined || !isThere(cell)) return []
      return [
        [
          board.suite,
          visibleText(row.label),
          row.model.deployment,
          benchmark.name,
          visibleText(benchmark.displayName),
          visibleText(benchmark.category ?? ''),
          visibleText(benchmark.subcategory ?? ''),
          benchmark.access,
          benchmark.mainMetric.name,
          ...numbersOf(cell),
          cell.groups,
          incompleteText(cell),
          cell.runs.join(' '),
        ],
      ]
    }),
  ),
})

const numbersOf = (cell: BoardCell): readonly (string | number | null)[] => [
  cell.value,
  cell.score,
  cell.interval?.low ?? null,
  cell.interval?.high ?? null,
  cell.intervalMethod,
  scoredOf(cell),
  cell.evaluated,
  cell.measured,
  isRanked(cell) ? 'yes' : 'no',
  cell.place === null ? null : cell.place.rank,
]

/** The standings with the digits that a paper prints. */
export const standingsTable = ({ suite, rows }: Board): ShownTable => ({
  name: `Standings on ${suite}`,
  head: ['Place', 'Model', 'Win rate', '95 %', 'Average', '95 %', 'Ranks', '$ per 1,000', 'Latency'],
  rows: rows.map((row) => [
    row.place === null ? null : placeText(row.place),
    visibleText(row.label),
    row.winRate === null ? null : formatValue(row.winRate),
    intervalOf(row.rank?.winRate),
    row.average === null ? null : formatValue(row.average),
    intervalOf(row.averageInterval),
    ranksOf(row),
    costOf(row),
    row.spent?.latency == null ? null : formatSeconds(row.spent.latency),
  ]),
})

const intervalOf = (interval: Interval | null | undefined): string | null =>
  interval == null ? null : `${formatValue(interval.low)}–${formatValue(interval.high)}`

const ranksOf = ({ rank, place }: BoardRow): string | null => {
  const ranks = openRanks(rank)
  return ranks === undefined || place === null ? null : rangeText(ranks)
}

const costOf = ({ spent }: BoardRow): string | null => {
  const usd = spent === null ? null : usdPerThousand(spent)
  return usd === null ? null : formatCost(usd)
}
