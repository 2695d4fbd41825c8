import { asJson, storedShape } from '../../cache/stored-shape.ts'
import type { Digest } from '../../cache/values/digest.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import type { Store } from '../../cache/store.ts'
import type { LedgerEntry } from '../spend/ledger.ts'

/** What the ledger will say of a request's reply, known when it is sent. */
export type LedgerNames = Pick<
  LedgerEntry,
  'target' | 'benchmark' | 'model' | 'deployment' | 'judge' | 'stage' | 'promptBytes' | 'ceiling'
>

/** A request under way: where its reply belongs. No text. */
export interface SentLine {
  readonly digest: Digest<'completion'>
  readonly key: JsonObject
  /** Answers that were asked for; undefined in records of earlier versions. */
  readonly n?: number
  readonly ledger: LedgerNames
}

/** A batch under way. It is written before the provider is told, so that a crash loses none that is paid for. */
export interface BatchRecord {
  /** Ours; the provider keeps it with the batch. */
  readonly marker: string
  readonly deployment: string
  /** The provider's; null until it has answered. */
  readonly id: string | null
  /** ISO, UTC. */
  readonly sent: string
  readonly lines: readonly SentLine[]
}

export const putBatch = (batch: BatchRecord, store: Store): Promise<void> =>
  store.put('batches', batch.marker, asJson(batch))

export const removeBatch = ({ marker }: BatchRecord, store: Store): Promise<void> =>
  store.remove('batches', marker)

const storedBatch = storedShape<BatchRecord>('a batch', { marker: 'text', sent: 'text', lines: 'list' })

/** All batches under way, oldest first. */
export const readBatches = (store: Store): readonly BatchRecord[] =>
  [...store.entries('batches')]
    .flatMap(({ id }) => {
      const batch = storedBatch(store.get('batches', id))
      return batch === undefined ? [] : [batch]
    })
    .toSorted((a, b) => (a.sent < b.sent ? -1 : 1))
