import { ratingFault, type RatingFault } from '../../../targets/ratings/rubric/check-rating.ts'
import { givenMark, type OpenedPart } from '../../../targets/ratings/reasons.ts'
import {
  DeskError,
  problemText,
  type Desk,
  type DeskItem,
  type DeskState,
  type ShownRubric,
} from '../desk.ts'
import { draftOf, EMPTY, ratingOf, type Draft } from './draft.ts'

/** An item on the screen, and what was done to it. */
export interface RatingView {
  /** From 1; 0 is the end, where everything is handed in. */
  readonly at: number
  /** Undefined while it is fetched. */
  readonly item: DeskItem | undefined
  readonly rubric: ShownRubric | undefined
  readonly draft: Draft
  readonly marked: number
  readonly open: ReadonlySet<OpenedPart>
  readonly problem: string
  /** The item was not sent, and may be on another try. */
  readonly isUnanswered: boolean
  readonly saved: string
  readonly busy: boolean
  /** A character an item, as in the desk's state. */
  readonly given: string
}

/** Item after item: fetches, saves, and only then goes on. */
export class RatingFlow {
  readonly clock = new ActiveClock()
  view: RatingView
  onChange: (view: RatingView) => void = () => undefined
  readonly #desk: Desk
  readonly #state: DeskState
  readonly #onOver: (problem: string) => void
  #seen: ReadonlySet<OpenedPart> = new Set()
  /** What was begun of items and not saved, by item. */
  readonly #begun = new Map<number, Draft>()
  /** Those of them that were shown again before the end. */
  readonly #returned = new Set<number>()
  /** What the item on the screen was when it came. */
  #loaded: Draft = EMPTY

  constructor(desk: Desk, state: DeskState, onOver: (problem: string) => void) {
    this.#desk = desk
    this.#state = state
    this.#onOver = onOver
    this.view = { ...blank(0), given: state.given }
  }

  begin(): void {
    const { handedIn, given } = this.#state
    this.show(handedIn ? 0 : nextOpen(given, 0))
  }

  /** @param at an item, or 0 for the end */
  show(at: number): void {
    if (this.view.busy) return
    const { given, saved, item, draft, at: before } = this.view
    // Whoever looks back at another item finds this one as it was left.
    if (item !== undefined && draft !== this.#loaded) this.#begun.set(before, draft)
    this.#change({ ...blank(at), given, saved })
    if (at === 0) return
    this.#load(at).catch((error: unknown) => this.#fail(error, ''))
  }

  save(): void {
    const { at, draft, rubric, busy, given } = this.view
    if (busy || rubric === undefined) return
    const fault = faultOf(draft, rubric)
    if (fault !== undefined) {
      const at = rubric.criteria.findIndex(({ name }) => name === fault.criterion)
      this.#change({ problem: fault.text, ...(at < 0 ? {} : { marked: at }) })
      focusOn(fault)
      return
    }
    this.#change({ busy: true, problem: '', saved: 'Saving …' })
    const rating = ratingOf(draft)
    const kept = this.#desk.save({
      item: at,
      ...rating,
      active_ms: this.clock.spent,
      opened: [...this.#seen],
    })
    this.#next(kept, draft, marked(given, at, givenMark(rating))).catch((error: unknown) =>
      this.#fail(error, 'Not saved: '),
    )
  }

  /** Whether a rating, or part of one, would be lost with the page. */
  get hasUnsaved(): boolean {
    const { item, draft } = this.view
    return this.#begun.size > 0 || (item !== undefined && draft !== this.#loaded)
  }

  /** Goes on without an item that can't be shown. */
  skip(): void {
    const { at, given } = this.view
    const after = marked(given, at, 'x')
    this.#change({ given: after })
    this.show(this.#nextOf(after, at))
  }

  /** The next open item; behind the last one what was changed and is not saved, once: it may be that it can't be. */
  #nextOf(given: string, at: number): number {
    const open = nextOpen(given, at)
    const begun = open > 0 ? undefined : [...this.#begun.keys()].find((each) => !this.#returned.has(each))
    if (begun !== undefined) this.#returned.add(begun)
    return begun ?? open
  }

  async #load(at: number): Promise<void> {
    const { item, given } = await this.#desk.item(at)
    // Another one was asked for meanwhile.
    if (this.view.at !== at) return
    this.#seen = new Set<OpenedPart>(this.#state.reference === 'open' ? ['reference'] : [])
    const rubric = typeof item.rubric === 'number' ? this.#state.rubrics[item.rubric] : item.rubric
    this.#loaded = draftOf(given)
    const begun = this.#begun.get(at)
    const draft = begun ?? this.#loaded
    this.#change({ item, rubric, draft, open: this.#seen, ...(begun && { saved: 'Not saved yet' }) })
    this.clock.restart()
  }

  /** The next item is shown once this one is durable. */
  async #next(kept: Promise<void>, sent: Draft, given: string): Promise<void> {
    await kept
    const { at, draft } = this.view
    this.#loaded = sent
    this.#returned.delete(at)
    // What was changed since it was sent is not saved.
    if (draft === sent) this.#begun.delete(at)
    else this.#begun.set(at, draft)
    this.#change({ given, saved: 'Saved', busy: false })
    this.show(this.#nextOf(given, at))
  }

  setDraft(draft: Draft): void {
    this.#change({ draft, problem: '' })
  }

  mark(criterion: number): void {
    const last = (this.view.rubric?.criteria.length ?? 1) - 1
    this.#change({ marked: Math.max(0, Math.min(last, criterion)) })
  }

  /** Rates the marked criterion and marks the next one, open ones first. @param score null: it can't be judged */
  score(score: number | null): void {
    const { rubric, marked, draft } = this.view
    const name = rubric?.criteria[marked]?.name
    if (rubric === undefined || name === undefined) return
    if (score !== null && (score < rubric.scale.least || score > rubric.scale.most)) return
    const scores = { ...draft.scores, [name]: score }
    const open = rubric.criteria.findIndex((each) => scores[each.name] === undefined)
    const last = rubric.criteria.length - 1
    // All are rated: one after the other is changed.
    const next = open < 0 ? Math.min(last, marked + 1) : open
    this.#change({ draft: { ...draft, scores }, marked: next, problem: '' })
  }

  setOpen(part: OpenedPart, isOpen: boolean): void {
    const { open } = this.view
    if (open.has(part) === isOpen) return
    if (isOpen) this.#seen = new Set([...this.#seen, part])
    this.#change({ open: new Set(isOpen ? [...open, part] : [...open].filter((each) => each !== part)) })
  }

  #change(part: Partial<RatingView>): void {
    this.view = { ...this.view, ...part }
    this.onChange(this.view)
  }

  #fail(error: unknown, prefix: string): void {
    const fate = error instanceof DeskError ? error.fate : 'goes-on'
    const problem = `${prefix}${problemText(error)}`
    if (prefix !== '') this.#change({ busy: false, problem, saved: 'Not saved' })
    // What is on the screen stays there as long as there is anything.
    else if (fate === 'over') this.#onOver(problem)
    else this.#change({ problem, isUnanswered: fate === 'unanswered' })
  }
}

