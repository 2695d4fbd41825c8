import type { Sort } from './leaderboard-table.tsx'
import type { LeaderboardView, RowView } from './view.ts'

/** The order that a click on a header asks for: the column's better end first, then the other way round. */
export const nextSort = (view: LeaderboardView, column: Sort['column'], current: Sort | undefined): Sort => {
  if (current?.column === column)
    return { column, direction: current.direction === 'ascending' ? 'descending' : 'ascending' }
  const ascending = column === 'model' || view.columns[column]?.better === 'lower'
  return { column, direction: ascending ? 'ascending' : 'descending' }
}

/** Rows in a sort's order; equal ones stay in the board's, missing values are last in both directions. */
export const sortRows = (view: LeaderboardView, sort: Sort | undefined): readonly RowView[] => {
  if (sort === undefined) return view.rows
  const sign = sort.direction === 'ascending' ? 1 : -1
  const { column } = sort
  if (column === 'model')
    return [...view.rows].sort((a, b) => sign * a.label.localeCompare(b.label, 'en', { numeric: true }))
  const value = (row: RowView): number | null => row.cells[column]?.sort ?? null
  return [...view.rows].sort((a, b) => compareScores(value(a), value(b), sign))
}

const compareScores = (a: number | null, b: number | null, sign: 1 | -1): number => {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return sign * (a - b)
}
