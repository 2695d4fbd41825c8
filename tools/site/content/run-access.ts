import { z } from 'zod'
import { declaredAccess } from '../../../benchmarks/access/access.ts'
import { aboutFields } from '../../../benchmarks/declaration/about.ts'
import { readDeclarationYaml } from '../../../benchmarks/declaration/read-declaration.ts'
import type { BenchmarkSummary } from '../../../benchmarks/lookup/list.ts'
import type { Access } from '../../../benchmarks/scenario/benchmark.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { readRunSpec } from '../../helm/read-run.ts'
import {
  configFiles,
  configPath,
  namedBenchmarks,
  type NamedSpec,
  type ConfigPlace,
} from '../../helm/declared-run.ts'
import { isClosed } from '../../helm/read-suite.ts'

/**
 * Who may read the texts of run folders that HELM or this program wrote. The files say which benchmark they are of, not
 * whose it is: the declarations at hand do, and what they do not know is private.
 */
export interface FolderAccess {
  of(run: NamedSpec, directory: string): Promise<Access>
  /** The same by the folder alone; one without a readable run_spec.json is private. */
  ofFolder(directory: string): Promise<Access>
}

export const createRunAccess = (
  benchmarks: readonly BenchmarkSummary[],
  place: ConfigPlace,
): FolderAccess => {
  const of = async (run: NamedSpec, directory: string): Promise<Access> => {
    const { byName, byGroup } = namedBenchmarks(benchmarks, run)
    const path = configPath(run)
    const own = path === undefined ? leastOpen(accesses(byName)) : await configuredAccess(run, path, place)
    const access = leastOpen([own, ...accesses(byGroup)])
    // Runs that were not public when they were written are for their owner only.
    return access === 'public' && (await isClosed(directory)) ? 'private' : access
  }
  return {
    of,
    ofFolder: async (directory) => {
      try {
        return await of(await readRunSpec(directory), directory)
      } catch (error) {
        if (error instanceof ProblemError || (error instanceof Error && 'code' in error)) return 'private'
        throw error
      }
    },
  }
}

const accesses = (benchmarks: readonly BenchmarkSummary[]): readonly Access[] =>
  benchmarks.map(({ access }) => access)

/** Private where nothing is known. */
const leastOpen = (known: readonly Access[]): Access =>
  known.length === 0
    ? 'private'
    : (known.find((access) => access === 'private') ?? known.find((access) => access === 'gated') ?? 'public')

const Config = z.looseObject({ name: z.string(), access: aboutFields.access })

/** Of a benchmark that a YAML file describes. */
const configuredAccess = async ({ name }: NamedSpec, path: string, place: ConfigPlace): Promise<Access> => {
  for (const file of configFiles(path, place)) {
    try {
      const config = Config.parse((await readDeclarationYaml(file)).value)
      if ([':', ','].some((end) => name.startsWith(config.name + end)))
        return declaredAccess(config.access, file, place.workspace)
    } catch (error) {
      if (!(error instanceof ProblemError || error instanceof z.ZodError)) throw error
    }
  }
  return 'private'
}
