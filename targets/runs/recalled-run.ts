import type { Digest } from '../../cache/values/digest.ts'
import { keepingFor, type SharedEnv } from '../env/env.ts'
import { storedInstanceList } from '../record/instance-ref.ts'
import { getRecord, getRows, type RunRecord } from '../record/record.ts'
import type { Target } from '../record/target.ts'
import { readTrace } from '../record/trace.ts'
import { chooseInstances, loadInstance } from '../stages/instances.ts'
import { boardMetric } from './board-metric.ts'
import { sourceName } from './instance-sources.ts'
import { withClusters, type InstanceVector } from './instance-vector.ts'
import type { AskedInstance, AskedQuestions } from './run.ts'
import { SampleStore } from './stored-sample.ts'
import { resultsById } from './stored-run.ts'
import { atEnd } from '../statistics/scale.ts'

/** A run of before, by what its board knew of it. */
interface Former {
  /** Digests of its record, its key and its prompts, answers, judgements and values. */
  readonly record: string
  readonly target: string
  readonly rows: string
}

interface Recalled extends Pick<AskedQuestions, 'resultsById'> {
  readonly instances: readonly AskedInstance[]
  readonly vector: InstanceVector
}

/**
 * What the store still holds of a run that was shown on a board.
 * Its benchmark is taken as it is declared now.
 */
export const recalledRun = async (
  run: Former,
  { spec: { benchmark, adapter, metrics } }: Pick<Target, 'spec'>,
  env: SharedEnv,
): Promise<Recalled | undefined> => {
  const found = recordOf(run, env)
  if (found === undefined) return undefined
  const { store } = await keepingFor(benchmark, env)
  const refs = storedInstanceList(found.record.instances, store)?.refs
  const sampled = await new SampleStore(env).kept(found.digest, benchmark)
  if (refs === undefined || sampled === undefined) return undefined
  const { ids, values } = sampled.vector
  const { range } = boardMetric(
    benchmark.mainMetric,
    metrics.map(({ helm }) => helm),
    benchmark.jury?.scale,
  )
  const byId = new Map(refs.map((ref) => [String(ref.id), ref]))
  const own = ids.flatMap((id) => byId.get(id) ?? [])
  if (own.length < ids.length || own.some(({ digest }) => !store.has('instances', digest))) return undefined
  const { evaluated } = chooseInstances(refs, adapter)
  const rows = getRows(found.digest, found.record, store)
  const asked = new Set(evaluated.map(({ id }) => String(id)))
  // Where other instances are evaluated now, the record's rows are not these.
  const isSame = ids.every((id) => asked.has(id)) && found.record.rows % asked.size === 0
  return {
    vector: withClusters(
      { ids, values: values.map((value) => atEnd(value, range)) },
      new Map(
        own.flatMap(({ id, cluster }) =>
          cluster === undefined ? [] : [[String(id), sourceName(benchmark.cluster ?? '', cluster)] as const],
        ),
      ),
    ),
    instances: own.map((ref) => ({ ...ref, body: () => loadInstance(ref, store) })),
    ...(rows && isSame && { resultsById: () => resultsById(rows, found.record.columns, evaluated) }),
  }
}

/** By its own digest, else as what its key led to, where that is still the same. */
const recordOf = (
  { record: named, target, rows }: Former,
  { records }: Pick<SharedEnv, 'records'>,
): { readonly record: RunRecord; readonly digest: Digest<'record'> } | undefined => {
  const digests = [named as Digest<'record'>, readTrace(target as Digest<'target'>, records)?.record]
  for (const digest of digests) {
    const record = digest && getRecord(digest, records)
    if (digest !== undefined && record?.rowsDigest === rows) return { record, digest }
  }
  return undefined
}
