import { meetsLimits } from '../limits.ts'
import { costOf, latencyOf } from '../tie.ts'
import { sortOf, type LeaderboardState } from '../state.ts'
import type { CategoryView, RowView } from './board-view.ts'

type ShownCategory = Pick<CategoryView, 'name' | 'columns'>

/** What the search and the limits leave; pinned ones stay. */
export const matching =
  (state: LeaderboardState) =>
  (row: RowView): boolean =>
    row.isPinned ||
    (`${row.label} ${row.key}`.toLowerCase().includes(state.q.trim().toLowerCase()) &&
      (state.creator === '' || row.creator === state.creator) &&
      meetsLimits(row, state))

/** Pinned ones first; missing values last in both directions, equal ones by place. */
export const sortedRows = (
  rows: readonly RowView[],
  categories: readonly ShownCategory[],
  state: LeaderboardState,
): readonly RowView[] => {
  const sort = sortOf(state)
  const pinned = (a: RowView, b: RowView): number => Number(b.isPinned) - Number(a.isPinned)
  if (sort === undefined) return rows.toSorted(pinned)
  const sign = sort.direction === 'ascending' ? 1 : -1
  if (sort.key === 'model')
    return rows.toSorted(
      (a, b) => pinned(a, b) || sign * a.label.localeCompare(b.label, 'en', { numeric: true }),
    )
  const valueOf = sortValue(sort.key, categories)
  return rows.toSorted((a, b) => {
    const [one, other] = [valueOf(a), valueOf(b)]
    if (one === null || other === null) return pinned(a, b) || Number(one === null) - Number(other === null)
    return pinned(a, b) || sign * (one - other)
  })
}

const sortValue = (key: string, categories: readonly ShownCategory[]): ((row: RowView) => number | null) => {
  if (key === 'win') return ({ winRate }) => winRate
  if (key === 'average') return ({ average }) => average.mean
  if (key === 'cost') return costOf
  if (key === 'latency') return latencyOf
  if (key === 'failed') return ({ failed }) => failed
  const name = key.replace(/^(?:category|benchmark):/, '')
  const at = categories.findIndex((category) => key === `category:${category.name}`)
  if (at >= 0) return ({ scores }) => scores[at]?.mean ?? null
  const column = categories.flatMap(({ columns }) => columns).find((each) => each.key === name)
  // As places go; of what has no place by what is shown.
  return ({ cells }) =>
    column === undefined ? null : (cells[column.index]?.score ?? cells[column.index]?.value ?? null)
}
