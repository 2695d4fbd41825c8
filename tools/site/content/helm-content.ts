import { join } from 'node:path'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Taxonomy } from '../../../benchmarks/taxonomy.ts'
import { ProblemError, type Problem } from '../../../cache/problems/problem.ts'
import type { ModelRegistry } from '../../../models/registry/registry.ts'
import { DEFAULT_COVERAGE_FLOOR } from '../../../targets/board/board-cell.ts'
import { boardUncertainty } from '../../../targets/board/board-uncertainty.ts'
import { rankedTasks } from '../../../targets/board/board-tasks.ts'
import { boardMetric } from '../../../targets/runs/board-metric.ts'
import type { BoardAccess, BoardBenchmark } from '../../../targets/runs/board-run.ts'
import type { Run } from '../../../targets/runs/run.ts'
import type { Schema } from '../../../targets/tables/schema/schema.ts'
import { declaredMainMetrics, type DeclaredLookup, type DeclaredFacts } from '../../helm/declared-run.ts'
import { helmRun } from '../../helm/helm-run.ts'
import { exists, readSuite, type HelmFolder } from '../../helm/read-suite.ts'
import { generateSchema, readSchema } from '../../helm/summary-schema.ts'
import type { SiteSuite } from '../site.ts'
import { siteSuite } from './site-suite.ts'

/** What helm-server was asked to show: a folder of `runs/` or `releases/`. */
export interface HelmScope {
  readonly kind: 'suite' | 'release'
  readonly name: string
}

export interface HelmSources {
  readonly outputPath: string
  readonly registry: ModelRegistry
  /** Who may read a run's instances. */
  readonly accessOf: (run: HelmFolder) => Promise<BoardAccess>
  /** What is declared of a run's benchmark, where its declaration is at hand. */
  readonly declaredOf?: DeclaredLookup
  /** The workspace's, for benchmarks that declare none. */
  readonly coverageFloor?: number
  /** Where a run group stands in the taxonomy, where the catalog knows it. */
  readonly placeOf?: (group: string) => Pick<BoardBenchmark, 'category' | 'subcategory'> | undefined
  /** The order of the board's columns; without it they stand as the runs do. */
  readonly taxonomy?: Taxonomy
}

/**
 * A board from files that helm-run and helm-summarize wrote, ours or HELM's own.
 * @returns `problems`: runs that could not be read or that no group of the schema shows
 * @throws ProblemError `tools/no-such-suite`
 */
export const helmContent = async (
  scope: HelmScope,
  {
    outputPath,
    registry,
    accessOf,
    placeOf,
    declaredOf,
    coverageFloor = DEFAULT_COVERAGE_FLOOR,
    taxonomy,
  }: HelmSources,
): Promise<{ readonly suite: SiteSuite; readonly problems: readonly Problem[] }> => {
  const folder = join(outputPath, scope.kind === 'suite' ? 'runs' : 'releases', scope.name)
  const suites = scope.kind === 'suite' ? [scope.name] : await suitesOfRelease(folder)
  const read = await Promise.all(suites.map((name) => readSuite(outputPath, name)))
  const runs = read.flatMap((each) => each.runs)
  const problems = read.flatMap((each) => each.problems)
  const file = join(folder, 'schema.json')
  const schemas = [
    ...((await exists(file)) ? [await readSchema(file)] : []),
    // Old schemas name no main metric; the runs themselves tell.
    await generateSchema(runs, declaredOf && declaredMainMetrics(declaredOf), { helmExact: false }),
  ]
  const known: Run[] = []
  for (const run of runs) {
    const access = await accessOf(run)
    const declared = await declaredOf?.(run.spec)
    const [found] = schemas.flatMap(
      (schema) => benchmarkOf(run, schema, { access, declared, coverageFloor }) ?? [],
    )
    if (found === undefined) problems.push(hidden(run, file))
    else {
      const benchmark = { ...found, ...placeOf?.(found.name) }
      known.push(helmRun(run, { suite: scope.name, benchmark, registry, declared }))
    }
  }
  const suite = await siteSuite({
    suite: scope.name,
    runs: known,
    ...(taxonomy && { taxonomy }),
    prices: registry.prices,
    uncertainty: (board, values) => Promise.resolve(boardUncertainty(board, values)),
    tasks: (board, values) => Promise.resolve(rankedTasks(board, values)),
  })
  return { suite, problems }
}

const Release = z.object({ suites: z.array(z.string()) })

const suitesOfRelease = async (folder: string): Promise<readonly string[]> => {
  const file = join(folder, 'summary.json')
  try {
    return Release.parse(JSON.parse(await readFile(file, 'utf8'))).suites
  } catch (cause) {
    throw new ProblemError(
      {
        code: 'tools/no-such-release',
        message: `there is no release at ${folder}`,
        where: { file },
        remedy: 'Check --release and --output-path, or make it with `medmake summarize --release`.',
      },
      { cause },
    )
  }
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
  }: {
    readonly access: BoardAccess
    readonly declared: DeclaredFacts | undefined
    readonly coverageFloor: number
  },
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
