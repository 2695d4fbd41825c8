import { render } from 'preact'
import { loadChunk } from '../../client/chunks.ts'
import type { StartApp } from '../../client/start-app.ts'
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

/** Makes the table on the page sortable. Where its data can't be loaded it stays as it is. */
export const startLeaderboard: StartApp = async (root) => {
  const { folder = '', chunk = '' } = root.dataset
  const view = (await loadChunk(folder, chunk)) as LeaderboardView
  render(<LeaderboardApp view={view} />, root)
}
