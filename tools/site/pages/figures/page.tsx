import { SuiteSwitch } from '../../components/suite-switch.tsx'
import { renderPage } from '../../emit/document.tsx'
import { rootOf, suitePath } from '../../paths.ts'
import type { SitePage, SiteView } from '../../site-page.ts'
import type { SiteSuite } from '../../site.ts'
import { visibleText } from '../../visible-text.ts'
import { categoryDots } from './category-dots.tsx'
import { costScatter } from './cost-scatter.tsx'
import { Figure } from './figure.tsx'
import { rankIntervals } from './rank-intervals.tsx'
import { scoreHeatmap } from './score-heatmap.tsx'

/** figures.html and, where there are several suites, figures/….html: what a board shows, drawn. Needs no script. */
export const figuresPage: SitePage = {
  label: 'Figures',
  path: 'figures.html',
  isIn: () => true,
  files: (site) =>
    site.suites.map((suite) => ({
      path: suitePath('figures', site.suites, suite.board.suite),
      text: figuresOf(suite, site),
    })),
}

const figuresOf = ({ board }: SiteSuite, { suites, navigation }: SiteView): string => {
  const figures = [scoreHeatmap(board), categoryDots(board), costScatter(board), rankIntervals(board)]
  const path = suitePath('figures', suites, board.suite)
  return renderPage({
    title: `Figures: ${board.suite}`,
    root: rootOf(path),
    navigation,
    here: figuresPage.path,
    trail: [],
    children: (
      <>
        <SuiteSwitch page="figures" suites={suites} suite={board.suite} />
        <h1>{visibleText(board.suite)}, in figures</h1>
        <nav aria-label="Figures" class="contents">
          <ol>
            {figures.map(({ id, title }) => (
              <li key={id}>
                <a href={`#${id}`}>{title}</a>
              </li>
            ))}
          </ol>
        </nav>
        {figures.map((figure, index) => (
          <Figure key={figure.id} figure={figure} number={index + 1} />
        ))}
      </>
    ),
  })
}
