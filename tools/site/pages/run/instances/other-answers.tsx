import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ShownText } from '../../../components/text/shown-text.tsx'
import type { LoadChunk } from '../../../components/text/whole-text.ts'
import { formatCount, formatValue } from '../../../../../cache/words/number-text.ts'
import { urlStateText } from '../../../url-state.ts'
import { visibleText } from '../../../visible-text.ts'
import type { CompareData } from '../../compare/compare-data.ts'
import type { InstanceView } from './instance-view.ts'
import { loadRows } from './load-rows.ts'
import { loadRunIndex } from '../run-index.ts'
import { rowOf } from '../select-rows.ts'

/** Where the other models' runs are found. */
export interface Siblings {
  readonly root: string
  /** Address of this run's page below the site's root. */
  readonly page: string
  readonly loadData: () => Promise<CompareData>
  readonly loaderOf: (page: string) => LoadChunk
}

interface Sibling {
  readonly label: string
  readonly href: string
  readonly load: LoadChunk
  /** Undefined where its run could not be loaded or lacks the instance. */
  readonly view: InstanceView | undefined
  readonly score: number | null
}

type State =
  | { readonly kind: 'closed' | 'loading' | 'failed' }
  | { readonly kind: 'shown'; readonly answers: readonly Sibling[]; readonly all: number }

/** Models whose answers are loaded at a time. */
const AT_ONCE = 12

/** What other models answered to the same instance, when asked for. */
export const OtherAnswers = ({
  siblings,
  instance,
}: {
  readonly siblings: Siblings
  readonly instance: InstanceView
}): JSX.Element => {
  const [state, setState] = useState<State>({ kind: 'closed' })
  const show = (known: readonly Sibling[]): void => {
    if (known.length === 0) setState({ kind: 'loading' })
    loadSiblings(siblings, instance, known.length).then(
      ({ answers, all }) => setState({ kind: 'shown', answers: [...known, ...answers], all }),
      () => setState({ kind: 'failed' }),
    )
  }
  return (
    <section class="others" aria-labelledby="others-title">
      <h4 id="others-title">Other models on this instance</h4>
      {state.kind === 'closed' ? (
        <button type="button" class="more" onClick={() => show([])}>
          Show their answers
        </button>
      ) : null}
      {state.kind === 'loading' ? (
        <p class="detail" role="status">
          Loading…
        </p>
      ) : null}
      {state.kind === 'failed' ? <p class="warning">Their answers could not be loaded.</p> : null}
      {state.kind !== 'shown' ? null : (
        <>
          {state.all === 0 ? <p class="detail">No other model was asked.</p> : null}
          <ul class="other-list">
            {state.answers.map((answer) => (
              <OtherAnswer key={answer.href} answer={answer} own={instance.completions[0]} />
            ))}
          </ul>
          {state.answers.length < state.all ? (
            <button type="button" class="more" onClick={() => show(state.answers)}>
              Show {formatCount(Math.min(AT_ONCE, state.all - state.answers.length))} more
            </button>
          ) : null}
        </>
      )}
    </section>
  )
}

const OtherAnswer = ({
  answer: { label, href, load, view, score },
  own,
}: {
  readonly answer: Sibling
  readonly own: InstanceView['completions'][number] | undefined
}): JSX.Element => {
  const [text] = view?.completions ?? []
  return (
    <li>
      <p class="side-head">
        <a href={href}>{visibleText(label)}</a> <b>{score === null ? 'no score' : formatValue(score)}</b>
      </p>
      {view === undefined ? <p class="detail">not asked, or not loaded</p> : null}
      {view !== undefined && text === undefined ? <p class="detail">no answer</p> : null}
      {text === undefined ? null : typeof text === 'string' && text === own ? (
        <p class="detail">the same answer</p>
      ) : (
        <ShownText text={text} load={load} />
      )}
    </li>
  )
}

const loadSiblings = async (
  { root, page, loadData, loaderOf }: Siblings,
  { id, trial }: InstanceView,
  from: number,
): Promise<{ readonly answers: readonly Sibling[]; readonly all: number }> => {
  const { tasks, models } = await loadData()
  const task = tasks.find(({ runs }) => runs.some((run) => run.page === page))
  const others = (task?.runs ?? []).filter((run) => run.page !== page)
  const linked = { instance: id, trial: String(trial + 1) }
  const answers = others.slice(from, from + AT_ONCE).map(async (run): Promise<Sibling> => {
    const load = loaderOf(run.page)
    const about = {
      label: models[run.model]?.label ?? '',
      href: `${root}${run.page}${urlStateText(linked, { instance: '', trial: '1' })}`,
      load,
    }
    try {
      const index = await loadRunIndex(load)
      const row = rowOf(index, linked)
      const [view] = row === undefined ? [] : await loadRows([row], index, load)
      return { ...about, view, score: row === undefined ? null : (index.scores[row] ?? null) }
    } catch {
      // One run that can't be loaded hides no other.
      return { ...about, view: undefined, score: null }
    }
  })
  return { answers: await Promise.all(answers), all: others.length }
}
