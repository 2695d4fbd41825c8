import { formatChance, listText } from '../../../../cache/words/number-text.ts'
import type { BoardView, RowView } from './board/board-view.ts'

/** Who may be the best, as far as the tests of the averages tell. */
export interface Tie {
  /** Ranked models that nobody is surely ahead of, the likeliest first. */
  readonly rows: readonly RowView[]
  readonly ranked: readonly RowView[]
  /** The others, the best win rate first: who leads what it was measured on is named, not counted. */
  readonly partial: readonly RowView[]
}

/** Models tied for first: in a board without tests, those that share the best win rate. */
export const tieOf = ({ all, hasRanks }: Pick<BoardView, 'all' | 'hasRanks'>): Tie => {
  const ranked = all.filter(({ place }) => place !== null)
  return {
    rows: ranked
      .filter(({ place, rank }) => (hasRanks ? rank?.low === 1 : place?.rank === 1))
      .toSorted((a, b) => (b.rank?.first ?? 0) - (a.rank?.first ?? 0)),
    ranked,
    partial: all
      .filter(({ place }) => place === null)
      .toSorted((a, b) => (b.winRate ?? -1) - (a.winRate ?? -1)),
  }
}

/** US dollars of a thousand answers; of all answers where their number is not known. */
export const costOf = ({ spent }: Pick<RowView, 'spent'>): number | null =>
  spent === 0 ? null : (spent[0] ?? spent[2])

export const latencyOf = ({ spent }: Pick<RowView, 'spent'>): number | null => (spent === 0 ? null : spent[1])

/** Whether costs are of a thousand answers, or of all. */
export const isPerThousand = ({ all }: Pick<BoardView, 'all'>): boolean =>
  all.some(({ spent }) => spent !== 0 && spent[0] !== null)

/** The row with the least of something, of those that have it. */
export const least = (
  rows: readonly RowView[],
  of: (row: RowView) => number | null,
): { readonly row: RowView; readonly value: number } | undefined =>
  rows
    .flatMap((row) => {
      const value = of(row)
      return value === null ? [] : [{ row, value }]
    })
    .toSorted((a, b) => a.value - b.value)[0]

/**
 * Whether they are tied for want of evidence alone: where a run has one instance, or one patient, nothing says how far its
 * score may be off, and no test tells anybody apart.
 */
export const isUntold = ({ oneSource }: Pick<BoardView, 'oneSource'>, rows: readonly RowView[]): boolean =>
  rows.length > 1 && oneSource.length > 0 && rows.every(({ rank }) => rank?.first == null)

/** Why. */
export const untoldText = ({ oneSource }: Pick<BoardView, 'oneSource'>): string =>
  `${listText(oneSource, 3)} ${oneSource.length === 1 ? 'has' : 'have'} one instance, or one patient`

export const chanceText = ({ rank }: Pick<RowView, 'rank'>): string =>
  rank?.first == null ? 'not known' : formatChance(rank.first)
