import { render, type JSX } from 'preact'
import { useEffect, useMemo } from 'preact/hooks'
import { boundUrlState, type BoundUrlState } from '../../client/bound-url-state.ts'
import { loadChunk } from '../../client/chunks.ts'
import { followPageKeys } from '../../client/page-keys.ts'
import { save } from '../../client/save.ts'
import type { StartApp } from '../../client/start-page.ts'
import { pageNumber, readAddress, type ReadAddress } from '../../address-rules.ts'
import { Reset } from '../../components/choice.tsx'
import { NotHere } from '../../components/not-here.tsx'
import { Pager } from '../../components/pager.tsx'
import type { LoadChunk } from '../../components/text/whole-text.ts'
import { allOf, formatCount, plural } from '../../../../cache/words/number-text.ts'
import { urlStateText } from '../../url-state.ts'
import { visibleText } from '../../visible-text.ts'
import type { CompareData } from '../compare/compare-data.ts'
import { Controls } from './controls.tsx'
import { Detail } from './instances/detail.tsx'
import { flagOf, flags, flagsCsv, followFlags, formerNote, removeFlag, setFlag } from './flags.ts'
import { InstanceTable } from './instances/instance-table.tsx'
import type { MeasuredBy } from './instances/instance.tsx'
import type { Siblings } from './instances/other-answers.tsx'
import { loadRunIndex, type InstanceIndex } from './run-index.ts'
import { SaveInstances } from './instances/save-instances.tsx'
import { pageOf, rowOf, selectRows, type Page } from './select-rows.ts'
import { DEFAULT_RUN_STATE, sizeOf, type PageState } from './state.ts'
import { runRules } from './rules.ts'
import { useSearch, type Search } from './use-search.ts'

interface InstancesAppProps {
  readonly index: InstanceIndex
  readonly load: LoadChunk
  readonly about: RunAbout
  readonly bound: BoundUrlState<PageState>
}

interface RunAbout extends MeasuredBy {
  readonly suite: string
  readonly run: string
  /** The score of a wrong answer, where the metric has one. */
  readonly wrong: number | undefined
  readonly siblings: Siblings | undefined
}

/** A run's instances: a table, and beside it all about one. The address tells all of it. */
const InstancesApp = (props: InstancesAppProps): JSX.Element => {
  const { index, about, bound } = props
  const view = useShownRows(props)
  const { state, chosen, flagged, faults } = view
  const actions = actionsOf(props, view)
  useEffect(() =>
    followPageKeys({
      j: actions.onNext,
      k: actions.onPrevious,
      f: actions.onFlag,
      '/': () => document.querySelector<HTMLElement>(SEARCH)?.focus(),
    }),
  )
  return (
    <>
      <Controls
        index={index}
        state={state}
        change={bound.change}
        label={about.label}
        hasWrong={about.wrong !== undefined}
        hasFlags={flagged.size > 0}
      />
      <p class="status" role="status">
        {statusText(view.search, index)}{' '}
        {urlStateText(bound.state.value, DEFAULT_RUN_STATE) === '' && faults.length === 0 ? null : (
          <Reset text="Show all" className="plain" field={SEARCH} reset={bound.reset} />
        )}
      </p>
      <Lacking {...view} />
      <div class="explorer">
        <InstanceSide {...props} view={view} />
        {chosen === undefined ? (
          <p class="empty">No instance is left. Show all, or search for something else.</p>
        ) : (
          <Detail
            row={chosen}
            index={index}
            load={props.load}
            about={about}
            href={hrefOf(state, linkOf(index, chosen))}
            flag={{
              flag: actions.flag,
              onFlag: actions.onFlag,
              onNote: (note) => setFlag({ ...flagKey(about, index, chosen), note }),
            }}
            siblings={about.siblings}
            onPrevious={actions.onPrevious}
            onNext={actions.onNext}
          />
        )}
      </div>
    </>
  )
}

