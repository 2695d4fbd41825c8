import { exists } from '../../cache/files/read.ts'
import type { Problem } from '../../cache/problems/problem.ts'
import type { ModelRegistry } from '../../models/registry/registry.ts'
import { DEFAULT_COVERAGE_FLOOR } from '../../targets/board/board-cell.ts'
import { boardMetric } from '../../targets/runs/board-metric.ts'
import type { BoardAccess } from '../../targets/access/suppress-small.ts'
import type { Profile } from '../../targets/profile.ts'
import type { BoardBenchmark } from '../../targets/runs/board-run.ts'
import type { Run } from '../../targets/runs/run.ts'
import type { Schema } from '../../targets/tables/schema/schema.ts'
import { declaredScenarios, type DeclaredLookup } from './declared-run.ts'
import { helmRun, type HelmContext } from './helm-run.ts'
import type { HelmFolder } from './read-suite.ts'
import { generateSchema, readSchema } from './summary-schema.ts'

/** What HELM's files are read with. */
export interface HelmReading {
  readonly registry: Pick<ModelRegistry, 'model'>
  /** Who may read a run's instances. */
  readonly accessOf: (run: HelmFolder) => Promise<BoardAccess>
  /** What is declared of a run's benchmark, where its declaration is at hand. */
  readonly declaredOf?: DeclaredLookup
  /** The workspace's, for benchmarks that declare none. */
  readonly coverageFloor?: number
  /** The workspace's: in whose way judges' scores are read of files that don't tell. */
  readonly profile?: Profile
  /** Where a run group stands in the taxonomy, where the catalog knows it. */
  readonly placeOf?: (group: string) => Pick<BoardBenchmark, 'category' | 'subcategory'> | undefined
}

/**
 * Runs as their folders tell them.
 * @returns `problems`: runs that no group of the schema shows
 */
export const helmRuns = async (
  folders: readonly HelmFolder[],
  {
    suite,
    schemaFile,
    registry,
    accessOf,
    placeOf,
    declaredOf,
    coverageFloor = DEFAULT_COVERAGE_FLOOR,
    profile,
  }: HelmReading & { readonly suite: string; readonly schemaFile: string },
): Promise<{ readonly runs: readonly Run[]; readonly problems: readonly Problem[] }> => {
  const schemas = [
    ...((await exists(schemaFile)) ? [await readSchema(schemaFile)] : []),
    // Old schemas name no main metric; the runs themselves tell.
    await generateSchema(folders, declaredOf && declaredScenarios(declaredOf), { helmExact: false }),
  ]
  const runs: Run[] = []
  const problems: Problem[] = []
  for (const folder of folders) {
    const access = await accessOf(folder)
    const declared = await declaredOf?.(folder.spec)
    const [found] = schemas.flatMap(
      (schema) => benchmarkOf(folder, schema, { access, declared, coverageFloor }) ?? [],
    )
    if (found === undefined) problems.push(hidden(folder, schemaFile))
    else {
      const benchmark = { ...found, ...placeOf?.(found.name) }
      const own = folder.reading?.profile ?? profile
      runs.push(helmRun(folder, { suite, benchmark, registry, declared, ...(own && { profile: own }) }))
    }
  }
  return { runs, problems }
}

const hidden = (run: HelmFolder, schema: string): Problem => ({
  code: 'site/run-without-group',
  message: `${run.name} is left out: none of its groups (${run.groups.join(', ')}) has a main metric`,
  where: { file: schema, field: 'run_groups' },
  remedy: 'Add a run group with main_name and main_split in its environment, then summarise again.',
})

/** The first of a run's groups that names a main metric. */
const benchmarkOf = (
  run: HelmFolder,
  schema: Schema,
  {
    access,
    declared,
    coverageFloor,
  }: Pick<BoardBenchmark, 'access' | 'coverageFloor'> & Pick<HelmContext, 'declared'>,
): BoardBenchmark | undefined => {
  const group = run.groups
    .map((name) => schema.runGroups.find((each) => each.name === name))
    .find((each) => each?.environment.has('main_name'))
  const name = group?.environment.get('main_name')
  if (group === undefined || name === undefined) return undefined
  const split = group.environment.get('main_split') ?? 'test'
  const known = schema.metrics.find((metric) => metric.name === name)
  const own = boardMetric({ name, split }, run.metrics, declared?.jury?.scale)
  const scale = declared?.jury?.metric === name ? declared.jury.scale : undefined
  return {
    name: group.name,
    displayName: group.displayName ?? group.name,
    description: group.description ?? '',
    access,
    coverageFloor: declared?.coverageFloor ?? coverageFloor,
    mainMetric: {
      ...own,
      // Earlier juries had a metric class a benchmark: only the declaration knows them for juries.
      ...(scale && { lowerIsBetter: false, range: { low: scale.least, high: scale.most } }),
      displayName: known?.shortDisplayName ?? known?.displayName ?? own.displayName,
      description: known?.description ?? own.description,
      ...(known?.lowerIsBetter === undefined ? {} : { lowerIsBetter: known.lowerIsBetter }),
    },
  }
}
