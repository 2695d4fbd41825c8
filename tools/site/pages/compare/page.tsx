import { chunkScript } from '../../emit/chunk-script.ts'
import { SuiteSwitch } from '../../components/suite-switch.tsx'
import { renderPage } from '../../emit/document.tsx'
import { fileId } from '../../emit/file-id.ts'
import { benchmarkPath, rootOf, suitePath } from '../../paths.ts'
import type { SitePage, SiteView } from '../../site-page.ts'
import type { SiteSuite } from '../../site.ts'
import { valuesFiles } from '../../values/values-files.ts'
import { visibleText } from '../../visible-text.ts'
import { makeCompareData } from './make-compare-data.ts'

/** compare.html: two models on the same instances, answer beside answer. */
export const comparePage: SitePage = {
  label: 'Compare',
  path: 'compare.html',
  isIn: (suites) => suites.some(canCompare),
  files: (site) =>
    site.suites.flatMap((suite) => [
      { path: suitePath('compare', site.suites, suite.board.suite), text: pageOf(suite, site) },
      {
        path: `data/${compareKey(suite.board.suite)}.js`,
        text: chunkScript(compareKey(suite.board.suite), makeCompareData(suite)),
      },
      ...valuesFiles(suite),
    ]),
}

const canCompare = (suite: SiteSuite): boolean => {
  const { models, scenarios, tasks } = makeCompareData(suite)
  return models.length > 1 && scenarios.length + tasks.length > 0
}

/** Key of the chunk that says what can be compared. */
export const compareKey = (suite: string): string => fileId('compare', suite)

const pageOf = (suite: SiteSuite, { suites, navigation }: SiteView): string => {
  const { board, pairs = [] } = suite
  const path = suitePath('compare', suites, board.suite)
  const root = rootOf(path)
  const compared = board.benchmarks.filter(({ name }) => pairs.some(({ benchmark }) => benchmark === name))
  return renderPage({
    title: `Compare: ${board.suite}`,
    root,
    navigation,
    here: comparePage.path,
    script: 'answers',
    trail: [],
    children: (
      <>
        <SuiteSwitch page="compare" suites={suites} suite={board.suite} />
        <h1>{visibleText(board.suite)}, two models compared</h1>
        <p class="standfirst">
          All benchmarks that two models share, then the same instances, answer beside answer. Of gated and
          private benchmarks only numbers are told.
        </p>
        <div data-app="compare" data-folder={root} data-chunk={compareKey(suite.board.suite)}>
          <p>Values and answers are loaded for the two models that are asked for, which needs JavaScript.</p>
        </div>
        {compared.length === 0 ? null : (
          <>
            <h2>Differences of all models</h2>
            <ul class="links columns">
              {compared.map(({ name, displayName }) => (
                <li key={name}>
                  <a href={`${root}${benchmarkPath(board.suite, name)}#differences`}>
                    {visibleText(displayName)}
                  </a>
                </li>
              ))}
            </ul>
          </>
        )}
      </>
    ),
  })
}
