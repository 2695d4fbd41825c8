import { fileURLToPath } from 'node:url'
import { findBenchmark } from '../../benchmarks/lookup/find.ts'
import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import { benchmarkContext, instancesOf } from '../rig/benchmark-context.ts'

const workspace = fileURLToPath(new URL('../..', import.meta.url))

/** A built-in benchmark and all its instances. */
export const loadDemo = async (
  name: string,
): Promise<{ benchmark: Benchmark; instances: readonly Instance[] }> => {
  const benchmark = await findBenchmark(name, new Map(), benchmarkContext({ workspace }))
  return { benchmark, instances: await instancesOf(benchmark) }
}
