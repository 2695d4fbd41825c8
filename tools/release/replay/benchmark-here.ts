import type { BenchmarkContext } from '../../../benchmarks/context/context.ts'
import { findBenchmark } from '../../../benchmarks/lookup/find.ts'
import type { Benchmark } from '../../../benchmarks/scenario/benchmark.ts'
import { EXPANDERS } from '../../../targets/entries/expanders/catalog.ts'
import { parseDescription } from '../../../targets/entries/run-entry.ts'

/** What this workspace declares under the name of a released run. @throws ProblemError */
export const benchmarkHere = (run: string, context: BenchmarkContext): Promise<Benchmark> => {
  const { name, args } = parseDescription(run, {})
  return findBenchmark(name, new Map([...args].filter(([key]) => !EXPANDERS.has(key))), context)
}