const blank = (at: number): Omit<RatingView, 'given'> => ({
  at,
  item: undefined,
  rubric: undefined,
  draft: EMPTY,
  marked: 0,
  open: new Set(),
  problem: '',
  isUnanswered: false,
  saved: '',
  busy: false,
})

/** The next item when it is open, else the first open one; 0 when none is. */
const nextOpen = (given: string, at: number): number => (given[at] === '-' ? at + 1 : given.indexOf('-') + 1)

const marked = (given: string, at: number, mark: 'r' | 'x'): string =>
  given.slice(0, at - 1) + mark + given.slice(at)

const faultOf = (draft: Draft, rubric: ShownRubric): RatingFault | undefined =>
  draft.cannotJudge && draft.reason === null
    ? { text: 'Choose why it cannot be judged.', field: 'reason' }
    : ratingFault(ratingOf(draft), rubric)

const focusOn = (fault: RatingFault): void => {
  const selector =
    fault.field === undefined ? `input[name="${CSS.escape(fault.criterion ?? '')}"]` : `#${fault.field}`
  document.querySelector<HTMLElement>(selector)?.focus()
}

/** Without a key or a pointer for so long, nobody is there. */
const IDLE_MS = 120_000

/** Counts the milliseconds that a page is looked at: visible, not paused, something done within two minutes. */
class ActiveClock {
  #spent = 0
  #since: number | undefined
  #last = 0
  #paused = false

  constructor() {
    for (const name of ['keydown', 'pointerdown', 'pointermove', 'scroll', 'wheel'])
      addEventListener(name, () => this.#touch(), { passive: true, capture: true })
    document.addEventListener('visibilitychange', () => (document.hidden ? this.#stop() : this.#touch()))
  }

  /** Begins a new item. */
  restart(): void {
    this.#spent = 0
    this.#since = undefined
    this.#touch()
  }

  pause(): void {
    this.#stop()
    this.#paused = true
  }

  resume(): void {
    this.#paused = false
    this.#touch()
  }

  /** Whole milliseconds since the item began. */
  get spent(): number {
    const now = performance.now()
    const running = this.#since === undefined ? 0 : Math.min(now, this.#last + IDLE_MS) - this.#since
    return Math.max(0, Math.round(this.#spent + running))
  }

  #touch(): void {
    if (this.#paused || document.hidden) return
    const now = performance.now()
    if (this.#since !== undefined && now > this.#last + IDLE_MS) this.#stop()
    this.#since ??= now
    this.#last = now
  }

  #stop(): void {
    this.#spent = this.spent
    this.#since = undefined
  }
}
