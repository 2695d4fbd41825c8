import { listReadable, type BenchmarkSummary } from '../../../benchmarks/lookup/list.ts'
import { formatProblems } from '../output/print-problems.ts'
import type { Invocation } from '../verb.ts'

/** All benchmarks for a list; those whose declaration is faulty are left out of it, and told with what is wrong. */
export const readableBenchmarks = async (
  context: { readonly workspace: string },
  { warn, leftOut }: Pick<Invocation, 'warn' | 'leftOut'>,
): Promise<readonly BenchmarkSummary[]> => {
  const { benchmarks, faulty } = await listReadable(context)
  for (const { name, problems } of faulty) {
    leftOut.push(name)
    warn(`left out, as its declaration is faulty: ${name}\n${formatProblems(problems, process.stderr.isTTY)}`)
  }
  return benchmarks
}
