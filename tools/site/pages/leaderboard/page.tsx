import { benchmarkPath, rootOf, runPath, suitePath } from '../../paths.ts'
import { chunkScript } from '../../chunk-script.ts'
import { SuiteSwitch } from '../../components/suite-switch.tsx'
import { renderPage } from '../../document.tsx'
import { fileId } from '../../file-id.ts'
import type { SitePage, SiteView } from '../../site-page.ts'
import type { Board } from '../../../../targets/aggregate/board.ts'
import { visibleText } from '../../visible-text.ts'
import type { BoardData } from './board-data.ts'
import { expandBoard } from './expand-board.ts'
import { LeaderboardTable } from './leaderboard-table.tsx'
import { makeBoardData } from './make-board-data.ts'
import { Reading } from './reading.tsx'
import { standfirst } from './standfirst.ts'

/** index.html and, where there are several suites, boards/….html: a suite's board each. */
export const leaderboardPage: SitePage = {
  label: 'Leaderboard',
  path: 'index.html',
  isIn: () => true,
  files: (site) =>
    site.suites.flatMap(({ board }) => {
      const data = makeBoardData(board)
      return [
        { path: suitePath('index', site.suites, board.suite), text: boardPage(board, data, site) },
        { path: `data/${chunkOf(board)}.js`, text: chunkScript(chunkOf(board), data) },
      ]
    }),
}

const chunkOf = ({ suite }: Board): string => fileId(suite)

const boardPage = (board: Board, data: BoardData, { suites, navigation }: SiteView): string => {
  const root = rootOf(suitePath('index', suites, board.suite))
  const summaries = data.columns.length - board.benchmarks.length
  const view = expandBoard(data, (row, column) => linkOf(board, row, column - summaries, root))
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
        <p class="standfirst">{standfirst(board)}</p>
        <div data-app="leaderboard" data-folder={root} data-chunk={chunkOf(board)}>
          <LeaderboardTable view={view} root={root} bars={false} />
        </div>
        <Reading board={board} />
      </>
    ),
  })
}

/** A cell leads to its run; of several runs to the benchmark, which lists them. */
const linkOf = (board: Board, row: number, column: number, root: string): string | undefined => {
  const runs = board.rows[row]?.cells[column]?.runs ?? []
  const benchmark = board.benchmarks[column]
  const [only] = runs
  if (only === undefined || benchmark === undefined) return undefined
  return root + (runs.length === 1 ? runPath(board.suite, only) : benchmarkPath(board.suite, benchmark.name))
}
