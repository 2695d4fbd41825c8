import { digestJson } from '../../cache/values/digest.ts'
import { LostValueError } from '../../cache/problems/lost-value.ts'
import { ratingFault } from '../../targets/ratings/rubric/check-rating.ts'
import {
  currentRatings,
  hasHandedIn,
  practiceRatings,
  subjectKey,
  type CurrentRating,
} from '../../targets/ratings/current-ratings.ts'
import { subjectOf, type NewEvent } from '../../targets/ratings/event.ts'
import { queueKey, type QueuedUnit } from '../../targets/ratings/queue.ts'
import { saysTheSame, type GivenRating } from '../../targets/ratings/reasons.ts'
import type { Study } from '../../targets/ratings/study.ts'
import type { RatingLog } from '../ratings/rating-log.ts'
import type { RatingVault } from '../ratings/rating-vault.ts'
import {
  DeskError,
  shownRubric,
  type DeskItem,
  type DeskState,
  type RecognisedAnswer,
  type ReferenceShown,
} from './desk.ts'
import type { DeskTexts, UnitText } from './desk-texts.ts'
import { givenEvent } from './given-content.ts'

interface RaterDeskParts {
  readonly study: Study
  readonly rater: string
  readonly queue: readonly QueuedUnit[]
  readonly texts: DeskTexts
  readonly log: RatingLog
  readonly vault: Pick<RatingVault, 'comment' | 'keepComment'>
  readonly reference: ReferenceShown
  /** The time, in epoch milliseconds. */
  readonly now: () => number
}

interface Place extends QueuedUnit {
  /** Of what is rated, as in `queueKey`. */
  readonly key: string
}

/** A rating, and what was said of its item before it is added. */
interface Rated extends Pick<Place, 'key'> {
  readonly given: GivenRating
  readonly before: () => Promise<GivenRating | null>
}

