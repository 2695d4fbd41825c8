import { rankModels } from '../compare/rank-models.ts'
import type { RankColumn } from '../compare/rank-column.ts'
import type { BoardColumn } from './board-columns.ts'
import type { Board, RankDoubt } from './board.ts'

/**
 * How sure the rows' places are, by row. Null for all where the values of a compared column are not at hand: doubt about
 * fewer columns would be doubt about another place.
 *
 * @param columns `boardColumns` of the board
 */
export const rankDoubts = (
  { benchmarks, rows, winRateColumns }: Board,
  columns: readonly (BoardColumn | undefined)[],
): readonly (RankDoubt | null)[] => {
  const compared = benchmarks.flatMap(({ name, mainMetric }, index): readonly (RankColumn | undefined)[] => {
    if (!winRateColumns.includes(name) || mainMetric.lowerIsBetter === undefined) return []
    const column = columns[index]
    const { lowerIsBetter, isBinary, range } = mainMetric
    return [column && { ...column, lowerIsBetter, isBinary, ...(range && { range }) }]
  })
  const known = compared.filter((column) => column !== undefined)
  if (known.length === 0 || known.length < compared.length) return rows.map(() => null)
  const names = rows.map(({ model }) => model.deployment)
  const { models, likeTheseReason } = rankModels(names, known)
  const byName = new Map(models.map((model) => [model.name, model]))
  return names.map((name) => {
    const model = byName.get(name)
    if (model === undefined) return null
    const { winRateOnThese, winRateLikeThese, average } = model
    return { winRate: winRateOnThese, winRateLikeThese, average, likeTheseReason }
  })
}
