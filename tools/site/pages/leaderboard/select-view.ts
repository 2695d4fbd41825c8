import { isHidden, MODEL, sortOf, type LeaderboardState, type Sort } from './state.ts'
import type { ColumnView, LeaderboardView, RowView } from './view.ts'

/** What a state shows of a table. A value that the table does not have shows all: addresses may be older than it. */
export const selectView = (view: LeaderboardView, state: LeaderboardState): LeaderboardView => {
  const columns = view.columns.flatMap((column, index) => (isColumnIn(view, column, state) ? [index] : []))
  return {
    ...view,
    columns: columns.flatMap((index) => view.columns[index] ?? []),
    rows: sortRows(view, sortOf(state))
      .filter(
        (row) =>
          matches(state.creator, creators(view), (value) => row.creator === value) &&
          matches(state.weights, weights(view), (value) => row.weights === value),
      )
      .map((row) => ({ ...row, cells: columns.flatMap((index) => row.cells[index] ?? []) })),
  }
}

const matches = (value: string, known: readonly string[], is: (value: string) => boolean): boolean =>
  value === 'all' || !known.includes(value) || is(value)

const isColumnIn = (
  view: LeaderboardView,
  { key, benchmark }: ColumnView,
  state: LeaderboardState,
): boolean =>
  benchmark === undefined
    ? !isHidden(state, key)
    : matches(
        state.category,
        categories(view).flatMap(({ name, subcategories }) => [
          name,
          ...subcategories.map((each) => `${name}/${each}`),
        ]),
        (value) => value === benchmark.category || value === `${benchmark.category}/${benchmark.subcategory}`,
      ) && matches(state.access, accesses(view), (value) => benchmark.access === value)

const unique = (values: readonly string[]): readonly string[] =>
  [...new Set(values)].filter((value) => value !== '')

export const creators = ({ rows }: LeaderboardView): readonly string[] =>
  unique(rows.map(({ creator }) => creator)).toSorted((a, b) => a.localeCompare(b, 'en'))

export const weights = ({ rows }: LeaderboardView): readonly string[] =>
  unique(rows.map((row) => row.weights)).toSorted((a, b) => a.localeCompare(b, 'en'))

export const accesses = ({ columns }: LeaderboardView): readonly string[] =>
  unique(columns.map(({ benchmark }) => benchmark?.access ?? ''))

/** Categories and their subcategories, in the columns' order. */
export const categories = ({
  columns,
}: LeaderboardView): readonly { readonly name: string; readonly subcategories: readonly string[] }[] =>
  unique(columns.map(({ benchmark }) => benchmark?.category ?? '')).map((name) => ({
    name,
    subcategories: unique(
      columns.map(({ benchmark }) => (benchmark?.category === name ? benchmark.subcategory : '')),
    ),
  }))

/** The order that a click on a header asks for: the column's better end first, then the other way round. */
export const nextSort = ({ columns }: LeaderboardView, key: string, current: Sort | undefined): Sort => {
  if (current?.key === key)
    return { key, direction: current.direction === 'ascending' ? 'descending' : 'ascending' }
  const ascending = key === MODEL || columns.find((column) => column.key === key)?.better === 'lower'
  return { key, direction: ascending ? 'ascending' : 'descending' }
}

/** Rows in a sort's order; equal ones stay in the board's, missing values are last in both directions. */
export const sortRows = (view: LeaderboardView, sort: Sort | undefined): readonly RowView[] => {
  if (sort === undefined) return view.rows
  const sign = sort.direction === 'ascending' ? 1 : -1
  if (sort.key === MODEL)
    return view.rows.toSorted((a, b) => sign * a.label.localeCompare(b.label, 'en', { numeric: true }))
  const column = view.columns.findIndex(({ key }) => key === sort.key)
  const value = (row: RowView): number | null => row.cells[column]?.sort ?? null
  return view.rows.toSorted((a, b) => compareScores(value(a), value(b), sign))
}

const compareScores = (a: number | null, b: number | null, sign: 1 | -1): number => {
  if (a === null || b === null) return Number(a === null) - Number(b === null)
  return sign * (a - b)
}
