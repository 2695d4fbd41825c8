import { openRanks, type RankUncertainty } from '../../../../targets/board/board.ts'
import { formatValue } from '../../../../cache/words/number-text.ts'
import type { RankData } from './board/board-data.ts'

/** What is known of how sure a place is; 0 where nothing tells. @param told what of a number */
export const rankData = (rank: RankUncertainty | null, told = shown): RankData | 0 => {
  if (rank === null) return 0
  const ranks = openRanks(rank)
  const { winRate, winRateLikeThese: like, average } = rank
  const data = [
    told(winRate?.low),
    told(winRate?.high),
    ranks?.low ?? null,
    ranks?.high ?? null,
    told(average?.first),
    told(like?.low),
    told(like?.high),
    told(average?.interval?.low),
    told(average?.interval?.high),
  ] as const
  return rank.behind === undefined || rank.behind.length === 0 ? data : [...data, rank.behind]
}

/** Digits as they are shown. */
export const plain = (value: number): string => formatValue(value).replaceAll('−', '-')

/** What `formatValue` shows of it. */
export const shown = (value: number | null | undefined): number | null =>
  value == null ? null : Number(plain(value))
