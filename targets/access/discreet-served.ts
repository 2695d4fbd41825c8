import type { Benchmark } from '../../benchmarks/scenario/benchmark.ts'
import type { Served } from '../record/drift.ts'

/**
 * What a provider named itself by, as records and output may hold it. About a gated or private benchmark a name may repeat
 * what was sent: it is told only where it is the one that was asked for, others are told apart.
 *
 * @param asked the model string that requests carry
 */
export const discreetServed = (
  served: Served,
  asked: string,
  { access }: Pick<Benchmark, 'access'>,
): Served =>
  access === 'public'
    ? served
    : Object.fromEntries(
        Object.entries(served).map(([name, count], index) => [
          name === asked ? name : `withheld name ${index + 1}`,
          count,
        ]),
      )
