import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'
import { asJson } from '../../cache/stored-shape.ts'
import { digestOf, type Digest } from '../../cache/values/digest.ts'
import type { Store } from '../../cache/store.ts'
import { keepingFor, type StoreEnv } from '../env/env.ts'
import { isJurys } from '../metrics/llm-jury.ts'
import { sampleOf, type Sampled } from './board-sample.ts'
import type { RunRecord } from '../record/record.ts'
import type { Target } from '../record/target.ts'
import { askedInstances } from '../walk/asked-instances.ts'
import type { RecordView } from '../walk/modes/read.ts'

/** Raised when the same values give another summary. */
const VERSION = 3

interface StoredSample extends Pick<Sampled, 'requests' | 'elsewhere'> {
  /** Digest of the list of ids: models that were asked the same share it. */
  readonly ids: string
  /** Null where an instance has no value that could be read. */
  readonly values: readonly (number | null)[]
}

interface Sampling {
  readonly target: Target
  readonly record: RunRecord
  readonly digest: Digest<'record'>
}

type SampledBenchmark = Pick<Benchmark, 'access' | 'mainMetric'>

const idOf = (record: string, { mainMetric: { name, split } }: SampledBenchmark): string =>
  `sample:${VERSION}:${record}:${name}:${split}`

/** The main metric's values of a record, instance by instance, and which of them could not be read. */
const sampleOfRecord = (
  { target, record }: Pick<Sampling, 'target' | 'record'>,
  view: RecordView,
): Sampled => {
  const { benchmark, metrics } = target.spec
  const specs = metrics.map(({ helm }) => helm)
  const asked = askedInstances(target, record, view, isJurys(benchmark.mainMetric.name, specs))
  return sampleOf(view.perInstanceStats(), benchmark.mainMetric, asked)
}

/**
 * Records' values of their main metrics. Kept by the record's digest: a board of thousands of runs reads few records,
 * and holds 8 bytes a value.
 */
export class SampleStore {
  readonly #env: StoreEnv
  readonly #ids = new Map<string, readonly string[]>()

  constructor(env: StoreEnv) {
    this.#env = env
  }

  async sample(each: Sampling, view: () => Promise<RecordView>): Promise<Sampled> {
    const { benchmark } = each.target.spec
    const kept = await this.kept(each.digest, benchmark)
    if (kept !== undefined) return kept
    const made = sampleOfRecord(each, await view())
    await this.#keep(idOf(each.digest, benchmark), made, (await keepingFor(benchmark, this.#env)).store)
    return made
  }

  /** What was kept of a record, if anything was. */
  async kept(record: string, benchmark: SampledBenchmark): Promise<Sampled | undefined> {
    const { store } = await keepingFor(benchmark, this.#env)
    const known = store.get('files', idOf(record, benchmark)) as StoredSample | undefined
    const ids = known && this.#listOf(known.ids, store)
    if (known === undefined || ids === undefined) return undefined
    const { requests, elsewhere } = known
    const values = Float64Array.from(known.values, (value) => value ?? NaN)
    // No metric of ours gives anything but numbers.
    return { requests, unusable: 0, elsewhere, vector: { ids, values } }
  }

  #listOf(digest: string, store: Store): readonly string[] | undefined {
    const list = this.#ids.get(digest) ?? (store.get('files', `ids:${digest}`) as string[] | undefined)
    if (list !== undefined) this.#ids.set(digest, list)
    return list
  }

  async #keep(id: string, { requests, elsewhere, vector }: Sampled, store: Store): Promise<void> {
    const { ids, values } = vector
    const digest = digestOf<'text'>(JSON.stringify(ids))
    if (this.#listOf(digest, store) === undefined) await store.put('files', `ids:${digest}`, [...ids])
    const stored: StoredSample = {
      requests,
      elsewhere,
      ids: digest,
      values: Array.from(values, (value) => (Number.isNaN(value) ? null : value)),
    }
    await store.put('files', id, asJson(stored))
  }
}
