import type { JSX } from 'preact'
import type { Board } from '../../../../targets/aggregate/board.ts'
import { LEAST_COVERAGE } from '../../../../targets/aggregate/board-cell.ts'
import { Leaderboard } from './leaderboard-table.tsx'
import { renderPage } from '../../document.tsx'
import { chunkScript } from '../../chunk-script.ts'
import { SuiteSwitch } from '../../components/suite-switch.tsx'
import { fileId } from '../../file-id.ts'
import { formatValue } from '../../format.ts'
import { rootOf, suitePath } from '../../paths.ts'
import type { SitePage, SiteView } from '../../site-page.ts'
import { visibleText } from '../../visible-text.ts'
import { makeLeaderboardView } from './make-view.ts'
import type { LeaderboardView } from './view.ts'

/** index.html and, where there are several suites, boards/….html: a suite's board each. */
export const leaderboardPage: SitePage = {
  label: 'Leaderboard',
  path: 'index.html',
  isIn: () => true,
  files: (site) =>
    site.suites.flatMap(({ board }) => {
      const view = makeLeaderboardView(board, rootOf(suitePath('index', site.suites, board.suite)))
      const chunk = fileId(board.suite)
      return [
        { path: suitePath('index', site.suites, board.suite), text: boardPage(board, view, chunk, site) },
        { path: `data/${chunk}.js`, text: chunkScript(chunk, view) },
      ]
    }),
}

const boardPage = (
  board: Board,
  view: LeaderboardView,
  chunk: string,
  { suites, navigation }: SiteView,
): string => {
  const root = rootOf(suitePath('index', suites, board.suite))
  return renderPage({
    title: `Leaderboard: ${board.suite}`,
    root,
    navigation,
    here: leaderboardPage.path,
    trail: [],
    children: (
      <>
        <SuiteSwitch page="index" suites={suites} suite={board.suite} />
        <h1>{visibleText(board.suite)}</h1>
        <p class="standfirst">{standfirst(board, view)}</p>
        <div data-app="leaderboard" data-folder={`${root}data/`} data-chunk={chunk}>
          <Leaderboard view={view} />
        </div>
        <Reading board={board} />
      </>
    ),
  })
}

const standfirst = ({ rows }: Board, { caption }: LeaderboardView): string => {
  const best = rows.filter(({ place }) => place?.rank === 1)
  const [first] = best
  if (first === undefined || first.winRate === null) return `${caption}.`
  const rate = formatValue(first.winRate)
  return best.length === 1
    ? `${caption}. ${first.label} has the best mean win rate, ${rate}.`
    : `${caption}. ${listed(best.map(({ label }) => label))} share the best mean win rate, ${rate}.`
}

/** `a, b and c` */
const listed = (names: readonly string[]): string =>
  [names.slice(0, -1).join(', '), names.at(-1)].filter(Boolean).join(' and ')

/** What the columns mean. */
const Reading = ({ board }: { readonly board: Board }): JSX.Element => {
  const nameOf = (name: string): string =>
    board.benchmarks.find((benchmark) => benchmark.name === name)?.displayName ?? name
  const uncompared = board.benchmarks.filter(({ name }) => !board.winRateColumns.includes(name))
  return (
    <details class="reading">
      <summary>How to read this table</summary>
      <ul>
        <li>
          A score is the mean of the benchmark’s main metric, under it the 95 % interval (Wilson’s for metrics
          that are 0 or 1, the t interval for others) and n, the number of instances. Intervals that overlap
          do not prove that two models are equal, nor does their order alone prove a difference.
        </li>
        <li>Higher is better unless a header says otherwise. A place with = is shared.</li>
        {board.winRateColumns.length === 0 ? null : (
          <li>
            Win rate: the share of the other models that a model beats, ties counting half, averaged over
            benchmarks as HELM does.
            {uncompared.length === 0
              ? ''
              : ` Left out: ${uncompared.map(({ displayName }) => displayName).join(', ')}.`}
          </li>
        )}
        {board.macroColumns.length < 2 ? null : (
          <li>
            Average: the mean over the benchmarks whose metric is a share between 0 and 1, for models measured
            on all of them: {board.macroColumns.map(nameOf).join(', ')}.
          </li>
        )}
        <li>
          A score of which less than {LEAST_COVERAGE * 100} % of the requests were measured is shown and not
          ranked.
        </li>
        <li>
          Deeper shading is better. Metrics between 0 and 1 are shaded and drawn on that range, others on the
          range of their column.
        </li>
      </ul>
    </details>
  )
}
