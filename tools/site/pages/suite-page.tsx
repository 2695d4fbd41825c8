import type { ComponentChildren, JSX } from 'preact'
import { renderPage, type PageFrame } from '../emit/document.tsx'
import { rootOf, suitePath, type SuitePage } from '../paths.ts'
import type { SiteFile, SitePage, SiteView } from '../site-page.ts'
import type { SiteSuite } from '../site.ts'
import { visibleText } from '../visible-text.ts'

interface SuitePageParts extends Pick<PageFrame, 'script'> {
  readonly page: SuitePage
  readonly label: string
  /** False leaves the page out of the site; it is in unless told. */
  readonly isIn?: SitePage['isIn']
  /** Below the way to the other suites; `root` leads to the site's root. */
  readonly content: (suite: SiteSuite, root: '' | '../') => ComponentChildren
  /** What the page loads or leads to. */
  readonly more?: (suite: SiteSuite, site: SiteView) => readonly SiteFile[]
}

/** A page that each suite has one of; the first suite's stands at the site's root. */
export const suitePage = ({ page, label, isIn, content, more, ...frame }: SuitePageParts): SitePage => {
  const here = `${page}.html`
  return {
    label,
    path: here,
    isIn: isIn ?? (() => true),
    files: (site) =>
      site.suites.flatMap((suite) => {
        const path = suitePath(page, site.suites, suite.board.suite)
        const root = rootOf(path)
        const children = (
          <>
            <SuiteSwitch page={page} suites={site.suites} suite={suite.board.suite} />
            {content(suite, root)}
          </>
        )
        const title = `${label}: ${suite.board.suite}`
        const { navigation } = site
        return [
          { path, text: renderPage({ ...frame, title, root, navigation, here, trail: [], children }) },
          ...(more?.(suite, site) ?? []),
        ]
      }),
  }
}

interface SuiteSwitchProps {
  readonly page: SuitePage
  readonly suites: readonly SiteSuite[]
  /** The suite that is shown. */
  readonly suite: string
}

/** The same page of the other suites; nothing where there is one suite. */
const SuiteSwitch = ({ page, suites, suite }: SuiteSwitchProps): JSX.Element | null =>
  suites.length < 2 ? null : (
    <nav aria-label="Suites" class="suites">
      <ul class="pages">
        {suites.map(({ board }) => (
          <li key={board.suite}>
            <a
              href={rootOf(suitePath(page, suites, suite)) + suitePath(page, suites, board.suite)}
              aria-current={board.suite === suite ? 'page' : undefined}
            >
              {visibleText(board.suite)}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  )
