import { openRanks, type Board, type BoardRow } from '../../../../targets/aggregate/board.ts'
import { formatValue, plural } from '../../format.ts'
import { visibleText } from '../../visible-text.ts'
import { rangeText } from './summary-columns.ts'

/** What a board is about and who leads it, and how sure that is. */
export const standfirst = (board: Board): string => {
  const size = `${plural(board.rows.length, 'model')} on ${plural(board.benchmarks.length, 'benchmark')}.`
  const best = board.rows.filter(({ place }) => place?.rank === 1)
  const [first] = best
  if (first === undefined || first.winRate === null) return `${size}${whyNone(board)}`
  const rate = formatValue(first.winRate)
  return best.length === 1
    ? `${size} ${visibleText(first.label)} has the best mean win rate, ${rate}${doubt(first)}.`
    : `${size} ${listed(best.map(({ label }) => visibleText(label)))} share the best mean win rate, ${rate}.`
}

const whyNone = ({ winRateColumns }: Board): string =>
  winRateColumns.length === 0
    ? ''
    : ` No model has a ranked score in ${winRateColumns.length === 1 ? 'the benchmark' : `all ${winRateColumns.length} benchmarks`} that win rates compare, so none leads.`

const doubt = ({ rank }: BoardRow): string => {
  const ranks = openRanks(rank)
  const places = ranks === undefined ? '1' : rangeText(ranks)
  return places === '1' ? '' : `; by average these benchmarks leave it ranks ${places}`
}

/** `a, b and c` */
const listed = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ')
