import { chunkScript } from '../../emit/chunk-script.ts'
import { fileId } from '../../emit/file-id.ts'
import type { SiteSuite } from '../../site.ts'
import { valuesFiles } from '../../values/values-files.ts'
import { visibleText } from '../../visible-text.ts'
import { suitePage } from '../suite-page.tsx'
import { makeCompareData } from './make-compare-data.ts'
import { BenchmarkLink } from '../../components/links.tsx'

/** compare.html: two models on the same instances, answer beside answer. */
export const comparePage = suitePage({
  page: 'compare',
  label: 'Compare',
  script: 'answers',
  isIn: (suites) => suites.some(canCompare),
  content: ({ board, pairs = [] }, root) => {
    const compared = board.benchmarks.filter(({ name }) => pairs.some(({ benchmark }) => benchmark === name))
    return (
      <>
        <h1>{visibleText(board.suite)}, two models compared</h1>
        <p class="standfirst">
          All benchmarks that two models share, then the same instances, answer beside answer. Of gated and
          private benchmarks only numbers are told.
        </p>
        <div data-app="compare" data-folder={root} data-chunk={compareKey(board.suite)}>
          <p>Values and answers are loaded for the two models that are asked for, which needs JavaScript.</p>
        </div>
        {compared.length === 0 ? null : (
          <>
            <h2>Differences of all models</h2>
            <ul class="links columns">
              {compared.map((each) => (
                <li key={each.name}>
                  <BenchmarkLink suite={board.suite} benchmark={each} root={root} place="#differences" />
                </li>
              ))}
            </ul>
          </>
        )}
      </>
    )
  },
  more: (suite) => {
    const key = compareKey(suite.board.suite)
    return [{ path: `data/${key}.js`, text: chunkScript(key, makeCompareData(suite)) }, ...valuesFiles(suite)]
  },
})

const canCompare = (suite: SiteSuite): boolean => {
  const { models, scenarios, tasks } = makeCompareData(suite)
  return models.length > 1 && scenarios.length + tasks.length > 0
}

/** Key of the chunk that says what can be compared. */
export const compareKey = (suite: string): string => fileId('compare', suite)
