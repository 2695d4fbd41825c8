import { startLeaderboard } from '../pages/leaderboard/app.tsx'
import { startCompare } from '../pages/compare/app.tsx'
import { startInstances } from '../pages/run/app.tsx'
import { receiveChunks } from './chunks.ts'
import { offerDownloads } from './downloads.ts'
import { followSkipLink } from './skip-link.ts'
import type { StartApp } from './start-app.ts'

/** What `data-app` names. Without this script every page can be read but for the instances. */
const APPS: Readonly<Record<string, StartApp>> = {
  leaderboard: startLeaderboard,
  instances: startInstances,
  compare: startCompare,
}

receiveChunks()
followSkipLink()
offerDownloads()
for (const root of document.querySelectorAll<HTMLElement>('[data-app]'))
  Promise.resolve(APPS[root.dataset['app'] ?? '']?.(root)).catch((error: unknown) => console.error(error))
