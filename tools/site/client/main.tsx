import { render } from 'preact'
import type { LeaderboardView } from '../pages/leaderboard/view.ts'
import { loadChunk, receiveChunks } from './chunks.ts'
import { InstancesApp } from '../pages/run/app.tsx'
import { LeaderboardApp } from '../pages/leaderboard/app.tsx'

/** Brings the page's tables to life. Without this script every page can be read but for the instances. */
const start = (root: HTMLElement): void => {
  const { app, chunk = '', base = '', pages = '0', main = '' } = root.dataset
  if (app === 'leaderboard')
    loadChunk('data/', chunk).then(
      (view) => render(<LeaderboardApp view={view as LeaderboardView} />, root),
      () => undefined,
    )
  if (app === 'instances') {
    root.replaceChildren()
    render(
      <InstancesApp pages={Number(pages)} mainMetric={main} load={(key) => loadChunk(base, key)} />,
      root,
    )
  }
}

receiveChunks()
for (const root of document.querySelectorAll<HTMLElement>('[data-app]')) start(root)
