import type { GivenRating } from '../../targets/ratings/reasons.ts'
import type { DeskItem, RecognisedAnswer, ReferenceShown, ShownRubric } from './desk.ts'
import type { SealedBox } from './seal.ts'

/** A sealed desk as it stands in its page. The names are for the file that comes back; all else is sealed. */
export interface SealedPack {
  readonly medmake: 'pack 1'
  readonly study: string
  readonly rater: string
  /** By chance: salt of the key, and name of what the browser keeps. */
  readonly pack: string
  readonly head: string
  readonly items: readonly string[]
}

/** What `head` holds. */
export interface PackHead {
  readonly rubrics: readonly ShownRubric[]
  readonly reference: ReferenceShown
}

/** What was done in a sealed desk, one after the other. */
export type PackEvent = { readonly id: string; readonly at: string } & (
  | { readonly rating: GivenRating }
  | { readonly recognised: RecognisedAnswer }
)

/** What comes back: sealed as well, so that it is whole and nobody reads comments on the way. */
export interface ReturnedPack {
  readonly medmake: 'ratings 1'
  readonly study: string
  readonly rater: string
  readonly pack: string
  readonly sealed: string
}

export const RETURNED = 'returned'

export const itemPlace = (index: number): string => `item ${index}`

/** Seals a rater's items. */
export const sealPack = async (
  named: Pick<SealedPack, 'study' | 'rater' | 'pack'>,
  head: PackHead,
  items: readonly DeskItem[],
  box: SealedBox,
): Promise<SealedPack> => ({
  medmake: 'pack 1',
  ...named,
  head: await box.seal(JSON.stringify(head), 'head'),
  items: await Promise.all(items.map((item, index) => box.seal(JSON.stringify(item), itemPlace(index)))),
})
