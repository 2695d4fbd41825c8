import type { NavigationEntry, SitePage } from '../site-page.ts'
import type { SiteSuite } from '../site.ts'
import { comparePage } from './compare/page.tsx'
import { figuresPage } from './figures/page.tsx'
import { judgesPage } from './judges/page.tsx'
import { leaderboardPage } from './leaderboard/page.tsx'
import { modelsPage } from './models/page.tsx'
import { releasesPage } from './releases/page.tsx'
import { releasePage } from './release/page.tsx'
import { taxonomyPage } from './taxonomy/page.tsx'

/** The pages that the header names, in its order. */
export const PAGES: readonly SitePage[] = [
  leaderboardPage,
  figuresPage,
  modelsPage,
  comparePage,
  judgesPage,
  taxonomyPage,
  releasesPage,
  releasePage,
]

/** The header's entries: only of pages that this site has. */
export const navigationOf = (suites: readonly SiteSuite[]): readonly NavigationEntry[] =>
  PAGES.filter(({ isIn }) => isIn(suites)).map(({ label, path }) => ({ label, path }))
