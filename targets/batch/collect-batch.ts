import { asJson, storedShape } from '../../cache/stored-shape.ts'
import type { BatchApi, ProviderBatch } from '../../models/clients/chat/batch-api.ts'
import { ClientError, type Reply } from '../../models/calls/client.ts'
import { malformed, otherCount } from '../../models/clients/wire/wire-form.ts'
import type { Price } from '../../models/prices/price.ts'
import type { StoredCompletion } from '../record/completion.ts'
import { entryId, putEntry, type ChargedPrice, type LedgerEntry } from '../spend/ledger.ts'
import { tellOddities, type ledgerNames } from '../spend/paid-attempt.ts'
import { usageCost, type SpendEnv } from '../spend/spending.ts'
import { digestJson, type Digest } from '../../cache/values/digest.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import type { Store } from '../../cache/store.ts'

/** Why a request of a batch that ended has no reply, by the digest of its reply's place. */
type Unanswered = ReadonlyMap<string, ClientError>

/** The batch as the provider tells it: one that it does not know has ended, and gave nothing. @throws ClientError */
export const lookAt = async (id: string, api: BatchApi): Promise<ProviderBatch> => {
  const reason = 'the server knows no such batch'
  return (await unlessGone(api.look(id))) ?? { id, status: 'lost', marker: undefined, files: [], reason }
}

const unlessGone = async <Told>(told: Promise<Told>): Promise<Told | undefined> => {
  try {
    return await told
  } catch (error) {
    if (error instanceof ClientError && error.status === 404) return undefined
    throw error
  }
}

/**
 * Puts the replies of a batch that ended where any other reply lies, and then forgets the batch: where fewer came than it
 * must have not before as few come to another run, as those that are sent anew are paid for anew.
 * @throws ClientError `batch/short`
 */
export const collectBatch = async (
  known: BatchRecord,
  ended: ProviderBatch,
  api: BatchApi,
  env: SpendEnv,
): Promise<Unanswered> => {
  const batch = await collecting(known, ended, env)
  const answers = new Map<string, Reply | ClientError | undefined>(
    batch.lines.map(({ digest }) => [digest, undefined]),
  )
  let told = 0
  for (const file of ended.files)
    for (const { id, outcome } of (await unlessGone(api.answers(file))) ?? []) {
      // Of what was never sent nothing is taken.
      if (!answers.has(id)) continue
      const first = answers.get(id)
      if (first === undefined) told += 1
      answers.set(id, oneOf(first, outcome))
    }
  const unanswered = new Map<string, ClientError>()
  const puts: Promise<void>[] = []
  const uncertain: SentLine[] = []
  for (const line of batch.lines) {
    const outcome = answers.get(line.digest) ?? noAnswer(ended)
    if (outcome instanceof ClientError) {
      unanswered.set(line.digest, outcome)
      if (/^(?:reply\/|batch\/(?:no-answer|lost)$)/.test(outcome.code)) uncertain.push(line)
    } else {
      const { n = outcome.choices.length } = line
      if (outcome.choices.length !== n) unanswered.set(line.digest, otherCount(outcome.choices.length, n))
      puts.push(...keep(line, outcome, batch.collected, env))
    }
  }
  await Promise.all(puts)
  const { run } = env.spending
  const { status, reason } = ended
  // How many of a part's were answered nobody says.
  const { answered = 0 } = batch.part === true ? {} : ended
  const due = status === 'completed' || status === 'lost' ? batch.lines.length : answered
  if (told < due && (batch.short !== told || batch.shortIn === run)) {
    await putBatch({ ...batch, short: told, shortIn: run }, env.store)
    throw new ClientError(
      'batch/short',
      `batch ${ended.id}: ${reason ?? `the server answered ${due} requests, and gave ${told}`}; run again, which fetches them once more, then asks anew`,
      { retriable: true },
    )
  }
  await Promise.all(uncertain.map((line) => enterUncertain(line, batch.collected, env)))
  await removeBatch(batch, env.store)
  return unanswered
}

const TWO = malformed('two different answers came to one request')

/** What was answered is paid for, whatever errors say of it. Of two answers that differ one is another request's. */
const oneOf = (first: Reply | ClientError | undefined, next: Reply | ClientError): Reply | ClientError => {
  if (first === TWO) return TWO
  if (first === undefined || first instanceof ClientError) return next
  if (next instanceof ClientError || digestJson(asJson(first.choices)) === digestJson(asJson(next.choices)))
    return first
  return TWO
}

