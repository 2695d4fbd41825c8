import { listBenchmarks } from '../../../benchmarks/lookup/list.ts'
import type { Target } from '../../../targets/record/target.ts'

/** Benchmarks that are not public, by what is declared, and by the data of the targets. */
export const restrictedNames = async (
  workspace: string,
  targets: readonly Target[] = [],
): Promise<ReadonlySet<string>> => {
  const all = [...(await listBenchmarks({ workspace })), ...targets.map(({ spec }) => spec.benchmark)]
  return new Set(all.flatMap(({ name, access }) => (access === 'public' ? [] : [name])))
}
