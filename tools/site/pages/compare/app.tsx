import type { JSX } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import type { ComparedModels, ComparedScenario } from '../../../../targets/compare/compare-models.ts'
import { boundApp, type BoundProps } from '../../client/bound-app.ts'
import { loadChunk } from '../../client/chunks.ts'
import { pageNumber, readAddress } from '../../address-rules.ts'
import { NotHere } from '../../components/not-here.tsx'
import { Pager } from '../../components/pager.tsx'
import type { LoadChunk } from '../../components/text/whole-text.ts'
import { formatCount, plural } from '../../../../cache/words/number-text.ts'
import { urlStateText } from '../../url-state.ts'
import { visibleText } from '../../visible-text.ts'
import type { CompareData } from './compare-data.ts'
import { AnswerControls, ModelControls } from './controls.tsx'
import { OverAll, type PartProps } from './over-all.tsx'
import { pageOf } from '../run/select-rows.ts'
import { Pair } from './pair.tsx'
import { pairRows, shownRows, type PairedRow } from './pair-rows.ts'
import {
  chooseModels,
  compareRules,
  DEFAULT_COMPARE_STATE,
  sharedTasks,
  type ChosenTask,
  type CompareState,
} from './state.ts'
import { Summary } from './summary.tsx'
import { useDifferences } from './use-differences.ts'
import { useLoaded } from '../../client/use-loaded.ts'
import type { InstanceView } from '../run/instances/instance-view.ts'
import { loadRows } from '../run/instances/load-rows.ts'
import { loadRunIndex, type InstanceIndex } from '../run/run-index.ts'

const PAGE = 10

/** Two models: over all benchmarks, then instance by instance. */
const CompareApp = ({ data, root, bound }: BoundProps<CompareData, CompareState>): JSX.Element => {
  const { state, faults } = readAddress(
    bound.state.value,
    DEFAULT_COMPARE_STATE,
    compareRules(data),
    bound.unknown.value,
  )
  const chosen = chooseModels(data, state)
  if (chosen === undefined) return <p>There are no two models to compare.</p>
  return (
    <>
      <ModelControls data={data} chosen={chosen} change={bound.change} />
      <NotHere lines={faults} />
      <Models data={data} chosen={chosen} state={state} change={bound.change} root={root} />
    </>
  )
}

const Models = (part: PartProps): JSX.Element => {
  const found = useDifferences(part.data, part.chosen, (key) => loadChunk(`${part.root}data/`, key))
  return (
    <>
      {found === undefined ? (
        <p class="detail" role="status">
          Loading…
        </p>
      ) : null}
      {found === null ? <p class="warning">The values of these models could not be loaded.</p> : null}
      {found == null ? null : <OverAll {...part} found={found} />}
      <h2 id="answers">Answer beside answer</h2>
      <Answers {...part} scenarios={found?.scenarios ?? []} />
    </>
  )
}

interface AnswersProps extends PartProps {
  readonly scenarios: ComparedModels['scenarios']
}

const Answers = ({ data, chosen, state, change, root, scenarios }: AnswersProps): JSX.Element => {
  const tasks = sharedTasks(data, chosen)
  const task = tasks.find((each) => each.task.key === state.task) ?? tasks[0]
  const loaderOf = (page: string): LoadChunk => {
    const folder = `${root}${page.replace(/\.html$/, '')}/`
    return (key) => loadChunk(folder, key)
  }
  const pair = useRunPair(task && [task.a.page, task.b.page], loaderOf)
  if (task === undefined) return <p>No two runs of these models are of the same public benchmark.</p>
  return (
    <>
      <AnswerControls tasks={tasks} task={task.task} state={state} change={change} />
      {state.task === '' || state.task === task.task.key ? null : (
        <p class="warning">These two share no answers to {visibleText(state.task)}.</p>
      )}
      {pair === undefined ? <p class="detail">Loading…</p> : null}
      {pair === null ? <p class="warning">The instances of these runs could not be loaded.</p> : null}
      {pair === undefined || pair === null ? null : (
        <Compared
          data={data}
          chosen={task}
          compared={scenarios.find(({ scenario }) => scenario === task.task.key)}
          pair={pair}
          state={state}
          root={root}
        />
      )}
    </>
  )
}

interface ComparedProps {
  readonly data: CompareData
  readonly chosen: ChosenTask
  readonly compared: ComparedScenario | undefined
  readonly pair: LoadedPair
  readonly state: CompareState
  readonly root: string
}

