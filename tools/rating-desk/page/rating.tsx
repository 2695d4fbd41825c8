import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { Desk, DeskState, DeskItem } from '../desk.ts'
import { KeysDialog, PauseDialog } from './dialogs.tsx'
import { HandIn } from './hand-in.tsx'
import { RatingForm } from './rating-form.tsx'
import { SaveCopy } from './save-copy.tsx'
import { RatingFlow, type RatingView } from './rating-flow.ts'
import type { OpenedPart } from '../../../targets/ratings/reasons.ts'
import { Verbatim } from '../../site/components/text/shown-text.tsx'

interface RatingProps {
  readonly desk: Desk
  readonly state: DeskState
  readonly onOver: (problem: string) => void
}

type Shown = 'none' | 'paused' | 'keys'

/** One answer a screen. */
export const Rating = ({ desk, state, onOver }: RatingProps): JSX.Element => {
  const kept = useRef<RatingFlow>(undefined)
  const flow = (kept.current ??= new RatingFlow(desk, state, onOver))
  const [view, setView] = useState(flow.view)
  useEffect(() => {
    flow.onChange = setView
    flow.begin()
  }, [])
  useEffect(() => {
    const warn = (event: Event): void => {
      if (flow.hasUnsaved) event.preventDefault()
    }
    addEventListener('beforeunload', warn)
    return () => removeEventListener('beforeunload', warn)
  }, [])
  const [dialog, setDialog] = useState<Shown>('none')
  const [keysOn, setKeysOn] = useState(true)
  const texts = useRef<HTMLDivElement>(null)
  const { at, item, rubric } = view
  const pause = (): void => {
    flow.clock.pause()
    setDialog('paused')
  }
  const close = (shown: Shown) => (): void => {
    flow.clock.resume()
    // The browser tells of it after the focus is back: a key may have opened another one by then.
    setDialog((now) => (now === shown ? 'none' : now))
  }
  // Who types ahead while an item is being saved means the next one.
  useKeys(at === 0 || view.busy ? {} : keysOf(flow, { pause, keys: () => setDialog('keys') }), keysOn)
  useEffect(() => {
    document.title = `Rating desk: ${placeText(at, state)}`
    scrollTo(0, 0)
    texts.current?.focus({ preventScroll: true })
  }, [item, at])
  return (
    <>
      <Head desk={desk} state={state} view={view} onPause={pause} onKeys={() => setDialog('keys')} />
      {at === 0 ? (
        <HandIn desk={desk} state={state} given={view.given} onBack={() => flow.show(state.items)} />
      ) : (
        <main>
          <div tabIndex={-1} ref={texts} class="focus">
            {item === undefined ? (
              <Unshown view={view} flow={flow} />
            ) : (
              <Texts item={item} open={view.open} onOpen={(part, isOpen) => flow.setOpen(part, isOpen)} />
            )}
          </div>
          {item === undefined || rubric === undefined ? null : (
            <RatingForm key={at} view={view} rubric={rubric} flow={flow} />
          )}
        </main>
      )}
      {dialog === 'paused' ? <PauseDialog onClose={close('paused')} /> : null}
      {dialog === 'keys' ? <KeysDialog keysOn={keysOn} onKeys={setKeysOn} onClose={close('keys')} /> : null}
    </>
  )
}

interface HeadProps extends Pick<RatingProps, 'desk' | 'state'> {
  readonly view: RatingView
  readonly onPause: () => void
  readonly onKeys: () => void
}

const Head = ({ desk, state, view, onPause, onKeys }: HeadProps): JSX.Element => (
  <header>
    <h1>Rating desk</h1>
    <span aria-live="polite">{placeText(view.at, state)}</span>
    <progress max={state.items} value={state.items - openItems(view.given)} aria-label="Items rated" />
    {view.at > 0 && view.at <= state.practice ? (
      <span class="small">for practice: it counts nowhere</span>
    ) : null}
    <span class="saved" role="status">
      {view.saved}
    </span>
    <span class="grow" />
    {desk.file === undefined ? null : <SaveCopy desk={desk} label="Save a copy" />}
    <button type="button" onClick={onPause}>
      Pause <kbd>P</kbd>
    </button>
    <button type="button" class="by-key" onClick={onKeys}>
      Keys <kbd>?</kbd>
    </button>
  </header>
)

const placeText = (at: number, { items, practice }: DeskState): string => {
  if (at === 0) return 'End'
  return at <= practice ? `Practice ${at} of ${practice}` : `Item ${at - practice} of ${items - practice}`
}