const SEARCH = '.field-words input'

/** What the address asks for and is not there. */
const Lacking = ({ state, faults, linked, chosen, rows, pages, search }: ShownRows): JSX.Element => {
  const decides = linked === undefined && search.state !== 'searching'
  return (
    <>
      <NotHere lines={[...faults, ...(decides ? pageNumber(pages).faults(state.page) : [])]} />
      {state.instance === '' || chosen === linked ? null : (
        <p class="warning">
          Instance {visibleText(state.instance)}
          {state.trial === '1' ? '' : `, trial ${visibleText(state.trial)},`} is not among these
          {rows.length === 0 ? '' : '; the first is shown'}.
        </p>
      )}
    </>
  )
}

interface ShownRows extends Page, ReadAddress<PageState> {
  readonly search: Search
  readonly flagged: ReadonlySet<number>
  /** The row that the address links to. */
  readonly linked: number | undefined
  /** The row whose details are shown: the linked one, or the first. */
  readonly chosen: number | undefined
}

const useShownRows = ({ index, load, about: { suite, run, wrong }, bound }: InstancesAppProps): ShownRows => {
  const rules = useMemo(
    () =>
      runRules({
        hasWrong: wrong !== undefined,
        isApart: index.spreads.some((spread) => spread !== null && spread > 0),
      }),
    [index, wrong],
  )
  const address = readAddress(bound.state.value, DEFAULT_RUN_STATE, rules, bound.unknown.value)
  const { state } = address
  const { show, apart, from, to, sort, q } = state
  const flagged = useMemo(() => flaggedRows(index, suite, run, flags.value), [index, flags.value])
  const selected = useMemo(
    () => selectRows(index, state, wrong, flagged),
    [index, show, apart, from, to, sort, show === 'flagged' ? flagged : undefined],
  )
  const search = useSearch(q, selected, { index, load })
  const linked = state.instance === '' ? undefined : rowOf(index, state)
  const page = pageOf(search.found, { page: state.page, size: sizeOf(state) }, linked)
  const chosen = linked !== undefined && page.rows.includes(linked) ? linked : page.rows[0]
  return { ...page, ...address, search, flagged, linked, chosen }
}

const hrefOf = (state: PageState, some: Partial<PageState>): string =>
  urlStateText({ ...state, ...some }, DEFAULT_RUN_STATE) || '#'

const linkOf = ({ ids, trials }: InstanceIndex, row: number): Pick<PageState, 'instance' | 'trial'> => ({
  instance: ids[row] ?? '',
  trial: String((trials[row] ?? 0) + 1),
})

const flagKey = (
  { suite, run }: RunAbout,
  index: InstanceIndex,
  row: number,
): Parameters<typeof removeFlag>[0] => ({
  suite,
  run,
  ...linkOf(index, row),
})

interface Actions {
  readonly onPrevious: (() => void) | undefined
  readonly onNext: (() => void) | undefined
  readonly onFlag: () => void
  readonly flag: ReturnType<typeof flagOf>
}

const actionsOf = (
  { index, about, bound }: InstancesAppProps,
  { search: { found }, chosen }: ShownRows,
): Actions => {
  if (chosen === undefined) return NO_ACTIONS
  // A key may come again before the page shows what the last one did.
  const current = (): number => {
    const linked = rowOf(index, bound.state.value)
    return linked !== undefined && found.includes(linked) ? linked : chosen
  }
  const rowAt = (row: number, by: 1 | -1): number | undefined => found[found.indexOf(row) + by]
  const stepOf = (by: 1 | -1): (() => void) | undefined =>
    rowAt(chosen, by) === undefined
      ? undefined
      : () => {
          const next = rowAt(current(), by)
          if (next !== undefined) bound.replace(linkOf(index, next))
        }
  return {
    onPrevious: stepOf(-1),
    onNext: stepOf(1),
    flag: flagOf(flags.value, flagKey(about, index, chosen)),
    onFlag: () => {
      const key = flagKey(about, index, current())
      if (flagOf(flags.value, key) === undefined) setFlag({ ...key, note: formerNote(key) })
      else removeFlag(key)
    },
  }
}

