import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'
import { digestJson } from '../../cache/values/digest.ts'
import { keepingFor, type StoreEnv } from '../env/env.ts'
import { instancesKey } from '../keys/keys.ts'
import { listInstances } from '../stages/instances.ts'

/** Which source each instance of a benchmark comes from, read once for all models. */
export class InstanceSources {
  readonly #env: StoreEnv
  readonly #known = new Map<string, ReadonlyMap<string, string>>()

  constructor(env: StoreEnv) {
    this.#env = env
  }

  /** By id, under names that tell nothing: one source has one name in all benchmarks. Empty where a benchmark names none. */
  async of(benchmark: Benchmark): Promise<ReadonlyMap<string, string>> {
    const kind = benchmark.cluster
    if (kind === undefined) return new Map()
    const key = await instancesKey(benchmark)
    // Two declarations may name other sources of the same instances.
    const digest = digestJson([kind, key])
    const known = this.#known.get(digest)
    if (known !== undefined) return known
    const { refs } = await listInstances(benchmark, key, await keepingFor(benchmark, this.#env))
    const sources = new Map(
      refs.flatMap(({ id, cluster }) =>
        cluster === undefined ? [] : [[String(id), sourceName(kind, cluster)] as const],
      ),
    )
    this.#known.set(digest, sources)
    return sources
  }
}

/**
 * A name that tells nothing, the same in all benchmarks.
 * @param kind such as patient: a note and a patient of one name are two sources
 */
export const sourceName = (kind: string, cluster: string): string => digestJson<'text'>([kind, cluster])
