import { storedShape } from '../../cache/stored-shape.ts'
import { defined } from '../../cache/values/defined.ts'
import { safeText, ProblemError } from '../../cache/problems/problem.ts'
import type { Kept } from '../env/env.ts'
import type { AdapterSpec } from '../../benchmarks/scenario/adapter-spec.ts'
import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import { downSample } from '../../benchmarks/sampling/choose-instances.ts'
import { digestJson, type Digest } from '../../cache/values/digest.ts'
import type { JsonObject } from '../../cache/values/json.ts'
import { LostValueError } from '../../cache/problems/lost-value.ts'
import { withheld } from '../../cache/problems/withheld.ts'
import type { Store } from '../../cache/store.ts'
import {
  packedList,
  storedInstanceList,
  type InstanceRef,
  type StoredInstanceList,
  SkippedRowTally,
  instanceDigest,
  instanceOf,
  storedInstance,
  type StoredInstance,
} from '../record/instance-ref.ts'

export interface InstanceList extends StoredInstanceList {
  readonly digest: Digest<'instances'>
  readonly cached: boolean
}

const storedBody = storedShape<StoredInstance>('an instance', { text: 'text', references: 'list' })

/** Characters and number of parsed texts held back before anything is written: a mistake within them leaves nothing behind. */
const HELD_BACK = { characters: 2_000_000, count: 10_000 }

/** How many parsed instances may wait for the disk. */
const BATCH = 512

/**
 * The instances of a benchmark, from the store or from its data.
 * The list is written last: data that fails half-way leaves nothing that a later run would take for the whole.
 */
export const listInstances = async (
  benchmark: Benchmark,
  key: JsonObject,
  env: Kept,
): Promise<InstanceList> => {
  const { store } = env
  const digest = digestJson<'instances'>(key)
  const stored = storedInstanceList(digest, store)
  return stored === undefined ? makeInstances(benchmark, key, env) : { digest, ...stored, cached: true }
}

/** Reads the data and stores what the store lacks of it. */
const makeInstances = async (benchmark: Benchmark, key: JsonObject, env: Kept): Promise<InstanceList> => {
  const { store } = env
  const digest = digestJson<'instances'>(key)
  const refs: InstanceRef[] = []
  const bodies = bodyWriter(store)
  const tally = new SkippedRowTally()
  for await (const instance of benchmark.instances(tally.add)) {
    const body = storedInstance(instance)
    const bodyDigest = instanceDigest(body)
    const { id, split, subSplit, cluster, attributes } = instance
    refs.push(defined({ id, split, digest: bodyDigest, subSplit, cluster, attributes }))
    await bodies.add(bodyDigest, body)
  }
  refuseRepeatedIds(benchmark, refs)
  await bodies.flush()
  const skipped = tally.result()
  const told = skipped === undefined ? {} : { skipped }
  await store.put('instances', digest, packedList(key, { refs, ...told }))
  return { digest, refs, ...told, cached: false }
}

/** Writes bodies in batches, the first ones only once the data proved long enough or whole. */
const bodyWriter = (
  store: Store,
): { add(digest: string, body: StoredInstance): Promise<void>; flush(): Promise<void> } => {
  let waiting = new Map<string, StoredInstance>()
  let held = 0
  let isHeldBack = true
  const flush = async (): Promise<void> => {
    const batch = waiting
    waiting = new Map()
    await Promise.all(
      [...batch]
        .filter(([digest]) => !store.has('instances', digest))
        .map(([digest, body]) => store.put('instances', digest, body)),
    )
  }
  return {
    add: async (digest, body) => {
      waiting.set(digest, body)
      held += body.text.length
      isHeldBack &&= held <= HELD_BACK.characters && waiting.size < HELD_BACK.count
      if (!isHeldBack && waiting.size >= BATCH) await flush()
    },
    flush,
  }
}

/** Train and evaluated instances of a run, the evaluated ones sampled and ordered as HELM does. */
export const chooseInstances = (
  refs: readonly InstanceRef[],
  { maxEvalInstances, evalSplits }: Pick<AdapterSpec, 'maxEvalInstances' | 'evalSplits'>,
): { readonly train: readonly InstanceRef[]; readonly evaluated: readonly InstanceRef[] } => {
  const kept = downSample(refs, maxEvalInstances, evalSplits)
  return {
    train: kept.filter(({ split }) => split === 'train'),
    evaluated: kept.filter(({ split }) => split === 'valid' || split === 'test'),
  }
}

/**
 * @param trace of the finished build that is read
 * @throws LostValueError when the store lost the body: the list has to be made again
 */
export const loadInstance = (ref: InstanceRef, store: Store, trace?: string): Instance => {
  const body = storedBody(store.get('instances', ref.digest))
  if (body !== undefined) return instanceOf(ref.id, body)
  throw lostInstance(ref, trace)
}

const lostInstance = ({ digest }: InstanceRef, trace?: string): LostValueError =>
  new LostValueError({
    table: 'instances',
    id: digest,
    what: `the instance ${digest.slice(0, 12)}`,
    ...(trace === undefined ? {} : { trace }),
  })

/** @throws LostValueError */
export const requireInstances = (refs: readonly InstanceRef[], store: Store): void => {
  const missing = refs.find(({ digest }) => !store.has('instances', digest))
  if (missing !== undefined) throw lostInstance(missing)
}

/**
 * Gives the instances of a benchmark to `use`; once more, read from the data again, where it turns out that the store
 * lost one of those that the list names.
 */
export const withInstances = async <T>(
  benchmark: Benchmark,
  key: JsonObject,
  env: Kept,
  use: (list: InstanceList) => Promise<T>,
): Promise<T> => {
  const list = await listInstances(benchmark, key, env)
  try {
    return await use(list)
  } catch (error) {
    const isLost = error instanceof LostValueError && error.lost.table === 'instances'
    if (!list.cached || !isLost) throw error
    return use(await makeInstances(benchmark, key, env))
  }
}

/** HELM would run both and merge their stats under one id. */
const refuseRepeatedIds = ({ name, access }: Benchmark, refs: readonly InstanceRef[]): void => {
  const seen = new Set<string | number>()
  for (const { id } of refs) {
    if (seen.has(id))
      throw new ProblemError({
        code: 'benchmarks/duplicate-id',
        safe: safeText`two rows have one id`,
        message: `${name} has two instances with the id ${access === 'public' ? id : withheld(String(id))}`,
        where: { field: name },
        remedy: 'Give every row an id of its own.',
      })
    seen.add(id)
  }
}
