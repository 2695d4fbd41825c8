import { digestOf } from '../../cache/digest.ts'
import type { Json } from '../../cache/json.ts'
import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'
import type { Store } from '../../cache/store.ts'
import { envFor, type StoreEnv } from '../../targets/access/restricted-env.ts'
import { sampleOf, type Sampled } from '../../targets/aggregate/board-sample.ts'
import type { PerInstanceStats } from '../../targets/record/stat.ts'

/** Raised when the same values give another summary. */
const VERSION = 2

interface StoredSample extends Pick<Sampled, 'sample' | 'elsewhere'> {
  /** Digest of the list of ids: models that were asked the same share it. */
  readonly ids: string
  readonly values: readonly number[]
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

  async sample(
    digest: string,
    { access, mainMetric: metric }: Pick<Benchmark, 'access' | 'mainMetric'>,
    values: () => Promise<Iterable<PerInstanceStats>>,
  ): Promise<Sampled> {
    const id = `sample:${VERSION}:${digest}:${metric.name}:${metric.split}`
    const { store } = await envFor({ access }, this.#env)
    const known = store.get('files', id) as StoredSample | undefined
    const ids = known && this.#listOf(known.ids, store)
    if (known !== undefined && ids !== undefined) {
      const { sample, elsewhere } = known
      return { sample, elsewhere, vector: { ids, values: Float64Array.from(known.values) } }
    }
    const made = sampleOf(await values(), metric)
    await this.#keep(id, made, store)
    return made
  }

  #listOf(digest: string, store: Store): readonly string[] | undefined {
    const list = this.#ids.get(digest) ?? (store.get('files', `ids:${digest}`) as string[] | undefined)
    if (list !== undefined) this.#ids.set(digest, list)
    return list
  }

  async #keep(id: string, { sample, elsewhere, vector }: Sampled, store: Store): Promise<void> {
    const { ids, values } = vector
    const digest = digestOf<'text'>(JSON.stringify(ids))
    if (this.#listOf(digest, store) === undefined) await store.put('files', `ids:${digest}`, [...ids])
    const stored: StoredSample = { sample, elsewhere, ids: digest, values: [...values] }
    await store.put('files', id, stored as unknown as Json)
  }
}
