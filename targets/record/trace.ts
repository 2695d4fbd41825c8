import { asJson } from '../../cache/stored-shape.ts'
import { CODE } from '../../cache/package-root.ts'
import type { Digest } from '../../cache/values/digest.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import { LostValueError } from '../../cache/problems/lost-value.ts'
import type { Store } from '../../cache/store.ts'
import type { Causes } from './coverage.ts'
import { getRecord, type RunRecord, type StageCounts } from './record.ts'
import type { UsageWithJudges } from './completion.ts'

/** What a target's key led to. */
interface Trace {
  readonly record: Digest<'record'>
  readonly complete: boolean
  /** The record's own counts, here as well so that a run with nothing to do opens no record. */
  readonly counts: StageCounts
  readonly failures: number
  readonly causes: Causes
  /** Absent in traces of earlier versions. */
  readonly usage?: UsageWithJudges
  /** The record's; absent where nothing was left out. */
  readonly omitted?: readonly string[]
}

/** The last build of a run by its name: what `explain` compares with. */
interface LastBuild {
  readonly digest: Digest<'target'>
  readonly key: JsonObject
  /** Digest of the code that built it: beside the key, never in it. */
  readonly code: string
}

export const traceOf = (
  { complete, counts, failures, causes, usage, omitted }: RunRecord,
  record: Digest<'record'>,
): Trace => ({
  record,
  complete,
  counts,
  failures: failures.length,
  causes,
  usage,
  ...(omitted.length === 0 ? {} : { omitted }),
})

const TARGET = 'target:'

/** Where the store keeps what a target's key led to. */
export const traceId = (target: Digest<'target'>): string => `${TARGET}${target}`

export const lastBuildId = (name: string): string => `last:${name}`

/** What the store keeps of one finished build. */
export interface FinishedBuild {
  /** In the table `traces`. */
  readonly id: string
  readonly digest: Digest<'record'>
}

export function* finishedBuilds(store: Store): Generator<FinishedBuild, void, undefined> {
  for (const { id } of store.entries('traces')) {
    if (!id.startsWith(TARGET)) continue
    const digest = (store.get('traces', id) as Trace | undefined)?.record
    if (digest !== undefined) yield { id, digest }
  }
}

export const readTrace = (digest: Digest<'target'>, store: Store): Trace | undefined =>
  store.get('traces', traceId(digest)) as Trace | undefined

export const readLastBuild = (name: string, store: Store): LastBuild | undefined =>
  store.get('traces', lastBuildId(name)) as LastBuild | undefined

/** The trace is written last: whoever finds it finds the record, too. */
export const writeTrace = async (
  name: string,
  { key, digest }: Pick<LastBuild, 'key' | 'digest'>,
  trace: Trace,
  store: Store,
): Promise<void> => {
  await store.put('traces', lastBuildId(name), { digest, key, code: CODE.digest })
  await store.put('traces', traceId(digest), asJson(trace))
}

/** Forgets the build that a lost value was found in, if that is what the error tells of: it is made again then. */
export const dropLost = async (error: unknown, store: Store): Promise<boolean> => {
  if (!(error instanceof LostValueError) || error.lost.trace === undefined) return false
  await store.remove('traces', error.lost.trace)
  return true
}

/** Forgets all finished builds: each is made again from what the store holds now. */
export const dropAllBuilds = async (store: Store): Promise<void> => {
  const ids = [...store.entries('traces')].map(({ id }) => id).filter((id) => !id.startsWith(lastBuildId('')))
  await Promise.all(ids.map((id) => store.remove('traces', id)))
}

/** A finished build that still holds. */
export interface FreshBuild {
  readonly trace: Trace
  readonly digest: Digest<'record'>
  /** Read when it is first asked for. */
  readonly record: RunRecord
}

/** The complete record of a target whose inputs are all as they were; undefined when there is work to do. */
export const freshRecord = (digest: Digest<'target'>, store: Store): FreshBuild | undefined => {
  const trace = readTrace(digest, store)
  if (trace === undefined || !trace.complete || !store.has('records', trace.record)) return undefined
  let read: RunRecord | undefined
  return {
    trace,
    digest: trace.record,
    get record(): RunRecord {
      read ??= getRecord(trace.record, store)
      if (read === undefined) throw new RangeError(`record ${trace.record} was there a moment ago`)
      return read
    },
  }
}