type Collected = NonNullable<BatchRecord['collected']>

/** Says first when and by whom it is collected: who does so again after a crash then enters the same, which counts once. */
const collecting = async (
  batch: BatchRecord,
  { id, status }: ProviderBatch,
  { store, now, spending }: SpendEnv,
): Promise<BatchRecord & { readonly collected: Collected }> => {
  const collected = {
    time: new Date(now()).toISOString(),
    run: spending.run,
    price: batchPrice(spending.priceOf(batch.deployment)),
    ...(batch.collected ?? { marker: batch.marker }),
  }
  // Its id may have been found just now, by its marker.
  const begun = { ...batch, id: status === 'lost' ? batch.id : id, collected }
  if (batch.collected === undefined) await putBatch(begun, store)
  return begun
}

const keep = (
  { digest, key, n, ledger }: SentLine,
  reply: Reply,
  collected: Collected,
  env: SpendEnv,
): readonly Promise<void>[] => {
  const now = env.now()
  const usd = usageCost(reply.usage, collected.price ?? undefined)
  const stored: StoredCompletion = {
    key,
    reply,
    requestTime: 0,
    requestDatetime: Math.floor(now / 1000),
    attempts: 1,
    batch: true,
  }
  const entry = {
    ...entryOf(ledger, collected),
    outcome: 'paid' as const,
    usage: reply.usage ?? null,
    usd,
  }
  const puts: Promise<void>[] = []
  // An earlier try, or a crash in its midst, left some.
  if (!env.store.has('ledger', entryId(digest, entry))) {
    env.listener({ type: 'provider-call', target: ledger.target, deployment: ledger.deployment, usd })
    tellOddities(
      { run: { name: ledger.target }, deployment: { name: ledger.deployment } },
      { reply, usd, bound: ledger.ceiling },
      env,
    )
    puts.push(putEntry(digest, entry, env.store))
  }
  // Another number of answers than was asked for is none; a reply that came otherwise meanwhile stays.
  if ((n === undefined || reply.choices.length === n) && !env.store.has('completions', digest))
    puts.push(env.store.put('completions', digest, asJson(stored)))
  return puts
}

/** What came back as something that can't be read, or not at all, may have been paid for. */
const enterUncertain = ({ digest, ledger }: SentLine, collected: Collected, env: SpendEnv): Promise<void> => {
  env.listener({ type: 'call-uncertain', target: ledger.target, usd: ledger.ceiling })
  const usd = ledger.ceiling === 0 ? 0 : null
  return putEntry(
    digest,
    { ...entryOf(ledger, collected), outcome: 'uncertain', usage: null, price: null, usd },
    env.store,
  )
}

const entryOf = (ledger: SentLine['ledger'], collected: Collected) => ({
  ...ledger,
  ...collected,
  batch: true,
  seconds: 0,
})

/** Null where nobody states what a batch costs: the other price is not it. */
const batchPrice = (price: Price | undefined): ChargedPrice | null =>
  price?.batchInput === undefined || price.batchOutput === undefined
    ? null
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
    { retriable: true },
  )

/** A request under way: where its reply belongs. No text. */
export interface SentLine {
  readonly digest: Digest<'completion'>
  readonly key: JsonObject
  /** Answers that were asked for; undefined in records of earlier versions. */
  readonly n?: number
  /** What the ledger will say of its reply, known when it is sent. */
  readonly ledger: ReturnType<typeof ledgerNames> & Pick<LedgerEntry, 'ceiling'>
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
  /** When its requests were with the provider, milliseconds by its clock; ours may be days off. Absent where it did not say. */
  readonly uploaded?: number
  readonly lines: readonly SentLine[]
  /** Others of its requests lie in another store, as their benchmark has other access now. */
  readonly part?: boolean
  /** Requests of which the provider's files told when they were fewer than it says. */
  readonly short?: number
  /** The run that was given so few. */
  readonly shortIn?: string
  /** When, by which run and at what price its collection was begun: of all that it enters in the ledger. */
  readonly collected?: Pick<LedgerEntry, 'time' | 'run' | 'price' | 'marker'>
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