const Compared = ({
  data,
  chosen: { task, a, b },
  compared,
  pair,
  state,
  root,
}: ComparedProps): JSX.Element => {
  const rows = useMemo(() => pairRows(pair.a.index, pair.b.index), [pair])
  const shown = useMemo(
    () => shownRows(rows, state.show, task.lowerIsBetter === true),
    [rows, state.show, task],
  )
  const linked = shown.find(({ id }) => id === state.instance)
  const { page, pages, rows: here } = pageOf(shown, { page: state.page, size: PAGE }, linked)
  const labels = [data.models[a.model]?.label ?? '', data.models[b.model]?.label ?? ''] as const
  const hrefOf = (some: Partial<CompareState>): string =>
    urlStateText({ ...state, ...some }, DEFAULT_COMPARE_STATE) || '#'
  const pageHref = (to: number): string => hrefOf({ page: String(to + 1), instance: '' })
  return (
    <>
      {compared === undefined ? null : <Summary task={task} compared={compared} labels={labels} />}
      <p class="status" role="status">
        {formatCount(shown.length)} of {plural(rows.length, 'shared instance')}, the furthest apart first.
      </p>
      {linked !== undefined ? null : <NotHere lines={pageNumber(pages).faults(state.page)} />}
      {state.instance === '' || linked !== undefined ? null : (
        <p class="warning">Instance {visibleText(state.instance)} is not among these.</p>
      )}
      <Pager page={page} pages={pages} label="Pages" hrefOf={pageHref} />
      <PairList
        pair={pair}
        rows={here}
        labels={labels}
        linked={state.instance}
        hrefOf={(id) => hrefOf({ instance: id })}
        pages={[root + a.page, root + b.page]}
      />
      <Pager page={page} pages={pages} label="Pages, again" hrefOf={pageHref} />
    </>
  )
}

interface PairListProps {
  readonly pair: LoadedPair
  readonly rows: readonly PairedRow[]
  readonly labels: readonly [a: string, b: string]
  /** Id of the instance that the address links to. */
  readonly linked: string
  readonly hrefOf: (id: string) => string
  /** Addresses of the runs' own pages. */
  readonly pages: readonly [a: string, b: string]
}

const PairList = ({ pair, rows, labels, linked, hrefOf, pages }: PairListProps): JSX.Element => {
  const texts = useRowTexts(pair, rows)
  useEffect(() => {
    const at = texts?.rows.findIndex(({ id }) => id === linked) ?? -1
    if (at !== -1) document.getElementById(`pair-${at}`)?.focus()
  }, [texts, linked])
  if (texts === undefined) return <p class="detail">Loading…</p>
  if (texts === null) return <p class="warning">These instances could not be loaded.</p>
  const ownHref = (page: string, id: string): string =>
    `${page}${urlStateText({ instance: id }, { instance: '' })}`
  return (
    <>
      {texts.rows.map((row, at) => {
        const [a, b] = [texts.a[at], texts.b[at]]
        return a === undefined || b === undefined ? null : (
          <Pair
            key={`${pair.key} ${row.id}`}
            row={row}
            id={`pair-${at}`}
            href={hrefOf(row.id)}
            a={{ label: labels[0], view: a, load: pair.a.load, href: ownHref(pages[0], row.id) }}
            b={{ label: labels[1], view: b, load: pair.b.load, href: ownHref(pages[1], row.id) }}
          />
        )
      })}
    </>
  )
}

/** Loads what there is to compare; without it the page keeps its links to the benchmarks' own differences. */
export const startCompare = boundApp(DEFAULT_COMPARE_STATE, CompareApp)

/** Two runs of which all outcomes are known, and none of the texts yet. */
interface LoadedPair {
  readonly key: string
  readonly a: LoadedValues
  readonly b: LoadedValues
}

interface LoadedValues {
  readonly index: InstanceIndex
  readonly load: LoadChunk
}

/** Undefined while it loads; null where it can't be loaded. */
const useRunPair = (
  pages: readonly [a: string, b: string] | undefined,
  loaderOf: (page: string) => LoadChunk,
): LoadedPair | null | undefined => {
  const [pageA = '', pageB = ''] = pages ?? []
  const key = `${pageA} ${pageB}`
  const run = async (page: string): Promise<LoadedValues> => {
    const load = loaderOf(page)
    return { load, index: await loadRunIndex(load) }
  }
  return useLoaded(pages && key, async () => {
    const [a, b] = await Promise.all([run(pageA), run(pageB)])
    return { key, a, b }
  })
}

/** Both sides' texts of some rows. */
interface LoadedRows {
  readonly rows: readonly PairedRow[]
  readonly a: readonly InstanceView[]
  readonly b: readonly InstanceView[]
}

/** Undefined while they load; null where they can't be. */
const useRowTexts = ({ key, a, b }: LoadedPair, rows: readonly PairedRow[]): LoadedRows | null | undefined =>
  useLoaded(`${key} ${rows.map(({ rowA }) => rowA).join(' ')}`, async () => {
    const left = rows.map(({ rowA }) => rowA)
    const right = rows.map(({ rowB }) => rowB)
    const [ofA, ofB] = await Promise.all([loadRows(left, a.index, a.load), loadRows(right, b.index, b.load)])
    return { rows, a: ofA, b: ofB }
  })