const NO_ACTIONS: Actions = {
  onPrevious: undefined,
  onNext: undefined,
  onFlag: () => undefined,
  flag: undefined,
}

/** The table of a page, and what can be saved. */
const InstanceSide = ({
  index,
  load,
  about: { run, label },
  bound,
  view: { rows, page, pages, search, flagged, chosen },
}: InstancesAppProps & { readonly view: ShownRows }): JSX.Element => {
  const state = bound.state.value
  return (
    <div class="instance-side">
      <InstanceTable
        rows={rows}
        index={index}
        load={load}
        label={label}
        chosen={chosen}
        isFlagged={(row) => flagged.has(row)}
        hrefOf={(row) => hrefOf(state, linkOf(index, row))}
      />
      <Pager
        page={page}
        pages={pages}
        label="Pages"
        hrefOf={(next) => hrefOf(state, { page: String(next + 1), instance: '', trial: '1' })}
      />
      <p class="detail keys">
        <kbd>j</kbd> <kbd>k</kbd> next, previous · <kbd>f</kbd> flag · <kbd>/</kbd> search
      </p>
      <SaveInstances run={run} rows={search.found} index={index} load={load} />
      {flags.value.length === 0 ? null : (
        <p class="downloads">
          <button
            type="button"
            class="plain"
            onClick={() => save('flags.csv', 'text/csv', flagsCsv(flags.value))}
          >
            {allOf(flags.value.length, 'flag')} as CSV
          </button>
        </p>
      )}
    </div>
  )
}

const flaggedRows = (
  index: InstanceIndex,
  suite: string,
  run: string,
  all: typeof flags.value,
): ReadonlySet<number> =>
  new Set(
    all.flatMap((flag) => {
      const row = flag.suite === suite && flag.run === run ? rowOf(index, flag) : undefined
      return row === undefined ? [] : [row]
    }),
  )

const statusText = ({ found, searched, state }: Search, { ids }: InstanceIndex): string => {
  const all = plural(ids.length, 'request')
  const shown = found.length === ids.length ? `${all}.` : `${formatCount(found.length)} of ${all}.`
  if (state === 'searching') return `${shown} Searching: ${formatCount(searched)} read …`
  return state === 'failed' ? `${shown} The search stopped: some texts could not be loaded.` : shown
}

/** Loads what the requests came to; their texts follow when they are asked for. */
export const startInstances: StartApp = async (root) => {
  const { base = '', folder = '', suite = '', run = '', page = '', compare = '' } = root.dataset
  const { main = '', label = main, wrong = '', names = '{}', jury = '[]' } = root.dataset
  const load: LoadChunk = (key) => loadChunk(base, key)
  const index = await loadRunIndex(load).catch(() => undefined)
  if (index === undefined) {
    root.textContent = `The instances could not be loaded: the folder ${base} has to lie beside this page.`
    return
  }
  const bound = boundUrlState(DEFAULT_RUN_STATE)
  bound.follow()
  followFlags()
  const siblings: Siblings | undefined =
    compare === ''
      ? undefined
      : {
          root: folder,
          page,
          loadData: async () => (await loadChunk(`${folder}data/`, compare)) as CompareData,
          loaderOf: (other) => (key) => loadChunk(`${folder}${other.replace(/\.html$/, '')}/`, key),
        }
  const about = {
    suite,
    run,
    mainMetric: main,
    label,
    names: JSON.parse(names) as RunAbout['names'],
    jury: JSON.parse(jury) as RunAbout['jury'],
    wrong: wrong === '' ? undefined : Number(wrong),
    siblings,
  }
  root.replaceChildren()
  render(<InstancesApp index={index} load={load} about={about} bound={bound} />, root)
}
