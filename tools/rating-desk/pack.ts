import type { GivenRating } from '../../targets/ratings/reasons.ts'
import type { DeskItem, RecognisedAnswer, ReferenceShown, ShownRubric } from './desk.ts'
import type { SealedBox } from './seal.ts'

/** A sealed desk as it stands in its page. The names are for the file that comes back; all else is sealed. */
export interface SealedPack {
  readonly medmake: 'pack 2'
  readonly study: string
  readonly rater: string
  /** By chance: salt of the key, and name of what the browser keeps. */
  readonly pack: string
  readonly head: string
  /** Items, several in one: each costs its sealing and opening. */
  readonly blocks: readonly string[]
}

/** What `head` holds. */
export interface PackHead {
  readonly rubrics: readonly ShownRubric[]
  readonly reference: ReferenceShown
  /** Items of each block. */
  readonly sizes: readonly number[]
  readonly practice: number
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

export const blockPlace = (block: number): string => `block ${block}`

/** Characters from which a block is full. */
const BLOCK = 100_000

/** Seals a rater's items. */
export const sealPack = async (
  named: Pick<SealedPack, 'study' | 'rater' | 'pack'>,
  head: Omit<PackHead, 'sizes'>,
  items: Iterable<DeskItem>,
  box: SealedBox,
): Promise<SealedPack> => {
  const blocks: string[] = []
  const sizes: number[] = []
  let waiting: string[] = []
  let held = 0
  const flush = async (): Promise<void> => {
    if (waiting.length === 0) return
    sizes.push(waiting.length)
    blocks.push(await box.seal(`[${waiting.join(',')}]`, blockPlace(blocks.length)))
    waiting = []
    held = 0
  }
  for (const item of items) {
    const text = JSON.stringify(item)
    waiting.push(text)
    held += text.length
    if (held > BLOCK) await flush()
  }
  await flush()
  const whole: PackHead = { ...head, sizes }
  return { medmake: 'pack 2', ...named, head: await box.seal(JSON.stringify(whole), 'head'), blocks }
}

/** Where an item lies. @param item from 1 @returns both from 0; undefined for an item that is not there */
export const placeInBlocks = (
  item: number,
  sizes: readonly number[],
): { readonly block: number; readonly at: number } | undefined => {
  let at = item - 1
  for (const [block, size] of sizes.entries()) {
    if (at < size) return at < 0 ? undefined : { block, at }
    at -= size
  }
  return undefined
}
