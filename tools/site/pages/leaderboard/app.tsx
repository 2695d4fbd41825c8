import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { Leaderboard, type Sort } from './leaderboard-table.tsx'
import type { LeaderboardView } from './view.ts'
import { nextSort, sortRows } from './sort-rows.ts'

/** The leaderboard with headers that sort. */
export const LeaderboardApp = ({ view }: { readonly view: LeaderboardView }): JSX.Element => {
  const [sort, setSort] = useState<Sort | undefined>()
  return (
    <Leaderboard
      view={{ ...view, rows: sortRows(view, sort) }}
      sort={sort}
      onSort={(column) => setSort((current) => nextSort(view, column, current))}
    />
  )
}
