import type { JSX } from 'preact'
import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { boundApp, type BoundProps } from '../../client/bound-app.ts'
import { loadChunk } from '../../client/chunks.ts'
import { followPageKeys } from '../../client/page-keys.ts'
import type { StartApp } from '../../client/start-page.ts'
import { readAddress } from '../../address-rules.ts'
import { NotHere } from '../../components/not-here.tsx'
import { urlStateText } from '../../url-state.ts'
import type { BoardData, TaskData } from './board/board-data.ts'
import { keepOneStop } from './board/board-keys.ts'
import { BoardTable, type BoardActions } from './board/board-table.tsx'
import {
  boardView,
  type BoardView,
  chosenColumns,
  taskOf,
  unmetChoices,
  type ColumnView,
} from './board/board-view.ts'
import { Controls } from './controls.tsx'
import { DecisionPanel } from './decision.tsx'
import { Headline } from './headline.tsx'
import { Panel } from './panel.tsx'
import { leaderboardRules } from './rules.ts'
import { DEFAULT_STATE, nextSort, sortOf, toggled, wordsOf, type LeaderboardState } from './state.ts'
import { remembered } from '../../../../cache/once.ts'
import type { ColumnTests } from '../../../../targets/compare/ranks/column-tests.ts'
import { useLoaded } from '../../client/use-loaded.ts'
import type { LoadChunk } from '../../components/text/whole-text.ts'
import type { BenchmarkValues } from '../../values/values-files.ts'
import { chunksOf, ownTask, testsOfColumn, type LoadedColumn } from './own-ranks.ts'

/** Windows in which all benchmarks have room at first sight. */
const ROOM_FOR_ALL = '(min-width: 225rem)'

/** The board with all that can be asked of it; its address keeps what was asked. */
const LeaderboardApp = ({
  data,
  root,
  bound: { state, unknown, change, replace, reset },
}: BoundProps<BoardData, LeaderboardState>): JSX.Element => {
  const linkOf = useMemo(linksOf, [])
  const rules = leaderboardRules(data)
  const { state: now, faults } = readAddress(state.value, DEFAULT_STATE, rules, unknown.value)
  const own = useOwnTask(data, now, (key) => loadChunk(`${root}data/`, key))
  const [takesFocus, setTakesFocus] = useState(false)
  const whole = useRef<HTMLDivElement>(null)
  const view = boardView(own.data, now, ...(useMatches(ROOM_FOR_ALL) ? [Infinity] : []))
  const close = (): void => {
    const opener = whole.current?.querySelector<HTMLElement>('.board [aria-expanded="true"][data-cell]')
    replace({ at: '' })
    // A row that was scrolled far away is not there any more.
    ;(opener ?? whole.current?.querySelector<HTMLElement>('.board-scroll'))?.focus()
  }
  useEffect(() => {
    if (whole.current !== null) keepOneStop(whole.current)
  })
  useEffect(() => followPageKeys(keysOf(() => whole.current, close)), [])
  const open = (at: string): void => {
    setTakesFocus(true)
    replace({ at: now.at === at ? '' : at })
  }
  return (
    <div ref={whole} class={now.at === '' ? 'board-app' : 'board-app with-panel'}>
      <NotHere lines={[...faults, ...unmetChoices(view.columns, now)]} />
      <div class="answer">
        <Headline view={view} />
        <DecisionPanel data={data} view={view} state={now} change={change} isReckoning={own.isReckoning} />
      </div>
      <Controls
        view={view}
        state={now}
        change={changing(change, replace)}
        isChanged={urlStateText(state.value, DEFAULT_STATE) !== '' || faults.length > 0}
        reset={reset}
      />
      <BoardTable
        view={view}
        root={root}
        sort={sortOf(now)}
        at={now.at}
        actions={actionsOf(view, now, { change, open })}
      />
      {now.at === '' ? null : (
        <Panel
          view={view}
          at={now.at}
          root={root}
          linkOf={linkOf}
          takesFocus={takesFocus}
          onPin={(key) => change({ pin: toggled(now.pin, key) })}
          onClose={close}
        />
      )}
    </div>
  )
}

type Change = (some: Partial<LeaderboardState>) => void

