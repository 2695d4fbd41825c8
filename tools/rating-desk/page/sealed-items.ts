import type { DeskItem } from '../desk.ts'
import { blockPlace, placeInBlocks } from '../pack.ts'
import type { SealedBox } from '../seal.ts'

/** Reads items out of sealed blocks, keeping the last block open. Undefined for one that is damaged or not there. */
export const sealedItems = (
  blocks: readonly string[],
  sizes: readonly number[],
  box: SealedBox,
): ((item: number) => Promise<DeskItem | undefined>) => {
  let near: { readonly block: number; readonly items: readonly DeskItem[] } | undefined
  return async (item) => {
    const place = placeInBlocks(item, sizes)
    if (place === undefined) return undefined
    const { block, at } = place
    if (near?.block !== block) {
      const text = await box.open(blocks[block] ?? '', blockPlace(block))
      if (text === undefined) return undefined
      near = { block, items: JSON.parse(text) as readonly DeskItem[] }
    }
    return near.items[at]
  }
}
