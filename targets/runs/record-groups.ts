import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'
import { keepingFor, type StoreEnv } from '../env/restricted-env.ts'
import { storedRefs } from '../stages/instances.ts'
import { SUB_SPLIT, type InstanceGroups, type KnownGroups } from './known-groups.ts'

/** Which groups the instances of records belong to, read once for all models. */
export class RecordGroups {
  readonly #env: StoreEnv
  readonly #known = new Map<string, InstanceGroups>()

  constructor(env: StoreEnv) {
    this.#env = env
  }

  /** @param list digest of the record's instances; no group where the store lost it */
  async of(benchmark: Benchmark, list: string): Promise<KnownGroups> {
    const { attributes = [] } = benchmark
    const groups = this.#known.get(list) ?? (await this.#read(benchmark, list))
    this.#known.set(list, groups)
    return { attributes, groups }
  }

  async #read(benchmark: Benchmark, list: string): Promise<InstanceGroups> {
    const refs = storedRefs(list, (await keepingFor(benchmark, this.#env)).store) ?? []
    return new Map(
      refs.flatMap(({ id, split, attributes, subSplit }) => {
        if (split === 'train' || (attributes === undefined && subSplit === undefined)) return []
        return [[String(id), { ...attributes, ...(subSplit !== undefined && { [SUB_SPLIT]: subSplit }) }]]
      }),
    )
  }
}
