import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'
import type { Store } from '../../cache/store.ts'
import type { Kept, KeptStore, SharedEnv, StageEnv } from './env.ts'

/** As much of the shared environment as says where texts are kept. */
export type StoreEnv = Pick<SharedEnv, 'open' | 'restricted'>

/**
 * What the stages of one target see: for a gated or private benchmark the environment whose store keeps texts in the
 * vault. It is opened when the first such target has work to do.
 */
export const envFor = async (
  benchmark: Pick<Benchmark, 'access'>,
  { records: _records, open, restricted, ...work }: SharedEnv,
): Promise<StageEnv> => ({ ...work, ...(await keepingFor(benchmark, { open, restricted })) })

/** Where a benchmark's texts are kept. */
export const keepingFor = async (
  { access }: Pick<Benchmark, 'access'>,
  { open, restricted }: StoreEnv,
): Promise<Kept> => (access === 'public' ? open : await restricted()) as Kept

/** The same environment with a layer over its store: one that keeps in memory, or in what it lies over. */
export const layered = (env: StageEnv, layer: (own: Store) => Store): StageEnv => ({
  ...env,
  store: layer(env.store) as KeptStore,
})
