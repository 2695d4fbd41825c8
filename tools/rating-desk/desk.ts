import type { RatingRubric } from '../../targets/ratings/rubric/rating-rubric.ts'
import type { GivenRating } from '../../targets/ratings/reasons.ts'

/** A rubric as the page has it: no digest, by which it could be looked up. */
export type ShownRubric = Pick<RatingRubric, 'criteria' | 'scale' | 'ends'>

export const shownRubric = ({ criteria, scale, ends }: ShownRubric): ShownRubric => ({
  criteria,
  scale,
  ...(ends === undefined ? {} : { ends }),
})

export type ReferenceShown = 'closed' | 'open' | 'never'

/** What a rater sees of an answer. Nothing in it tells whose it is. */
export interface DeskItem {
  readonly question: string
  /** What the answer was written from, where that is more than the question. */
  readonly context: string | null
  readonly answer: string
  readonly reference: string | null
  /** Place in the desk's rubrics, or the instance's own. */
  readonly rubric: number | ShownRubric
}

/** A desk as it is opened. */
export interface DeskState {
  readonly items: number
  /** So many of the items, the first ones, are for practice and count nowhere. */
  readonly practice: number
  readonly rubrics: readonly ShownRubric[]
  readonly reference: ReferenceShown
  /** A character an item: `-` open, `r` rated, `x` can't be judged. */
  readonly given: string
  readonly handedIn: boolean
}

export type RecognisedAnswer = 'no' | 'some' | 'most'

/** What the page asks of where it comes from: a server of this machine, or the sealed part of its own file. */
export interface Desk {
  /** The texts are sealed: opening wants the secret. */
  readonly isSealed: boolean
  /**
   * @param copy of a sealed file: what was saved of it before, to be taken up
   * @throws DeskError for a wrong secret, or a copy of another file
   */
  open(secret: string, copy?: string): Promise<DeskState>
  /** @param item from 1 */
  item(item: number): Promise<{ readonly item: DeskItem; readonly given: GivenRating | null }>
  /** Resolves when it is durable. @throws DeskError */
  save(rating: GivenRating): Promise<void>
  handIn(recognised: RecognisedAnswer): Promise<void>
  /** Of a sealed file: everything that was rated, to be sent back. */
  file?(): Promise<{ readonly name: string; readonly text: string }>
}

/**
 * What it means for the desk. `over`: it is open elsewhere, or closed, and nothing more can be saved here; `unanswered`:
 * nobody said anything, and trying again may help.
 */
export type DeskFate = 'goes-on' | 'over' | 'unanswered'

/** What a rater must know: shown as it is. */
export class DeskError extends Error {
  readonly fate: DeskFate

  constructor(message: string, fate: DeskFate = 'goes-on') {
    super(message)
    this.name = 'DeskError'
    this.fate = fate
  }
}

export const problemText = (error: unknown): string =>
  error instanceof DeskError ? error.message : `Something went wrong: ${String(error)}`
