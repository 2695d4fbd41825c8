import { createHash } from 'node:crypto'
import type { DiskStore } from '../disk-store.ts'
import { isShared, type RawValue } from '../values/encoded.ts'
import { digestOf } from '../values/digest.ts'

/** What a merge did. */
export interface MergeReport {
  /** Values that the store lacked. */
  readonly added: number
  /** Values that it had already, byte for byte. */
  readonly known: number
  /**
   * Replies that were paid for twice and differ: one of them counts, the same wherever they meet. `replaced` is how many
   * of the store's own gave way.
   */
  readonly differing: number
  readonly replaced: number
}

const AT_ONCE = 1000

const sha256 = (payload: Buffer): Buffer => createHash('sha256').update(payload).digest()

/**
 * Whether of two different values of one id the second counts: that with the smaller sha256. So merges may come in any
 * order, in any grouping and more than once, and end the same.
 */
const winsOver = (mine: Buffer, theirs: Buffer): boolean => sha256(theirs).compare(sha256(mine)) < 0

/** Ledger entries of earlier versions get the ids that they have everywhere. */
const renumberLedger = async (store: DiskStore): Promise<void> => {
  const old: string[] = []
  for (const { id, payload } of store.values(['ledger']))
    if (currentLedgerId(id, payload) !== id) old.push(id)
  for (const id of old) {
    const payload = store.payload('ledger', id)
    if (payload === undefined) continue
    const copy = Buffer.from(payload)
    await store.putPayload('ledger', currentLedgerId(id, copy), copy)
    await store.remove('ledger', id)
  }
}

/** Replaces replies: what was made of them must be gone before, or a kill would leave numbers of replies that are no more. */
export type Replacing = (write: () => Promise<void>) => Promise<void>

/** Takes what is shared of `values` over into the store. @throws ProblemError `cache/disk-full` and its kin */
export const mergeValues = async (
  store: DiskStore,
  values: Iterable<RawValue> | AsyncIterable<RawValue>,
  replacing: Replacing,
): Promise<MergeReport> => {
  await renumberLedger(store)
  let [added, known, differing, replaced] = [0, 0, 0, 0]
  const puts = new Map<string, Promise<void>>()
  const winners = new Map<string, RawValue>()
  const replaceAll = async (): Promise<void> => {
    if (winners.size > 0)
      await replacing(async () => {
        await Promise.all(
          [...winners.values()].map(({ table, id, payload }) => store.putPayload(table, id, payload)),
        )
      })
    winners.clear()
  }
  for await (const { table, id: given, payload } of values) {
    if (!isShared(table)) continue
    const id = table === 'ledger' ? currentLedgerId(given, payload) : given
    const place = `${table}/${id}`
    // What this merge wrote a moment ago must be there to be compared with.
    await puts.get(place)
    const mine = winners.get(place)?.payload ?? store.payload(table, id)
    if (mine?.equals(payload) === true) {
      known += 1
      continue
    }
    if (mine !== undefined) {
      differing += 1
      if (!winsOver(mine, payload)) continue
      replaced += 1
      winners.set(place, { table, id, payload: Buffer.from(payload) })
      if (winners.size >= AT_ONCE) await replaceAll()
      continue
    }
    added += 1
    const put = store.putPayload(table, id, Buffer.from(payload))
    // Who waits meets its error. The next value may be long in coming, and nobody waits meanwhile.
    put.catch(() => undefined)
    puts.set(place, put)
    if (puts.size < AT_ONCE) continue
    await Promise.all(puts.values())
    puts.clear()
  }
  await Promise.all(puts.values())
  await replaceAll()
  return { added, known, differing, replaced }
}

const SUFFIX = 16
const FORM = /^(\d{4}-\d\d-\d\d:[0-9a-f]{64})(?::(.+))?$/

/**
 * Id of a ledger's entry: `DAY:COMPLETION:` and 16 digits of its content's sha256. So a call that two machines paid for
 * has two entries wherever they meet, and an entry that came twice has one.
 */
export const ledgerId = (day: string, completion: string, payload: Buffer | string): string =>
  `${day}:${completion}:${digestOf(payload).slice(0, SUFFIX)}`

/** The id that an entry has, or would have now: earlier versions numbered the entries of a day in each store. */
const currentLedgerId = (id: string, payload: Buffer): string => {
  const [, place, suffix] = FORM.exec(id) ?? []
  if (place === undefined || suffix?.length === SUFFIX) return id
  return ledgerId(place.slice(0, 10), place.slice(11), payload)
}
