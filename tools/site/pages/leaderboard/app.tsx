import { signal, type ReadonlySignal } from '@preact/signals'
import { hydrate, type JSX } from 'preact'
import { boundUrlState, type BoundUrlState } from '../../client/bound-url-state.ts'
import { loadChunk } from '../../client/chunks.ts'
import type { StartApp } from '../../client/start-app.ts'
import { plural } from '../../format.ts'
import { urlStateText } from '../../url-state.ts'
import type { BoardData } from './board-data.ts'
import { Controls } from './controls.tsx'
import { expandBoard, type LinkOf } from './expand-board.ts'
import { LeaderboardTable, sizeText } from './leaderboard-table.tsx'
import { nextSort, selectView } from './select-view.ts'
import { DEFAULT_STATE, sortOf, sortText, type LeaderboardFields } from './state.ts'
import type { LeaderboardView } from './view.ts'

interface LeaderboardAppProps {
  readonly view: LeaderboardView
  readonly root: string
  readonly bound: BoundUrlState<LeaderboardFields>
  readonly roomy: boolean
  /** Whether intervals are drawn: they repeat what the numbers say, so they may come later. */
  readonly bars: ReadonlySignal<boolean>
}

/** The leaderboard with filters, orders and layouts, all of which its address keeps. */
const LeaderboardApp = ({
  view,
  root,
  roomy,
  bars,
  bound: { state, change, reset },
}: LeaderboardAppProps): JSX.Element => {
  const now = state.value
  const sort = sortOf(now)
  const shown = selectView(view, now)
  return (
    <>
      <Controls view={view} state={now} change={change} roomy={roomy} />
      <p class="status" role="status">
        {statusText(view, shown)}{' '}
        {urlStateText(now, DEFAULT_STATE) === '' ? null : (
          <button type="button" class="plain" onClick={reset}>
            Show all
          </button>
        )}
      </p>
      <LeaderboardTable
        view={shown}
        root={root}
        bars={bars.value}
        transposed={now.rows === 'benchmarks'}
        brief={now.numbers === 'brief'}
        sort={sort}
        onSort={(key) => change({ sort: sortText(nextSort(view, key, sort)) })}
      />
    </>
  )
}

const statusText = (whole: LeaderboardView, shown: LeaderboardView): string => {
  const size = sizeText(shown)
  return size === sizeText(whole)
    ? `${size}.`
    : `${size}, of ${plural(whole.rows.length, 'model')} on ${benchmarksOf(whole)}. Places, win rates and averages stay those of the whole board.`
}

const benchmarksOf = ({ columns }: LeaderboardView): string =>
  String(columns.filter(({ benchmark }) => benchmark !== undefined).length)

/** Brings the table on the page to life. Where its data can't be loaded it stays as it is. */
export const startLeaderboard: StartApp = async (root) => {
  const { folder = '', chunk = '' } = root.dataset
  const linkOf = linksOf(root)
  const data = (await loadChunk(`${folder}data/`, chunk)) as BoardData
  const view = expandBoard(data, linkOf)
  const roomy = matchMedia('(min-width: 56rem)').matches
  const bound = boundUrlState(DEFAULT_STATE)
  const bars = signal(false)
  // First what the page already shows, so that its cells are taken over and not made again.
  hydrate(<LeaderboardApp view={view} root={folder} bound={bound} roomy={roomy} bars={bars} />, root)
  bound.follow()
  performance.mark('leaderboard-ready')
  setTimeout(() => {
    bars.value = true
  })
}

/** Where the cells of the table that is in the page lead; its rows are models, in the order of the data. */
const linksOf = (root: HTMLElement): LinkOf => {
  const links = [...root.querySelectorAll('tbody tr')].map((row) =>
    [...row.querySelectorAll('td.score')].map(
      (cell) => cell.querySelector('a')?.getAttribute('href') ?? undefined,
    ),
  )
  return (model, column) => links[model]?.[column]
}
