import { render, type JSX } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { boundUrlState, type BoundUrlState } from '../../client/bound-url-state.ts'
import { loadChunk } from '../../client/chunks.ts'
import type { StartApp } from '../../client/start-app.ts'
import { Pager } from '../../components/pager.tsx'
import type { LoadChunk } from '../../components/shown-text.tsx'
import { formatCount, plural } from '../../../compare/number-text.ts'
import { urlStateText } from '../../url-state.ts'
import type { CompareData } from './compare-data.ts'
import { Controls } from './controls.tsx'
import { Pair } from './pair.tsx'
import { pairRows, shownRows, type PairedRow } from './pair-rows.ts'
import { choose, DEFAULT_COMPARE_STATE, type Chosen, type CompareFields, type CompareState } from './state.ts'
import { Summary } from './summary.tsx'
import { useRowTexts, useRunPair, type RunPair } from './use-pair.ts'

interface CompareAppProps {
  readonly data: CompareData
  /** Prefix that leads to the site's root. */
  readonly root: string
  readonly bound: BoundUrlState<CompareFields>
}

const PAGE = 10

/** Two models on the same instances, those furthest apart first. */
const CompareApp = ({ data, root, bound }: CompareAppProps): JSX.Element => {
  const state = bound.state.value
  const chosen = choose(data, state)
  const loaderOf = (page: string): LoadChunk => {
    const folder = `${root}${page.replace(/\.html$/, '')}/`
    return (key) => loadChunk(folder, key)
  }
  const pair = useRunPair(chosen && [chosen.a.page, chosen.b.page], loaderOf)
  if (chosen === undefined) return <p>No two models were run on the same public benchmark.</p>
  return (
    <>
      <Controls data={data} chosen={chosen} state={state} change={bound.change} />
      {pair === undefined ? <p class="detail">Loading…</p> : null}
      {pair === null ? <p class="warning">The instances of these runs could not be loaded.</p> : null}
      {pair === undefined || pair === null ? null : (
        <Compared data={data} chosen={chosen} pair={pair} state={state} root={root} />
      )}
    </>
  )
}

interface ComparedProps {
  readonly data: CompareData
  readonly chosen: Chosen
  readonly pair: RunPair
  readonly state: CompareState
  readonly root: string
}

const Compared = ({ data, chosen: { task, a, b }, pair, state, root }: ComparedProps): JSX.Element => {
  const rows = useMemo(() => pairRows(pair.a.index, pair.b.index), [pair])
  const shown = useMemo(
    () => shownRows(rows, state.show, task.lowerIsBetter === true),
    [rows, state.show, task],
  )
  const pages = Math.max(1, Math.ceil(shown.length / PAGE))
  const linked = shown.findIndex(({ id }) => id === state.instance)
  const page = linked === -1 ? pageOf(state.page, pages) : Math.floor(linked / PAGE)
  const here = useMemo(() => shown.slice(page * PAGE, (page + 1) * PAGE), [shown, page])
  const labels = [data.models[a.model]?.label ?? '', data.models[b.model]?.label ?? ''] as const
  const hrefOf = (some: Partial<CompareState>): string =>
    urlStateText({ ...state, ...some }, DEFAULT_COMPARE_STATE) || '#'
  const pageHref = (to: number): string => hrefOf({ page: String(to + 1), instance: '' })
  return (
    <>
      <Summary task={task} rows={rows} labels={labels} />
      <h2>Instances</h2>
      <p class="status" role="status">
        {formatCount(shown.length)} of {plural(rows.length, 'shared instance')}, the furthest apart first.
      </p>
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

const pageOf = (text: string, pages: number): number => {
  const wanted = Math.trunc(Number(text)) - 1
  return Math.min(Math.max(Number.isNaN(wanted) ? 0 : wanted, 0), pages - 1)
}

interface PairListProps {
  readonly pair: RunPair
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
export const startCompare: StartApp = async (root) => {
  const { folder = '', chunk = '' } = root.dataset
  const data = (await loadChunk(`${folder}data/`, chunk)) as CompareData
  const bound = boundUrlState(DEFAULT_COMPARE_STATE)
  bound.follow()
  root.replaceChildren()
  render(<CompareApp data={data} root={folder} bound={bound} />, root)
}
