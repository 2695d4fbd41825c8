import { asJson, storedShape } from '../../cache/stored-shape.ts'
import { digestJson, type Digest } from '../../cache/values/digest.ts'
import type { Store } from '../../cache/store.ts'
import type { Corrections } from '../../benchmarks/scenario/benchmark.ts'
import type { StageName } from '../event.ts'
import type { Profile } from '../profile.ts'
import type { Causes, Coverage } from './coverage.ts'
import { RowTable } from './rows.ts'
import type { SkippedRows } from './skipped-rows.ts'
import type { Stat } from './stat.ts'
import type { Drift } from './drift.ts'
import type { UsageWithJudges } from './usage.ts'

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
 * What a built target is: digests and outcomes, no text. Its own digest changes exactly when some result does,
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

/** Writes the rows in chunks, then the record: a record that is there has all its rows. */
export const putRecord = async (
  record: RunRecord,
  rows: RowTable,
  store: Store,
): Promise<Digest<'record'>> => {
  const value = asJson(record)
  const digest = digestJson<'record'>(value)
  for (const [chunk, id] of chunkIds(digest, { rows: rows.length }).entries())
    await store.put('records', id, rows.slice(chunk * CHUNK, Math.min(rows.length, (chunk + 1) * CHUNK)))
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
