import { ratingFault } from '../../targets/ratings/check-rating.ts'
import {
  currentRatings,
  hasHandedIn,
  subjectKey,
  type CurrentRating,
} from '../../targets/ratings/current-ratings.ts'
import type { NewEvent, RatingSubject } from '../../targets/ratings/event.ts'
import type { GivenRating } from '../../targets/ratings/reasons.ts'
import { contentOf } from './given-content.ts'
import type { Study, StudyUnit } from '../../targets/ratings/study.ts'
import { unitKey } from '../../targets/ratings/unit.ts'
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
import type { DeskTexts } from './desk-texts.ts'

export interface RaterDeskParts {
  readonly study: Study
  readonly rater: string
  readonly texts: DeskTexts
  readonly log: RatingLog
  readonly vault: Pick<RatingVault, 'comment' | 'keepComment'>
  readonly reference: ReferenceShown
  /** The time, in epoch milliseconds. */
  readonly now: () => number
}

interface Place {
  readonly unit: StudyUnit
  /** Of what is rated, as in `subjectKey`. */
  readonly key: string
  /** In the rater's order, from 1. */
  readonly order: number
}

/** One rater's queue: what is shown, in which order, and what is kept of it. */
export class RaterDesk {
  readonly #parts: RaterDeskParts
  readonly #places: readonly Place[]
  /** What the rater says now, by subject. */
  readonly #current: Map<string, CurrentRating>
  /** Of the rater's answers that no run holds any more. */
  readonly gone: number
  #last: Promise<unknown> = Promise.resolve()

  constructor(parts: RaterDeskParts) {
    const { study, rater, texts } = parts
    const byNumber = new Map(study.units.map((unit) => [unit.number, unit]))
    const all = (study.raters.find(({ name }) => name === rater)?.units ?? []).flatMap((number, index) => {
      const unit = byNumber.get(number)
      return unit === undefined ? [] : [{ unit, key: subjectKey(subjectOf(unit)), order: index + 1 }]
    })
    this.#parts = parts
    this.#places = all.filter(({ unit }) => texts.items.has(unitKey(unit)))
    this.gone = all.length - this.#places.length
    this.#current = new Map(
      currentRatings(parts.log.events).map((rating) => [subjectKey(rating.subject), rating]),
    )
  }

  state(): DeskState {
    const { texts, reference } = this.#parts
    return {
      items: this.#places.length,
      rubrics: texts.rubrics.map(shownRubric),
      reference,
      given: this.#places
        .map(({ key }) => {
          const rating = this.#current.get(key)
          return rating === undefined ? '-' : rating.isRated ? 'r' : 'x'
        })
        .join(''),
      handedIn: this.#isHandedIn(),
    }
  }

  async item(item: number): Promise<{ readonly item: DeskItem; readonly given: GivenRating | null }> {
    const { texts, vault } = this.#parts
    const { unit, key } = this.#place(item)
    const text = texts.items.get(unitKey(unit))
    if (text === undefined) throw new DeskError('This item is not here any more.')
    const rating = this.#current.get(key)
    if (rating === undefined) return { item: text, given: null }
    const { content, event } = rating
    return {
      item: text,
      given: {
        item,
        scores: content.scores,
        reason: content.reason ?? null,
        safety: content.safety ?? false,
        comment: content.comment === true ? ((await vault.comment(event)) ?? '') : '',
        active_ms: 0,
        opened: [],
      },
    }
  }

  /** Durable when it resolves. @throws DeskError, ProblemError of the vault, or what the disk says */
  async save(given: GivenRating): Promise<void> {
    const { unit, order } = this.#place(given.item)
    const { texts, study, rater } = this.#parts
    const rubric = texts.rubrics.find(({ digest }) => digest === unit.rubric)
    if (rubric === undefined) throw new DeskError('The rubric of this item is not here any more.')
    const fault = ratingFault(given, rubric)
    if (fault !== undefined) throw new DeskError(fault.text)
    const { reason, comment } = given
    await this.#add(
      {
        study: study.id,
        rater,
        kind: reason === null ? 'rated' : 'cannot-judge',
        at: this.#at(),
        order,
        subject: subjectOf(unit),
        content: contentOf(given),
      },
      comment,
    )
  }

  async handIn(recognised: RecognisedAnswer): Promise<void> {
    if (this.#places.some(({ key }) => !this.#current.has(key)))
      throw new DeskError('Some items are still open.')
    const { study, rater } = this.#parts
    await this.#add(
      { study: study.id, rater, kind: 'handed-in', at: this.#at(), recognised, content: null },
      '',
    )
  }

  /** One after the other: each event names the one before it. */
  #add(event: NewEvent, comment: string): Promise<void> {
    const added = this.#append(this.#last, event, comment)
    this.#last = added.catch(() => undefined)
    return added
  }

  async #append(before: Promise<unknown>, event: NewEvent, comment: string): Promise<void> {
    await before
    const { log, vault } = this.#parts
    if (this.#isHandedIn()) throw new DeskError('This was handed in: nothing can be changed any more.', true)
    const next = log.next(event)
    if (event.content?.comment === true) await vault.keepComment(next.id, comment)
    log.append([next])
    for (const rating of currentRatings([next])) this.#current.set(subjectKey(rating.subject), rating)
  }

  #place(item: number): Place {
    const place = this.#places[item - 1]
    if (place === undefined) throw new DeskError(`There is no item ${item}.`)
    return place
  }

  /** Until the plan asks for more. */
  #isHandedIn(): boolean {
    return hasHandedIn(this.#parts.log.events) && this.#places.every(({ key }) => this.#current.has(key))
  }

  #at(): string {
    return `${new Date(this.#parts.now()).toISOString().slice(0, 19)}Z`
  }
}

export const subjectOf = ({ benchmark, instance, answer, rubric }: StudyUnit): RatingSubject => ({
  benchmark,
  instance,
  answer,
  rubric,
})
