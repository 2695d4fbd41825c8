import { discreetError } from '../../cache/problems/withheld.ts'
import { withholdStrays } from '../../cache/user-code/process-guard.ts'
import type { Benchmark } from '../scenario/benchmark.ts'
import type { Instance } from '../scenario/instance.ts'

/** The benchmark itself where its texts are public; else one whose errors quote nothing of its data. */
export const discreetBenchmark = (benchmark: Benchmark): Benchmark => {
  const { access, queries } = benchmark
  if (access === 'public') return benchmark
  withholdStrays()
  const discreetly = async <T>(work: Promise<T>): Promise<T> => {
    try {
      return await work
    } catch (error) {
      throw discreetError(error)
    }
  }
  return {
    ...benchmark,
    ...(queries === undefined ? {} : { queries: { ...queries, locate: () => discreetly(queries.locate()) } }),
    identity: () => discreetly(benchmark.identity()),
    instances: (onSkipped) => discreetInstances(benchmark, onSkipped),
  }
}

async function* discreetInstances(
  benchmark: Benchmark,
  onSkipped: Parameters<Benchmark['instances']>[0],
): AsyncGenerator<Instance> {
  try {
    yield* benchmark.instances(onSkipped)
  } catch (error) {
    throw discreetError(error)
  }
}
