import { openRanks } from '../../../../targets/board/board-ranks.ts'
import { usdPerThousand } from '../../../../targets/board/board-cost.ts'
import type { RankUncertainty, Spent } from '../../../../targets/board/board.ts'
import type { Interval } from '../../../../targets/statistics/intervals/wilson.ts'
import { formatValue } from '../../../../cache/words/number-text.ts'
import type { RankData, SpentData, TaskData } from './board/board-data.ts'

/** What is known of how sure a place is; 0 where nothing tells. @param told what of a number */
export const rankData = (rank: RankUncertainty | null, told = nearly): RankData | 0 => {
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
  ] as const
  return rank.behind === undefined || rank.behind.length === 0 ? data : [...data, rank.behind]
}

/** How sure a task's averages and places are. @param places of the benchmarks, by name @param told what of a number */
export const doubtData = (
  ranks: readonly (RankUncertainty | null)[],
  averages: readonly (Interval | null)[],
  places: ReadonlyMap<string, number>,
  told = nearly,
): Pick<TaskData, 'ranks' | 'averages' | 'oneSource' | 'unshared'> => {
  const { oneSource = [], unshared = [] } = ranks.find((rank) => rank !== null)?.untold ?? {}
  const placesOf = (names: readonly string[]): readonly number[] =>
    names.flatMap((name) => places.get(name) ?? [])
  return {
    ranks: ranks.map((rank) => rankData(rank, told)),
    ...(averages.some((interval) => interval !== null) && {
      averages: averages.map((interval) =>
        interval === null ? 0 : ([told(interval.low), told(interval.high)] as const),
      ),
    }),
    ...(oneSource.length > 0 && { oneSource: placesOf(oneSource) }),
    ...(unshared.length > 0 && { unshared: placesOf(unshared) }),
  }
}

/** Digits as they are shown. */
export const plain = (value: number): string => formatValue(value).replaceAll('−', '-')

/** What `formatValue` shows of it. */
export const shown = (value: number | null | undefined): number | null =>
  value == null ? null : Number(plain(value))

/** Six digits: what is shown of these is what is shown of the number, be it two or three of them. */
export const nearly = (value: number | null | undefined): number | null =>
  value == null ? null : Number(value.toPrecision(6))

/** 0 where nobody tells. */
export const spentData = (spent: Spent | null): SpentData | 0 =>
  spent === null
    ? 0
    : [usdPerThousand(spent), spent.latency, spent.usd, spent.inputTokens, spent.outputTokens, spent.calls]