/** One rater's queue: what is shown, in which order, and what is kept of it. */
export class RaterDesk {
  readonly #parts: RaterDeskParts
  readonly #places: readonly Place[]
  /** What the rater says now. */
  readonly #current = new Map<string, CurrentRating>()
  /** Of what the rater says, that whose comment the vault did not get: it is still open. */
  readonly #uncommented = new Set<string>()
  /** What the store turned out to have lost: it keeps nobody from handing in. */
  readonly #lost = new Set<string>()
  /** Of the rater's answers that no run holds any more. */
  readonly gone: number
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: RaterDeskParts) {
    const { queue, texts, log } = parts
    const all = queue.map((queued) => ({
      ...queued,
      key: queueKey(subjectKey(subjectOf(queued.unit)), queued.isPractice),
    }))
    this.#parts = parts
    this.#places = all.filter(({ unit }) => texts.has(unit))
    this.gone = all.length - this.#places.length
    for (const rating of currentRatings(log.events)) this.#current.set(subjectKey(rating.subject), rating)
    for (const rating of practiceRatings(log.events))
      this.#current.set(queueKey(subjectKey(rating.subject), true), rating)
  }

  /**
   * Opens again what was rated last, if its comment was not kept: the writer was killed, or its disk was full. What was
   * rated before that went on once it was kept; its comments may lie in another machine's vault.
   */
  async findUncommented(): Promise<void> {
    const { id, subject, content, practice } = this.#parts.log.events.at(-1) ?? {}
    if (id === undefined || subject === undefined || content?.comment !== true) return
    if ((await this.#parts.vault.comment(id)) !== undefined) return
    this.#uncommented.add(queueKey(subjectKey(subject), practice === true))
  }

  /** Tells nobody who it is. */
  get id(): string {
    const { study, rater } = this.#parts
    return digestJson([study.id, rater]).slice(0, 16)
  }

  state(): DeskState {
    const { texts, reference } = this.#parts
    return {
      items: this.#places.length,
      practice: this.#places.filter(({ isPractice }) => isPractice).length,
      rubrics: texts.rubrics.map(shownRubric),
      reference,
      given: this.#places
        .map(({ key }) => {
          if (!this.#isGiven(key)) return '-'
          return this.#current.get(key)?.isRated === true ? 'r' : 'x'
        })
        .join(''),
      handedIn: this.#isHandedIn(),
    }
  }

  /** @throws DeskError where the store lost it */
  async item(item: number): Promise<{ readonly item: DeskItem; readonly given: GivenRating | null }> {
    const place = this.#place(item)
    const { item: text, rubric } = this.#read(place)
    return { item: text, given: await this.#given(item, place, rubric) }
  }

  /** What the rater said of an item; null for nothing yet. */
  async #given(item: number, { key }: Place, rubric: UnitText['rubric']): Promise<GivenRating | null> {
    const rating = this.#current.get(key)
    if (rating === undefined) return null
    const { content, event, isRated } = rating
    const gaps = isRated ? rubric.criteria.map(({ name }) => [name, content.scores[name] ?? null]) : []
    return {
      item,
      scores: Object.fromEntries(gaps) as GivenRating['scores'],
      reason: content.reason ?? null,
      safety: content.safety ?? false,
      comment: content.comment === true ? ((await this.#parts.vault.comment(event)) ?? '') : '',
      active_ms: 0,
      opened: [],
    }
  }

  /** Durable when it resolves. @throws DeskError, ProblemError of the vault, or what the disk says */
  async save(given: GivenRating): Promise<void> {
    const place = this.#place(given.item)
    const { study, rater } = this.#parts
    const { rubric, graded } = this.#read(place)
    const fault = ratingFault(given, rubric)
    if (fault !== undefined) throw new DeskError(fault.text)
    const points = graded?.map((each) => each.points)
    const event = { study: study.id, rater, at: this.#at(), ...givenEvent(given, place, points) }
    await this.#add(event, { key: place.key, given, before: () => this.#given(given.item, place, rubric) })
  }

  async handIn(recognised: RecognisedAnswer): Promise<void> {
    // Whoever did not hear of it asks again.
    if (this.#isHandedIn()) return
    if (!this.#isDone()) throw new DeskError('Some items are still open.')
    const { study, rater } = this.#parts
    await this.#add({ study: study.id, rater, kind: 'handed-in', at: this.#at(), recognised, content: null })
  }

  #read({ unit, key }: Place): UnitText {
    try {
      return this.#parts.texts.read(unit)
    } catch (error) {
      if (!(error instanceof LostValueError)) throw error
      this.#lost.add(key)
      throw new DeskError('This answer can’t be read any more. Tell who asked you, and go on with the next.')
    }
  }

  /** One after the other: each event names the one before it. */
  #add(event: NewEvent, rated?: Rated): Promise<void> {
    const added = this.#append(this.#last, event, rated)
    this.#last = added.catch(() => undefined)
    return added
  }

  async #append(before: Promise<unknown>, event: NewEvent, rated?: Rated): Promise<void> {
    await before
    const { vault } = this.#parts
    if (this.#isHandedIn())
      throw new DeskError('This was handed in: nothing can be changed any more.', 'over')
    // The last event alone tells a next start that a comment is missing: nothing goes behind it.
    const open = this.#places.findIndex(
      ({ key }) => key !== rated?.key && this.#uncommented.has(key) && !this.#lost.has(key),
    )
    if (open >= 0)
      throw new DeskError(`The comment on item ${open + 1} is not saved yet: save that item again first.`)
    // Looked back at, or sent again as nobody heard that it was kept: the time it took stays that of the rating.
    const kept = await rated?.before()
    const isLacking = rated !== undefined && this.#uncommented.has(rated.key)
    if (rated && kept && !isLacking && saysTheSame(rated.given, kept)) return
    const hasComment = event.content?.comment === true
    const id = (rated && kept && hasComment && this.#lacking(rated, kept)) || this.#log(event)
    if (rated === undefined) return
    // Behind its event: what no log names no withdrawal would find.
    if (hasComment) {
      this.#uncommented.add(rated.key)
      await vault.keepComment(id, rated.given.comment)
    }
    this.#uncommented.delete(rated.key)
  }

  /** @returns the event's id */
  #log(event: NewEvent): string {
    const { log } = this.#parts
    const next = log.next(event)
    log.append([next])
    const isPractice = event.practice === true
    for (const rating of (isPractice ? practiceRatings : currentRatings)([next]))
      this.#current.set(queueKey(subjectKey(rating.subject), isPractice), rating)
    return next.id
  }

  /** The event of a rating whose comment the vault did not get, and that is sent again. */
  #lacking({ key, given }: Rated, kept: GivenRating): string | undefined {
    const { event, content } = this.#current.get(key) ?? {}
    return content?.comment === true && saysTheSame({ ...given, comment: '' }, kept) ? event : undefined
  }

  #place(item: number): Place {
    const place = this.#places[item - 1]
    if (place === undefined) throw new DeskError(`There is no item ${item}.`)
    return place
  }

  #isGiven(key: string): boolean {
    return this.#current.has(key) && !this.#uncommented.has(key)
  }

  #isDone(): boolean {
    return this.#places.every(
      ({ key, isPractice }) => isPractice || this.#isGiven(key) || this.#lost.has(key),
    )
  }

  /** Until the plan asks for more. */
  #isHandedIn(): boolean {
    return hasHandedIn(this.#parts.log.events) && this.#isDone()
  }

  #at(): string {
    return `${new Date(this.#parts.now()).toISOString().slice(0, 19)}Z`
  }
}