/** An item that is fetched, or can't be. */
const Unshown = ({ view, flow }: { readonly view: RatingView; readonly flow: RatingFlow }): JSX.Element => (
  <div class="texts">
    <p role="alert" class="problem">
      {view.problem}
    </p>
    {view.problem === '' ? null : (
      <button type="button" onClick={() => (view.isUnanswered ? flow.show(view.at) : flow.skip())}>
        {view.isUnanswered ? 'Try again' : 'Go on with the next'}
      </button>
    )}
  </div>
)

const openItems = (given: string): number => given.split('-').length - 1

/** Marks a criterion where it can be seen. */
const seen = (act: () => void) => (): void => {
  act()
  requestAnimationFrame(() => document.querySelector('.marked')?.scrollIntoView({ block: 'nearest' }))
}

const isVerdict = (rubric: RatingView['rubric']): boolean =>
  rubric?.scale.least === 0 && rubric.scale.most === 1

const keysOf = (
  flow: RatingFlow,
  { pause, keys }: { readonly pause: () => void; readonly keys: () => void },
): Readonly<Record<string, () => void>> => {
  const { at, draft, marked, open, item, rubric } = flow.view
  const rate = (score: number | null): (() => void) => seen(() => flow.score(score))
  const digits = Array.from({ length: 10 }, (_, digit) => [String(digit), rate(digit)] as const)
  return {
    ...Object.fromEntries(digits),
    ...(isVerdict(rubric) ? { y: rate(1), n: rate(0) } : {}),
    '-': rate(null),
    j: seen(() => flow.mark(marked + 1)),
    k: seen(() => flow.mark(marked - 1)),
    u: () => {
      if (at > 1) flow.show(at - 1)
    },
    c: () => {
      if (item?.context !== null) flow.setOpen('context', !open.has('context'))
    },
    r: () => {
      if (item?.reference !== null) flow.setOpen('reference', !open.has('reference'))
    },
    s: () => flow.setDraft({ ...draft, safety: !draft.safety }),
    x: () => {
      flow.setDraft({ ...draft, cannotJudge: !draft.cannotJudge, reason: null })
      if (!draft.cannotJudge) requestAnimationFrame(() => document.getElementById('reason')?.focus())
    },
    m: () => document.getElementById('comment')?.focus(),
    p: pause,
    '?': keys,
    Enter: () => flow.save(),
  }
}

/** Keys of the desk act where nothing is typed: not in text fields, not in dialogs, not with a modifier. */
const useKeys = (actions: Readonly<Record<string, () => void>>, isOn: boolean): void => {
  const current = useRef({ actions, isOn })
  current.current = { actions, isOn }
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      const { target } = event
      if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]') !== null)
        return
      if (!(target instanceof Element) || target.matches('textarea, select, input[type="text"]')) return
      // What has the focus does what Enter does to it.
      if (event.key === 'Enter' && target.matches('button, summary, a, input[type="file"]')) return
      if (event.key !== 'Enter' && !current.current.isOn) return
      const action = current.current.actions[event.key.length === 1 ? event.key.toLowerCase() : event.key]
      if (action === undefined) return
      event.preventDefault()
      action()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [])
}

interface TextsProps {
  readonly item: DeskItem
  readonly open: ReadonlySet<OpenedPart>
  readonly onOpen: (part: OpenedPart, isOpen: boolean) => void
}

/** What is rated and what it is held against. No text is ever taken for markup. */
const Texts = ({ item, open, onOpen }: TextsProps): JSX.Element => (
  <div class="texts">
    <section aria-labelledby="question">
      <h2 id="question">Question</h2>
      <Verbatim text={item.question} />
    </section>
    {item.context === null ? null : (
      <Closed
        part="context"
        title="Context: what the answer was written from"
        k="C"
        open={open}
        onOpen={onOpen}
      >
        {item.context}
      </Closed>
    )}
    <section aria-labelledby="answer">
      <h2 id="answer">Answer to rate</h2>
      <div class="answer">
        <Verbatim text={item.answer} />
      </div>
    </section>
    {item.reference === null ? null : (
      <Closed part="reference" title="Reference answer" k="R" open={open} onOpen={onOpen}>
        {item.reference}
      </Closed>
    )}
  </div>
)

interface ClosedProps extends Pick<TextsProps, 'open' | 'onOpen'> {
  readonly part: OpenedPart
  readonly title: string
  /** Its key. */
  readonly k: string
  readonly children: string
}

const Closed = ({ part, title, k, open, onOpen, children }: ClosedProps): JSX.Element => (
  <section>
    <details open={open.has(part)} onToggle={({ currentTarget }) => onOpen(part, currentTarget.open)}>
      <summary>
        {title} <kbd>{k}</kbd>
      </summary>
      {open.has(part) ? <Verbatim text={children} /> : null}
    </details>
  </section>
)
