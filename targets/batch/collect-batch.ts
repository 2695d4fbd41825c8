import { asJson, storedShape } from '../../cache/stored-shape.ts'
import type { BatchApi, ProviderBatch } from '../../models/clients/chat/batch-api.ts'
import { ClientError, type Reply } from '../../models/calls/client.ts'
import { otherCount } from '../../models/clients/wire/wire-form.ts'
import type { Price } from '../../models/prices/price.ts'
import type { StoredCompletion } from '../record/completion.ts'
import { putEntry, type ChargedPrice, type LedgerEntry } from '../spend/ledger.ts'
import { tellOddities } from '../spend/paid-attempt.ts'
import { usageCost, type SpendEnv } from '../spend/spending.ts'
import type { Digest } from '../../cache/values/digest.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import type { Store } from '../../cache/store.ts'

/** Why a request of a batch that ended has no reply, by the digest of its reply's place. */
type Unanswered = ReadonlyMap<string, ClientError>

/**
 * Puts the replies of a batch that ended where any other reply lies, and then forgets the batch: where fewer came than the
 * provider says not before as few come again, as those that are sent anew are paid for anew.
 * @throws ClientError `batch/short`
 */
export const collectBatch = async (
  batch: BatchRecord,
  ended: ProviderBatch,
  api: BatchApi,
  env: SpendEnv,
): Promise<Unanswered> => {
  const answers = new Map<string, Reply | ClientError>()
  for (const file of ended.files)
    for (const { id, outcome } of await api.answers(file))
      // What was answered is paid for, whatever else the files say of it.
      if (!answers.has(id) || answers.get(id) instanceof ClientError) answers.set(id, outcome)
  const unanswered = new Map<string, ClientError>()
  const price = batchPrice(env.spending.priceOf(batch.deployment))
  const puts: Promise<void>[] = []
  for (const line of batch.lines) {
    const outcome = answers.get(line.digest) ?? noAnswer(ended)
    if (outcome instanceof ClientError) unanswered.set(line.digest, outcome)
    // A crash between these and the end of this function left some.
    else if (!env.store.has('completions', line.digest)) {
      const { n = outcome.choices.length } = line
      if (outcome.choices.length !== n) unanswered.set(line.digest, otherCount(outcome.choices.length, n))
      puts.push(...keep(line, outcome, price, env))
    }
  }
  await Promise.all(puts)
  const { answered = 0 } = ended
  if (answers.size < answered && batch.short !== answers.size) {
    await putBatch({ ...batch, short: answers.size }, env.store)
    throw new ClientError(
      'batch/short',
      `batch ${ended.id}: the server says that it answered ${answered} requests, and gave ${answers.size}; run again, which fetches them once more`,
      { retriable: true },
    )
  }
  await removeBatch(batch, env.store)
  return unanswered
}

const keep = (
  { digest, key, n, ledger }: SentLine,
  reply: Reply,
  price: ChargedPrice | undefined,
  env: SpendEnv,
): readonly Promise<void>[] => {
  const now = env.now()
  const usd = usageCost(reply.usage, price)
  const stored: StoredCompletion = {
    key,
    reply,
    requestTime: 0,
    requestDatetime: Math.floor(now / 1000),
    attempts: 1,
    batch: true,
  }
  const entry = {
    ...ledger,
    time: new Date(now).toISOString(),
    run: env.spending.run,
    batch: true,
    outcome: 'paid' as const,
    seconds: 0,
    usage: reply.usage ?? null,
    price: price ?? null,
    usd,
  }
  env.listener({ type: 'provider-call', target: ledger.target, deployment: ledger.deployment, usd })
  tellOddities(
    { run: { name: ledger.target }, deployment: { name: ledger.deployment } },
    { reply, usd, bound: ledger.ceiling },
    env,
  )
  const paid = putEntry(digest, entry, env.store)
  // It is paid for, but no answer to what was asked.
  if (n !== undefined && reply.choices.length !== n) return [paid]
  return [paid, env.store.put('completions', digest, asJson(stored))]
}

/** Undefined where nobody states what a batch costs: the other price is not it. */
const batchPrice = (price: Price | undefined): ChargedPrice | undefined =>
  price?.batchInput === undefined || price.batchOutput === undefined
    ? undefined
    : {
        input: price.batchInput,
        ...(price.batchCachedInput !== undefined && { cachedInput: price.batchCachedInput }),
        output: price.batchOutput,
        date: price.date,
      }

const noAnswer = ({ id, status, reason }: ProviderBatch): ClientError =>
  new ClientError(
    `batch/${status === 'completed' ? 'no-answer' : status}`,
    `batch ${id}: ${reason ?? status}`,
    {
      retriable: true,
    },
  )

/** What the ledger will say of a request's reply, known when it is sent. */
type LedgerNames = Pick<
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
  /** Requests of which the provider's files told when they were fewer than it says. */
  readonly short?: number
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
