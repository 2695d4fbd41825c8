import { asJson, storedShape } from '../../cache/stored-shape.ts'
import { digestJson, type Digest, digestOf } from '../../cache/values/digest.ts'
import type { Store } from '../../cache/store.ts'
import type { Access, Corrections, Benchmark } from '../../benchmarks/scenario/benchmark.ts'
import type { StageName } from '../event.ts'
import type { Profile } from '../profile.ts'
import type { Causes, Coverage } from './coverage.ts'
import type { SkippedRows } from './instance-ref.ts'
import type { Stat } from './stat.ts'
import { numberSubSplits, subSplitsId } from './sub-split-names.ts'
import type { UsageWithJudges } from './completion.ts'

/** One piece of work that gave no value. */
export interface RunFailure {
  readonly instance: string
  readonly trial: number
  readonly stage: StageName
  readonly judge?: string
  readonly code: string
  readonly detail: string
  /** True when a rerun tries it again; an unreadable judge reply is final. */
  readonly retriable: boolean
}

/** Work counted by stage: per instance, annotations per judge, metrics per metric object. */
export type StageCounts = Readonly<Record<StageName, number>>

/**
 * What a built target is: digests and outcomes, no text that is not public. Its own digest changes exactly when some result does,
 * and is all that the aggregate depends on.
 */
export interface RunRecord {
  /** Digest of the target's key: everything that can alter the record. */
  readonly target: Digest<'target'>
  readonly name: string
  readonly profile: Profile
  /** Absent where the benchmark's errata are reproduced. */
  readonly errata?: Corrections
  readonly instances: Digest<'instances'>
  /** Rows of the data that became no instance; absent where none was skipped. */
  readonly skippedRows?: SkippedRows
  /** Evaluated requests: instances × trials. */
  readonly rows: number
  /** Digests in a row: prompt, completion, a judgement per judge, a value set per metric object. */
  readonly columns: number
  /** sha256 over the packed rows. */
  readonly rowsDigest: string
  /** False when something failed that a rerun would try again. */
  readonly complete: boolean
  readonly failures: readonly RunFailure[]
  readonly coverage: Coverage
  readonly causes: Causes
  readonly counts: StageCounts
  /** HELM's. */
  readonly stats: readonly Stat[]
  /** Ours, in no file of HELM's: `jury_score_strict`, `jury_coverage` where there is a jury. */
  readonly ownStats: readonly Stat[]
  /** Of a benchmark that is not public: its sub-splits' names, texts of the data, lie with these. Absent where it has none. */
  readonly hasNumberedSubSplits?: true
  /** Stats that HELM would have and that are not computed, with the reason. */
  readonly omitted: readonly string[]
  /** Model ids and fingerprints that the provider named; more than one means that it changed under way. */
  readonly served: readonly string[]
  /** The model, or judges, whose replies are of several; absent where none is. */
  readonly drift?: readonly Drift[]
  readonly usage: UsageWithJudges
}

const CHUNK = 1000

/** Where the rows of a record lie, in their order. */
export const chunkIds = (digest: Digest<'record'>, { rows }: Pick<RunRecord, 'rows'>): readonly string[] =>
  Array.from({ length: Math.ceil(rows / CHUNK) }, (_, chunk) => `${digest}:${chunk}`)

/** Writes the rows in chunks, then the record: a record that is there has all its rows, and the names of its sub-splits. */
export const putRecord = async (
  whole: RunRecord,
  rows: RowTable,
  { store, access }: { readonly store: Store; readonly access: Access },
): Promise<Digest<'record'>> => {
  const { record, names } = access === 'public' ? { record: whole, names: [] } : numberSubSplits(whole)
  const value = asJson(record)
  const digest = digestJson<'record'>(value)
  if (names.length > 0) await store.put('records', subSplitsId(digest), [...names])
  for (const [chunk, id] of chunkIds(digest, { rows: rows.length }).entries())
    await store.put('records', id, rows.slice(chunk * CHUNK, (chunk + 1) * CHUNK))
  await store.put('records', digest, value)
  return digest
}

