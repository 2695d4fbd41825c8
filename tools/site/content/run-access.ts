import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { z } from 'zod'
import { declaredAccess } from '../../../benchmarks/access/declared-access.ts'
import { aboutFields } from '../../../benchmarks/declaration/about.ts'
import { readDeclarationYaml } from '../../../benchmarks/declaration/read-declaration.ts'
import type { BenchmarkSummary } from '../../../benchmarks/lookup/list.ts'
import type { Access } from '../../../benchmarks/scenario/benchmark.ts'
import { packageRoot } from '../../../cache/package-root.ts'
import { ProblemError } from '../../../cache/problems/problem.ts'
import { readRunSpec } from '../../helm/read-run.ts'
import { isClosed } from '../../helm/closed-folder.ts'
import type { HelmRunSpec } from '../../helm/forms/run-spec.ts'

/** What of a run spec tells its benchmark. */
export type Named = Pick<HelmRunSpec, 'name' | 'groups' | 'scenarioSpec'>

/**
 * Who may read the texts of run folders that HELM or this program wrote. The files say which benchmark they are of, not
 * whose it is: the declarations at hand do, and what they do not know is private.
 */
export interface FolderAccess {
  of(run: Named, directory: string): Promise<Access>
  /** The same by the folder alone; one without a readable run_spec.json is private. */
  ofFolder(directory: string): Promise<Access>
}

export const createRunAccess = (
  benchmarks: readonly BenchmarkSummary[],
  { workspace, cwd }: { readonly workspace: string; readonly cwd: string },
): FolderAccess => {
  const ownAccess = async (run: Named): Promise<Access> => {
    const path = run.scenarioSpec.args.get('config_path')
    if (typeof path !== 'string') return namedAccess(run, benchmarks)
    return configuredAccess(run, path, { workspace, folders: [cwd, workspace, packageRoot()] })
  }
  const of = async (run: Named, directory: string): Promise<Access> => {
    const access = leastOpen([await ownAccess(run), ...groupAccesses(run, benchmarks)])
    // Runs that were not public when they were written are for their owner only.
    return access === 'public' && (await isClosed(directory)) ? 'private' : access
  }
  return {
    of,
    ofFolder: async (directory) => {
      try {
        return await of(await readRunSpec(directory), directory)
      } catch (error) {
        if (error instanceof ProblemError || isSystemError(error)) return 'private'
        throw error
      }
    },
  }
}

/** A run's name begins with its benchmark's. */
const namedAccess = (run: Named, benchmarks: readonly BenchmarkSummary[]): Access => {
  const [start = ''] = run.name.split(/[:,]/)
  const named = benchmarks.filter((each) => isCalled(each, start))
  return named.length === 0 ? 'private' : leastOpen(named.map(({ access }) => access))
}

const groupAccesses = ({ groups }: Named, benchmarks: readonly BenchmarkSummary[]): readonly Access[] =>
  benchmarks.filter((each) => groups.some((group) => isCalled(each, group))).map(({ access }) => access)

/** The last of a benchmark's groups is its own; others are shared. */
const isCalled = ({ name, groups }: BenchmarkSummary, called: string): boolean =>
  name === called || groups.at(-1) === called

const leastOpen = (accesses: readonly Access[]): Access =>
  accesses.find((access) => access === 'private') ?? accesses.find((access) => access === 'gated') ?? 'public'

const Config = z.looseObject({ name: z.string(), access: aboutFields.access })

/** Of a benchmark that a YAML file describes; its path was relative to where the run was started. */
const configuredAccess = async (
  { name }: Named,
  path: string,
  { workspace, folders }: { readonly workspace: string; readonly folders: readonly string[] },
): Promise<Access> => {
  for (const folder of folders) {
    const file = resolve(folder, path)
    if (!existsSync(file)) continue
    try {
      const config = Config.parse((await readDeclarationYaml(file)).value)
      if ([':', ','].some((end) => name.startsWith(config.name + end)))
        return declaredAccess(config.access, file, workspace)
    } catch (error) {
      if (!(error instanceof ProblemError || error instanceof z.ZodError)) throw error
    }
  }
  return 'private'
}

const isSystemError = (error: unknown): boolean => error instanceof Error && 'code' in error
