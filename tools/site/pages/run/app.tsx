import { render, type JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { boundUrlState, type BoundUrlState } from '../../client/bound-url-state.ts'
import { loadChunk } from '../../client/chunks.ts'
import type { StartApp } from '../../client/start-app.ts'
import { Pager } from '../../components/pager.tsx'
import type { LoadChunk } from '../../components/shown-text.tsx'
import { formatCount, plural } from '../../../compare/number-text.ts'
import { urlStateText } from '../../url-state.ts'
import { visibleText } from '../../visible-text.ts'
import { Controls } from './controls.tsx'
import { InstanceList } from './instance-list.tsx'
import { loadRunIndex, type RunIndex } from './run-index.ts'
import { pageOf, rowOf, selectRows } from './select-rows.ts'
import { DEFAULT_RUN_STATE, type RunFields, type RunState } from './state.ts'
import { useSearch, type Search } from './use-search.ts'

interface InstancesAppProps {
  readonly index: RunIndex
  readonly load: LoadChunk
  readonly mainMetric: string
  /** The score of a wrong answer, where the metric has one. */
  readonly wrong: number | undefined
  readonly bound: BoundUrlState<RunFields>
}

/** A run's instances: filtered, searched, a page at a time. The address tells all of it, down to the instance. */
const InstancesApp = ({ index, load, mainMetric, wrong, bound }: InstancesAppProps): JSX.Element => {
  const state = bound.state.value
  const { show, apart, from, to, sort, q } = state
  const selected = useMemo(() => selectRows(index, state, wrong), [index, show, apart, from, to, sort])
  const search = useSearch(q, selected, { index, load })
  const linked = state.instance === '' ? undefined : rowOf(index, state)
  const { page, pages, rows } = pageOf(search.found, state, linked)
  const hrefOf = (some: Partial<RunState>): string =>
    urlStateText({ ...state, ...some }, DEFAULT_RUN_STATE) || '#'
  const pageHref = (to: number): string => hrefOf({ page: String(to + 1), instance: '', trial: '1' })
  const linkOf = (id: string, trial: number): Partial<RunState> => ({
    instance: id,
    trial: String(trial + 1),
  })
  const step = (row: number, by: 1 | -1): void => {
    const next = search.found[search.found.indexOf(row) + by]
    if (next !== undefined) bound.replace(linkOf(index.ids[next] ?? '', index.trials[next] ?? 0))
  }
  return (
    <>
      <Controls
        index={index}
        state={state}
        change={bound.change}
        mainMetric={mainMetric}
        hasWrong={wrong !== undefined}
      />
      <p class="status" role="status">
        {statusText(search, index)}{' '}
        {urlStateText(state, DEFAULT_RUN_STATE) === '' ? null : (
          <button type="button" class="plain" onClick={bound.reset}>
            Show all
          </button>
        )}
      </p>
      {state.instance === '' || (linked !== undefined && rows.includes(linked)) ? null : (
        <p class="warning">Instance {visibleText(state.instance)} is not among these.</p>
      )}
      <Pager page={page} pages={pages} label="Pages" hrefOf={pageHref} />
      <InstanceList
        rows={rows}
        index={index}
        load={load}
        mainMetric={mainMetric}
        linked={linked}
        hrefOf={({ id, trial }) => hrefOf(linkOf(id, trial))}
        onStep={step}
      />
      <Pager page={page} pages={pages} label="Pages, again" hrefOf={pageHref} />
    </>
  )
}

const statusText = ({ found, searched, state }: Search, { ids }: RunIndex): string => {
  const all = plural(ids.length, 'request')
  const shown = found.length === ids.length ? `${all}.` : `${formatCount(found.length)} of ${all}.`
  if (state === 'searching') return `${shown} Searching: ${formatCount(searched)} read …`
  return state === 'failed' ? `${shown} The search stopped: some texts could not be loaded.` : shown
}

/** Loads what the requests came to; their texts follow page by page. */
export const startInstances: StartApp = async (root) => {
  const { base = '', main = '', wrong = '' } = root.dataset
  const load: LoadChunk = (key) => loadChunk(base, key)
  const index = await loadRunIndex(load).catch(() => undefined)
  if (index === undefined) {
    root.textContent = `The instances could not be loaded: the folder ${base} has to lie beside this page.`
    return
  }
  const bound = boundUrlState(DEFAULT_RUN_STATE)
  bound.follow()
  root.replaceChildren()
  render(
    <InstancesApp
      index={index}
      load={load}
      mainMetric={main}
      wrong={wrong === '' ? undefined : Number(wrong)}
      bound={bound}
    />,
    root,
  )
}
