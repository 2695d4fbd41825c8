import type { JSX } from 'preact'
import type { Board } from '../../../../targets/aggregate/board.ts'
import { LEAST_COVERAGE } from '../../../../targets/aggregate/board-cell.ts'
import { Leaderboard } from './leaderboard-table.tsx'
import { renderPage } from '../../document.tsx'
import { formatValue } from '../../format.ts'
import type { LeaderboardView } from './view.ts'

/** index.html: a table a suite. The script that makes it sortable finds the same views in `chunk`. */
export const indexPage = (
  suites: readonly { readonly board: Board; readonly view: LeaderboardView; readonly chunk: string }[],
): string =>
  renderPage({
    title: suites.length === 1 ? `Leaderboard: ${suites[0]?.board.suite ?? ''}` : 'Leaderboards',
    root: '',
    trail: [],
    children: (
      <>
        {suites.length > 1 ? <h1>Leaderboards</h1> : null}
        {suites.map(({ board, view, chunk }) => (
          <section key={board.suite} class="suite">
            {suites.length > 1 ? <h2>{board.suite}</h2> : <h1>{board.suite}</h1>}
            <p class="standfirst">{standfirst(board, view)}</p>
            <div data-app="leaderboard" data-chunk={chunk}>
              <Leaderboard view={view} />
            </div>
            <Reading board={board} />
          </section>
        ))}
      </>
    ),
  })

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
