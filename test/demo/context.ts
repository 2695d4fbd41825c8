import { fileURLToPath } from 'node:url'
import type { BenchmarkContext } from '../../benchmarks/context/context.ts'
import { findBenchmark } from '../../benchmarks/lookup/find.ts'
import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'
import type { Instance } from '../../benchmarks/scenario/instance.ts'
import { METRIC_CATALOG } from '../../targets/metrics/catalog.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const context: BenchmarkContext = {
  workspace: root,
  cwd: root,
  dataPath: root,
  metrics: METRIC_CATALOG,
  fileDigests: { get: () => undefined, put: () => Promise.resolve() },
  onEvent: () => {},
  signal: new AbortController().signal,
}

/** A built-in benchmark and all its instances. */
export const loadDemo = async (name: string): Promise<{ benchmark: Benchmark; instances: Instance[] }> => {
  const benchmark = await findBenchmark(name, new Map(), context)
  const instances: Instance[] = []
  for await (const instance of benchmark.instances()) instances.push(instance)
  return { benchmark, instances }
}
