import type { ComponentChildren, JSX } from 'preact'
import { placeText } from '../../../../targets/compare/ranks/rank-place.ts'
import type { BoardRow } from '../../../../targets/board/board.ts'
import { DataTable, numeric } from '../../components/data-table.tsx'
import { exactCost, exactSeconds, exactTokens, exactValue } from '../../components/exact.tsx'
import { formatCount, orDash } from '../../../../cache/words/number-text.ts'
import { modelPath, suitePath } from '../../paths.ts'
import type { SiteSuite } from '../../site.ts'
import { visibleText } from '../../visible-text.ts'
import { suitePage } from '../suite-page.tsx'
import { modelPage } from './model-page.tsx'
import { ModelLink } from '../../components/links.tsx'

/** models.html: the models of a suite, and model/….html: a page each. */
export const modelsPage = suitePage({
  page: 'models',
  label: 'Models',
  isIn: (suites) => suites.some(({ board }) => board.rows.length > 0),
  content: (suite, root) => (
    <>
      <h1>{visibleText(suite.board.suite)}, its models</h1>
      <p class="standfirst">
        Cost, tokens and time are those of the runs on the leaderboard, judges aside, at the prices of the
        price file.
      </p>
      <ModelTable suite={suite} root={root} />
    </>
  ),
  more: (suite, { suites, navigation }) => {
    const models = suitePath('models', suites, suite.board.suite)
    return suite.board.rows.map((row) => ({
      path: modelPath(suite.board.suite, row.model.deployment),
      text: modelPage(suite, row, { navigation, models }),
    }))
  },
})

const ModelTable = ({
  suite: { board, models = [] },
  root,
}: {
  readonly suite: SiteSuite
  readonly root: string
}): JSX.Element => (
  <DataTable
    label="Models"
    head={[
      'Model',
      'Maker',
      'Weights',
      'Released',
      ...numeric(
        'Place',
        'Win rate',
        'Average',
        'Ranked in',
        'Cost',
        'Tokens read',
        'Tokens written',
        'Latency',
      ),
    ]}
    rows={board.rows.map((row) => {
      const about = models.find(({ deployment }) => deployment === row.model.deployment)
      return [
        <ModelLink board={board} deployment={row.model.deployment} root={root} />,
        visibleText(row.model.creator),
        row.model.access || '–',
        about?.releaseDate === undefined ? '–' : <time>{about.releaseDate}</time>,
        orDash(row.place, placeText),
        exactValue(row.winRate),
        exactValue(row.average),
        board.winRateColumns.length === 0
          ? '–'
          : `${formatCount(row.winRateColumns)} of ${formatCount(board.winRateColumns.length)}`,
        ...spentCells(row),
      ]
    })}
  />
)

const spentCells = ({ spent }: BoardRow): readonly ComponentChildren[] =>
  spent === null
    ? ['–', '–', '–', '–']
    : [
        exactCost(spent.usd),
        exactTokens(spent.inputTokens),
        exactTokens(spent.outputTokens),
        exactSeconds(spent.latency),
      ]
