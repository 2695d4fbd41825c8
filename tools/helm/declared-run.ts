import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { declaredAccess } from '../../benchmarks/access/declared-access.ts'
import { checkConfig } from '../../benchmarks/configurable/config-file.ts'
import { declareConfig } from '../../benchmarks/configurable/declare-config.ts'
import { readDeclarationYaml } from '../../benchmarks/declaration/read-declaration.ts'
import { isConfigurable } from '../../benchmarks/lookup/find.ts'
import { summaryJury, type BenchmarkSummary } from '../../benchmarks/lookup/list.ts'
import { packageRoot } from '../../cache/package-root.ts'
import { ProblemError } from '../../cache/problems/problem.ts'
import type { HelmRunSpec } from './forms/run-spec.ts'
import type { MainMetricLookup } from './summary-schema.ts'

/** What a declaration says of the numbers of a run. */
export type DeclaredFacts = Pick<
  BenchmarkSummary,
  'mainMetric' | 'jury' | 'coverageFloor' | 'cluster' | 'access'
>

/** Undefined where no declaration at hand is the run's. */
export type DeclaredLookup = (
  run: Pick<HelmRunSpec, 'name' | 'groups' | 'scenarioSpec'>,
) => Promise<DeclaredFacts | undefined>

/**
 * Runs' declarations by what their run_spec.json says: a configurable benchmark's file, else the benchmark that the
 * run's name begins with, else the one whose own group is among the run's.
 */
export const declaredRuns =
  (
    benchmarks: readonly BenchmarkSummary[],
    { workspace, cwd }: { readonly workspace: string; readonly cwd: string },
  ): DeclaredLookup =>
  async ({ name, groups, scenarioSpec }) => {
    const path = scenarioSpec.args.get('config_path')
    if (typeof path === 'string') return configured(path, workspace, [cwd, workspace, packageRoot()])
    const [start = ''] = name.split(/[:,]/)
    const isCalled = (benchmark: BenchmarkSummary, called: string): boolean =>
      benchmark.name === called || benchmark.groups.at(-1) === called
    return (
      benchmarks.find((each) => isCalled(each, start)) ??
      benchmarks.find((each) => groups.some((group) => isCalled(each, group)))
    )
  }

const configured = async (
  path: string,
  workspace: string,
  folders: readonly string[],
): Promise<DeclaredFacts | undefined> => {
  const file = folders.map((folder) => resolve(folder, path)).find((each) => existsSync(each))
  if (file === undefined) return undefined
  try {
    const document = await readDeclarationYaml(file)
    if (!isConfigurable(document)) return undefined
    const { content } = declareConfig(checkConfig(document, true), document)
    const [protocol] = content.protocols
    return {
      access: declaredAccess(content.access, file, workspace),
      mainMetric: protocol?.main_metric ?? { name: '', split: '' },
      ...(protocol?.jury && { jury: summaryJury(content.name, protocol.jury) }),
      ...(content.coverage_floor === undefined ? {} : { coverageFloor: content.coverage_floor }),
    }
  } catch (error) {
    // What was run is described by its files all the same.
    if (error instanceof ProblemError) return undefined
    throw error
  }
}

/** The declared main metrics of runs that have values of them: a run of an older protocol may lead with another. */
export const declaredMainMetrics =
  (declaredOf: DeclaredLookup): MainMetricLookup =>
  async ({ spec, stats }) => {
    const main = (await declaredOf(spec))?.mainMetric
    return main !== undefined &&
      stats.some(({ name }) => name.name === main.name && name.split === main.split)
      ? main
      : undefined
  }
