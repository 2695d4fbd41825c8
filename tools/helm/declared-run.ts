import { existsSync } from 'node:fs'
import { defined } from '../../cache/values/defined.ts'
import { resolve } from 'node:path'
import { declaredAccess } from '../../benchmarks/access/access.ts'
import { checkConfig, declareConfig } from '../../benchmarks/configurable/config-file.ts'
import { readDeclarationYaml } from '../../benchmarks/declaration/read-declaration.ts'
import { isConfigurable } from '../../benchmarks/lookup/find.ts'
import { summaryJury, type BenchmarkSummary } from '../../benchmarks/lookup/list.ts'
import { packageRoot } from '../../cache/package-root.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import type { HelmRunSpec } from './forms/run-spec.ts'
import type { ScenarioLookup } from './summary-schema.ts'

/** What a declaration says of a run, of a configurable benchmark only what bears on its numbers. */
export interface DeclaredFacts
  extends
    Pick<BenchmarkSummary, 'mainMetric' | 'jury' | 'coverageFloor' | 'cluster' | 'access'>,
    Partial<Pick<BenchmarkSummary, 'displayName' | 'shortDisplayName' | 'description' | 'taxonomy'>> {}

/** What of a run spec tells its benchmark. */
export type NamedSpec = Pick<HelmRunSpec, 'name' | 'groups' | 'scenarioSpec'>

/** Undefined where no declaration at hand is the run's. */
export type DeclaredLookup = (run: NamedSpec) => Promise<DeclaredFacts | undefined>

/** Where a run was started may tell where the files that it names lie. */
export interface ConfigPlace {
  readonly workspace: string
  readonly cwd: string
}

/** The benchmarks that a run's name begins with, and those whose own group, the last, is among the run's; others are shared. */
export const namedBenchmarks = (
  benchmarks: readonly BenchmarkSummary[],
  { name, groups }: Pick<NamedSpec, 'name' | 'groups'>,
): { readonly byName: readonly BenchmarkSummary[]; readonly byGroup: readonly BenchmarkSummary[] } => {
  const [start = ''] = name.split(/[:,]/)
  const named = (called: readonly string[]): readonly BenchmarkSummary[] =>
    benchmarks.filter(
      (each) => called.includes(each.name) || called.includes(each.groups.at(-1) ?? each.name),
    )
  return { byName: named([start]), byGroup: named(groups) }
}

/** Files that may be the one that describes a run's configurable benchmark, by a path relative to where the run was started. */
export const configFiles = (path: string, { workspace, cwd }: ConfigPlace): readonly string[] =>
  [cwd, workspace, packageRoot()].map((folder) => resolve(folder, path)).filter((file) => existsSync(file))

/** That path; undefined for a run of another benchmark. */
export const configPath = ({ scenarioSpec }: Pick<NamedSpec, 'scenarioSpec'>): string | undefined => {
  const path = scenarioSpec.args.get('config_path')
  return typeof path === 'string' ? path : undefined
}

/**
 * Runs' declarations by what their run_spec.json says: a configurable benchmark's file, else the benchmark that the
 * run's name begins with, else the one whose own group is among the run's.
 */
export const declaredRuns =
  (benchmarks: readonly BenchmarkSummary[], place: ConfigPlace): DeclaredLookup =>
  async (run) => {
    const path = configPath(run)
    if (path !== undefined) return configured(configFiles(path, place)[0], place.workspace)
    const { byName, byGroup } = namedBenchmarks(benchmarks, run)
    return byName[0] ?? byGroup[0]
  }

const configured = async (
  file: string | undefined,
  workspace: string,
): Promise<DeclaredFacts | undefined> => {
  if (file === undefined) return undefined
  try {
    const document = await readDeclarationYaml(file)
    if (!isConfigurable(document)) return undefined
    const { content } = declareConfig(checkConfig(document, true), document)
    const [protocol] = content.protocols
    return defined({
      access: declaredAccess(content.access, file, workspace),
      mainMetric: protocol?.main_metric ?? { name: '', split: '' },
      ...(protocol?.jury && { jury: summaryJury(content.name, protocol.jury) }),
      coverageFloor: content.coverage_floor,
      cluster: content.cluster,
    })
  } catch (error) {
    // What was run is described by its files all the same.
    if (error instanceof ProblemError) return undefined
    throw error
  }
}

/** Declared words, and the main metrics of runs that have values of them: a run of an older protocol may lead with another. */
export const declaredScenarios =
  (declaredOf: DeclaredLookup): ScenarioLookup =>
  async ({ spec, stats }) => {
    const declared = await declaredOf(spec)
    if (declared === undefined) return undefined
    const { mainMetric, displayName, shortDisplayName, description, taxonomy } = declared
    const isMeasured = stats.some(
      ({ name }) => name.name === mainMetric.name && name.split === mainMetric.split,
    )
    return defined({
      ...(isMeasured && { mainMetric }),
      displayName,
      shortDisplayName,
      description,
      taxonomy,
    })
  }