const storedRecord = storedShape<RunRecord>('a record', {
  target: 'text',
  name: 'text',
  rows: 'number',
  stats: 'list',
  coverage: 'object',
})

export const getRecord = (digest: Digest<'record'>, store: Store): RunRecord | undefined =>
  storedRecord(store.get('records', digest))

/** Undefined when a chunk is lost. */
export const getRows = (digest: Digest<'record'>, record: RunRecord, store: Store): RowTable | undefined => {
  const rows = new RowTable(record.columns, record.rows)
  for (const [chunk, id] of chunkIds(digest, record).entries()) {
    const text = store.get('records', id)
    if (typeof text !== 'string') return undefined
    rows.fill(chunk * CHUNK, text)
  }
  return rows
}

const BYTES = 32

/** The first columns of a row. Behind them stand the judgements, and at the end a set of values per metric object. */
export const COLUMN = { prompt: 0, completion: 1, judgements: 2 } as const

/**
 * The digests of every evaluated request, packed: 100,000 requests with seven digests each take 22 MB here and would
 * take ten times that as strings. A column left empty (a failed request) is all zeros.
 */
export class RowTable {
  readonly columns: number
  readonly length: number
  private readonly bytes: Buffer

  constructor(columns: number, length: number, bytes: Buffer = Buffer.alloc(columns * length * BYTES)) {
    this.columns = columns
    this.length = length
    this.bytes = bytes
  }

  set(row: number, column: number, digest: Digest): void {
    this.bytes.write(digest, this.at(row, column), BYTES, 'hex')
  }

  get(row: number, column: number): Digest | undefined {
    const start = this.at(row, column)
    const hex = this.bytes.toString('hex', start, start + BYTES)
    return /^0+$/.test(hex) ? undefined : (hex as Digest)
  }

  /** sha256 over all rows. */
  digest(): string {
    return digestOf(this.bytes)
  }

  /** Packed rows from `from` up to `to` or the last, as base64 text. */
  slice(from: number, to: number): string {
    return this.bytes.toString('base64', this.at(from, 0), this.at(to, 0))
  }

  /** Puts rows that `slice` packed in their place again. */
  fill(from: number, packed: string): void {
    this.bytes.write(packed, this.at(from, 0), 'base64')
  }

  private at(row: number, column: number): number {
    return (row * this.columns + column) * BYTES
  }
}

/** Replies of one deployment by what the provider said that it used: `model id (fingerprint)`. */
export type Served = Readonly<Record<string, number>>

/** A deployment whose model changed within a run, as far as the provider says. */
export interface Drift {
  readonly deployment: string
  /** Absent for the model that is evaluated. */
  readonly judge?: string
  /** More than one. */
  readonly served: Served
}

/** `openai/gpt-4o changed under way: gpt-4o-1 (a) 40 replies, gpt-4o-1 (b) 1 reply`. */
export const driftText = ({ deployment, judge, served }: Drift): string => {
  const parts = Object.entries(served).map(
    ([name, count]) => `${name} ${count.toLocaleString('en')} ${count === 1 ? 'reply' : 'replies'}`,
  )
  const who = judge === undefined ? deployment : `judge ${judge} (${deployment})`
  return `${who} changed under way: ${parts.join(', ')}`
}

/**
 * What a provider named itself by, as records and output may hold it. About a gated or private benchmark a name may repeat
 * what was sent: it is told only where it is the one that was asked for, others are told apart.
 *
 * @param asked the model string that requests carry
 */
export const discreetServed = (
  served: Served,
  asked: string,
  { access }: Pick<Benchmark, 'access'>,
): Served =>
  access === 'public'
    ? served
    : Object.fromEntries(
        Object.entries(served).map(([name, count], index) => [
          name === asked ? name : `withheld name ${index + 1}`,
          count,
        ]),
      )
