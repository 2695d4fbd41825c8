import { asJson, storedShape } from '../../cache/stored-shape.ts'
import type { Digest } from '../../cache/values/digest.ts'
import { encodeJson } from '../../cache/values/encoded.ts'
import { ledgerId } from '../../cache/merge/merge-values.ts'
import type { Store } from '../../cache/store.ts'
import type { Usage } from '../../models/calls/client.ts'
import type { Price } from '../../models/prices/price.ts'
import { plus, type Amounts } from './cap.ts'

/** What was charged by: a later change of the price file alters no entry. */
export type ChargedPrice = Pick<Price, 'input' | 'cachedInput' | 'output' | 'date'>

/** One call that was paid for, or that may have been. Figures and names, no text. */
export interface LedgerEntry {
  /** ISO, UTC: when the reply came or the attempt ended. */
  readonly time: string
  /** The invocation that made the call. */
  readonly run: string
  readonly target: string
  readonly benchmark: string
  /** Deployment that is evaluated. */
  readonly model: string
  /** Deployment that was asked: the model's or the judge's. */
  readonly deployment: string
  /** Null for the model's own answers. */
  readonly judge: string | null
  /** check: a call of `medmake models check`, or one that a run makes to see whether a server answers at all. */
  readonly stage: 'completions' | 'annotations' | 'check'
  /** Asked through the provider's batch interface. */
  readonly batch: boolean
  /** Of its batch; absent from entries of before it was told. */
  readonly marker?: string
  /**
   * paid: there is a reply. uncertain: an attempt ended without one after it may have reached the provider (a timeout, a
   * lost connection), who may charge for it all the same.
   */
  readonly outcome: 'paid' | 'uncertain'
  /** UTF-8 bytes of the messages. */
  readonly promptBytes: number
  /** The most output tokens that the request allows; absent from entries of before it was told. */
  readonly outputBound?: number
  /** Seconds that the attempt took. */
  readonly seconds: number
  /** Null where the provider told none. */
  readonly usage: Usage | null
  /** Null where none is declared. */
  readonly price: ChargedPrice | null
  /** US dollars; null where price or usage is not known. */
  readonly usd: number | null
  /** The most that its request allows; where `usd` is null with what was seen above that. Null without a price. */
  readonly ceiling: number | null
}

/** An entry with the reply's place in the store. */
export interface PlacedEntry extends LedgerEntry {
  readonly completion: Digest<'completion'>
}

/**
 * Writes an entry. To be called before the reply is put into the same store, in the same turn: they reach the disk in
 * this order, so that a reply which is there was counted.
 */
export const putEntry = (completion: Digest<'completion'>, entry: LedgerEntry, store: Store): Promise<void> =>
  store.put('ledger', entryId(completion, entry), asJson(entry))

export const entryId = (completion: Digest<'completion'>, entry: LedgerEntry): string =>
  ledgerId(entry.time.slice(0, 10), completion, encodeJson(asJson(entry)))

/** Whose text an entry, as it lies in a log, was paid for; undefined for what names no benchmark. */
export const paidBenchmark = (payload: Buffer): string | undefined => {
  try {
    const entry = JSON.parse(payload.toString('utf8')) as Partial<LedgerEntry> | null
    return entry?.stage === 'check' ? undefined : entry?.benchmark
  } catch {
    return undefined
  }
}

/** What `readLedger` leaves out without reading it. */
export interface LedgerFilter {
  /** ISO days, UTC, ends included. */
  readonly since?: string
  readonly completions?: ReadonlySet<string>
}

const storedEntry = storedShape<LedgerEntry>('an entry of the ledger', {
  time: 'text',
  model: 'text',
  deployment: 'text',
  outcome: 'text',
})

/** Entries by day, then by reply. What two copies of a store collected of one batch was paid for once, and counts so. */
export function* readLedger(
  store: Store,
  { since = '', completions }: LedgerFilter = {},
): Generator<PlacedEntry> {
  const told = new Set<string>()
  for (const { id } of store.entries('ledger')) {
    const [day = '', completion = ''] = id.split(':')
    if (day < since || (completions !== undefined && !completions.has(completion))) continue
    const entry = storedEntry(store.get('ledger', id))
    if (entry === undefined) continue
    const { marker, outcome } = entry
    const call = `${marker} ${outcome} ${completion}`
    if (marker !== undefined && told.size === told.add(call).size) continue
    yield { ...entry, completion: completion as Digest<'completion'> }
  }
}

/** What a cap counts: the cost where it is known, else the most that it can have been. */
export const countedCost = ({ usd, ceiling }: Pick<LedgerEntry, 'usd' | 'ceiling'>): number =>
  usd ?? ceiling ?? 0

/** What entries count by deployment, US dollars. */
export const spentIn = (entries: Iterable<LedgerEntry>): Amounts => {
  let sum: Amounts = new Map()
  for (const entry of entries) sum = plus(sum, entry.deployment, countedCost(entry))
  return sum
}
