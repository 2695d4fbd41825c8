import { parsedJson } from '../../../cache/values/json.ts'
import { givenMark, saysTheSame, type GivenRating } from '../../../targets/ratings/reasons.ts'
import { DeskError, type Desk, type DeskState, type DeskItem } from '../desk.ts'
import {
  RETURNED,
  type PackEvent,
  type PackHead,
  type ReturnedPack,
  type SealedPack,
  blockPlace,
  placeInBlocks,
} from '../pack.ts'
import { boxOf, type SealedBox } from '../seal.ts'

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
      if (copy !== undefined)
        for (const event of merged(events, await copied(copy, pack, tried, events))) await add(event)
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
    save: async (rating) => {
      const before = last(rating.item)
      if (before === undefined || !saysTheSame(before, rating)) await add({ ...named(), rating })
    },
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
  const returned = parsedJson(copy) as ReturnedPack | undefined
  const text = returned?.pack === pack.pack ? await box.open(returned.sealed, RETURNED) : undefined
  if (text === undefined) throw new DeskError('That copy is of another file, or damaged.')
  const ids = new Set(known.map(({ id }) => id))
  return (JSON.parse(text) as readonly PackEvent[]).filter(({ id }) => !ids.has(id))
}

/**
 * Events of a copy to be kept behind the own ones: what was rated here after it, as clocks tell, is said again, or the copy
 * would have the last word. Hand-ins come last.
 */
const merged = (own: readonly PackEvent[], copy: readonly PackEvent[]): readonly PackEvent[] => {
  const [there, here] = [lastByItem(copy), lastByItem(own)]
  const later = [...here.values()].filter(({ at, rating }) => (there.get(rating.item)?.at ?? at) < at)
  return [
    ...copy.filter((event) => 'rating' in event),
    ...later.map(({ at, rating }) => ({ ...named(), at, rating })),
    ...copy.filter((event) => 'recognised' in event),
  ]
}

type RatedEvent = Extract<PackEvent, { readonly rating: unknown }>

const lastByItem = (events: readonly PackEvent[]): ReadonlyMap<number, RatedEvent> =>
  new Map(events.flatMap((event) => ('rating' in event ? [[event.rating.item, event] as const] : [])))

/** What a browser keeps of a sealed desk: ciphertext, in the order in which it came. */
interface KeptEvent {
  add(sealed: string, id: string): Promise<void>
  all(): Promise<readonly { readonly id: string; readonly sealed: string }[]>
}

const TABLE = 'events'

/** One page at a time. @throws DeskError where another has it, or the browser keeps nothing */
const openKept = async (name: string): Promise<KeptEvent> => {
  const free = await lock(name)
  if (free === undefined) throw new DeskError('This file is open in another tab; go on there.')
  const base = await openBase(name).catch(() => {
    free()
    throw new DeskError('This browser keeps nothing of a page from disk: use another one.')
  })
  return {
    add: (sealed, id) =>
      new Promise((resolve, reject) => {
        const change = base.transaction(TABLE, 'readwrite', { durability: 'strict' })
        change.objectStore(TABLE).add({ id, sealed })
        change.addEventListener('complete', () => resolve())
        change.addEventListener('abort', () => reject(change.error ?? new Error('aborted')))
      }),
    all: () =>
      new Promise((resolve, reject) => {
        const asked = base.transaction(TABLE).objectStore(TABLE).getAll()
        asked.addEventListener('success', () => resolve(asked.result as { id: string; sealed: string }[]))
        asked.addEventListener('error', () => reject(asked.error ?? new Error('unreadable')))
      }),
  }
}

const openBase = (name: string): Promise<IDBDatabase> =>
  new Promise((resolve, reject) => {
    const asked = indexedDB.open(`medmake-${name}`, 1)
    asked.addEventListener('upgradeneeded', () =>
      asked.result.createObjectStore(TABLE, { autoIncrement: true }),
    )
    asked.addEventListener('success', () => resolve(asked.result))
    asked.addEventListener('error', () => reject(asked.error ?? new Error('closed')))
  })

/** Held as long as the page is there, unless it is given back; undefined where another page has it. */
const lock = (name: string): Promise<(() => void) | undefined> =>
  new Promise((resolve) => {
    void navigator.locks.request(`medmake-${name}`, { ifAvailable: true }, (held) => {
      if (held === null) return resolve(undefined)
      return new Promise<void>(resolve)
    })
  })

/** Reads items out of sealed blocks, keeping the last block open. Undefined for one that is damaged or not there. */
const sealedItems = (
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
