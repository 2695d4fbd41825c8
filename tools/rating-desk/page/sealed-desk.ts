import { givenMark, type GivenRating } from '../../../targets/ratings/reasons.ts'
import { DeskError, type Desk, type DeskState } from '../desk.ts'
import { RETURNED, type PackEvent, type PackHead, type ReturnedPack, type SealedPack } from '../pack.ts'
import { boxOf, type SealedBox } from '../seal.ts'
import { sealedItems } from './sealed-items.ts'
import { openKept, type KeptEvent } from './kept-events.ts'

/** A desk whose texts lie sealed in its own page. It keeps what is rated, sealed, in the browser. */
export const sealedDesk = (pack: SealedPack): Desk => {
  let box: SealedBox | undefined
  let kept: KeptEvent | undefined
  const events: PackEvent[] = []
  const opened = (): { readonly box: SealedBox; readonly kept: KeptEvent } => {
    if (box === undefined || kept === undefined) throw new DeskError('This file is not open.')
    return { box, kept }
  }
  const add = async (event: PackEvent): Promise<void> => {
    const own = opened()
    try {
      await own.kept.add(await own.box.seal(JSON.stringify(event), `event ${event.id}`), event.id)
    } catch {
      throw new DeskError('the browser keeps nothing more. Save a copy, then make room.')
    }
    events.push(event)
  }
  const last = (item: number): GivenRating | undefined =>
    events.flatMap((event) => ('rating' in event && event.rating.item === item ? [event.rating] : [])).at(-1)
  let itemOf: ReturnType<typeof sealedItems> = () => Promise.resolve(undefined)
  return {
    isSealed: true,
    open: async (secret, copy) => {
      const tried = await boxOf(secret, pack.pack)
      const head = await tried.open(pack.head, 'head')
      if (head === undefined) throw new DeskError('That secret does not open this file.')
      box = tried
      kept ??= await openKept(pack.pack)
      events.splice(0, events.length, ...(await readKept(kept, tried)))
      if (copy !== undefined) for (const event of await copied(copy, pack, tried, events)) await add(event)
      const known = JSON.parse(head) as PackHead
      itemOf = sealedItems(pack.blocks, known.sizes, tried)
      return stateOf(known, events)
    },
    item: async (item) => {
      const text = await itemOf(item)
      if (text === undefined)
        throw new DeskError(`Item ${item} of this file is damaged. Ask for another file.`)
      return { item: text, given: last(item) ?? null }
    },
    save: (rating) => add({ ...named(), rating }),
    handIn: (recognised) => add({ ...named(), recognised }),
    file: async () => {
      const { study, rater, pack: id } = pack
      const sealed = await opened().box.seal(JSON.stringify(events), RETURNED)
      const returned: ReturnedPack = { medmake: 'ratings 1', study, rater, pack: id, sealed }
      return { name: `${study}-${rater}.ratings.json`, text: `${JSON.stringify(returned)}\n` }
    },
  }
}

const stateOf = ({ sizes, ...head }: PackHead, events: readonly PackEvent[]): DeskState => {
  const items = sizes.reduce((sum, size) => sum + size, 0)
  return {
    ...head,
    items,
    given: givenOf(events, items),
    handedIn: events.some((event) => 'recognised' in event),
  }
}

const named = (): { readonly id: string; readonly at: string } => ({
  id: crypto.randomUUID(),
  at: `${new Date().toISOString().slice(0, 19)}Z`,
})

const givenOf = (events: readonly PackEvent[], items: number): string => {
  const given = Array.from({ length: items }, () => '-')
  for (const event of events) if ('rating' in event) given[event.rating.item - 1] = givenMark(event.rating)
  return given.join('')
}

const readKept = async (kept: KeptEvent, box: SealedBox): Promise<readonly PackEvent[]> => {
  const events: PackEvent[] = []
  for (const { id, sealed } of await kept.all()) {
    const text = await box.open(sealed, `event ${id}`)
    if (text !== undefined) events.push(JSON.parse(text) as PackEvent)
  }
  return events
}

/** Events of a saved copy that are not here yet. */
const copied = async (
  copy: string,
  pack: SealedPack,
  box: SealedBox,
  known: readonly PackEvent[],
): Promise<readonly PackEvent[]> => {
  const returned = parsed(copy)
  const text = returned?.pack === pack.pack ? await box.open(returned.sealed, RETURNED) : undefined
  if (text === undefined) throw new DeskError('That copy is of another file, or damaged.')
  const ids = new Set(known.map(({ id }) => id))
  return (JSON.parse(text) as readonly PackEvent[]).filter(({ id }) => !ids.has(id))
}

const parsed = (text: string): ReturnedPack | undefined => {
  try {
    return JSON.parse(text) as ReturnedPack
  } catch {
    return undefined
  }
}