/** Each letter of a search is no step of its own for Back. */
const changing =
  (change: Change, replace: Change): Change =>
  (some) => {
    if ('q' in some) replace(some)
    else change(some)
  }

const actionsOf = (
  view: BoardView,
  state: LeaderboardState,
  { change, open }: { readonly change: Change; readonly open: (at: string) => void },
): BoardActions => ({
  onSort: (key, lowerIsBetter) => change({ sort: nextSort(key, sortOf(state), lowerIsBetter) }),
  onUnfold: (name) => {
    const shown = view.categories.filter(({ isOpen }) => isOpen).map((category) => category.name)
    const next = toggled(shown.join('|'), name, '|')
    change({ open: wordsOf(next, '|').length === 0 ? 'none' : next })
  },
  onPin: (key) => change({ pin: toggled(state.pin, key) }),
  onOpen: open,
})

/** `/` goes to the search, Escape closes the details. */
const keysOf = (root: () => HTMLElement | null, close: () => void): Parameters<typeof followPageKeys>[0] => ({
  Escape: () => {
    if (root()?.querySelector('.panel') != null) close()
  },
  '/': () => root()?.querySelector<HTMLElement>('.search input')?.focus(),
})

/** Brings the table on the page to life. Where its data can't be loaded it stays as it is. */
export const startLeaderboard: StartApp = async (root) => {
  await boundApp(DEFAULT_STATE, LeaderboardApp)(root)
  performance.mark('leaderboard-ready')
}

/** Where the cells of the table of all scores lead; its rows are models, in the order of the data. */
const linksOf = (): ((model: number, column: number) => string | undefined) => {
  const rows = [...document.querySelectorAll('.all-scores tbody tr')].map((row) =>
    [...row.querySelectorAll('td.score')].map(
      (cell) => cell.querySelector('a')?.getAttribute('href') ?? undefined,
    ),
  )
  return (model, column) => rows[model]?.[column]
}

/** Whether a media query holds, as the window has it now. */
const useMatches = (query: string): boolean => {
  const [holds, setHolds] = useState(() => matchMedia(query).matches)
  useEffect(() => {
    const list = matchMedia(query)
    const follow = (): void => setHolds(list.matches)
    follow()
    list.addEventListener('change', follow)
    return () => list.removeEventListener('change', follow)
  }, [query])
  return holds
}

interface OwnTask {
  /** The data, with the reader's own set among its tasks once that is ranked. */
  readonly data: BoardData
  readonly isReckoning: boolean
}

/** Ranks a set of benchmarks that the board brings no tests of. */
const useOwnTask = (data: BoardData, state: LeaderboardState, load: LoadChunk): OwnTask => {
  const columns = chosenColumns(data, state)
  const key = columns.map(({ index }) => index).join()
  const keys = taskOf(data, columns) === undefined ? chunksOf(columns) : undefined
  const task = useLoaded(keys && key, (isWanted) => rankColumns(data, columns, { load, isWanted }))
  // Without values the board says that the set was not tested.
  if (keys === undefined || task === null) return { data, isReckoning: false }
  return task === undefined
    ? { data, isReckoning: true }
    : { data: { ...data, tasks: [...data.tasks, task] }, isReckoning: false }
}

/** Tests that were made are kept: sets that a reader tries share most of their benchmarks. */
const tested = new Map<string, ColumnTests>()

/** Milliseconds of work after which the page may draw and listen. */
const SLICE = 20

const rankColumns = async (
  data: BoardData,
  columns: readonly ColumnView[],
  { load, isWanted }: { readonly load: LoadChunk; readonly isWanted: () => boolean },
): Promise<TaskData> => {
  const loaded: readonly LoadedColumn[] = await Promise.all(
    columns.map(async ({ index, values = '' }) => ({
      index,
      values: (await load(values)) as BenchmarkValues,
    })),
  )
  const steps = ownTask(data, loaded, (column) =>
    remembered(tested, data.columns[column.index]?.values ?? '', () => testsOfColumn(data, column)),
  )
  for (let since = performance.now(); ;) {
    const step = steps.next()
    if (step.done === true) return step.value
    if (performance.now() - since < SLICE) continue
    await new Promise((done) => setTimeout(done))
    if (!isWanted()) throw new Error('another set is asked for')
    since = performance.now()
  }
}
