import { join } from 'node:path'
import { readFile } from 'node:fs/promises'
import { z } from 'zod'
import type { Taxonomy } from '../../../benchmarks/taxonomy.ts'
import { ProblemError, type Problem } from '../../../cache/problem.ts'
import type { ModelRegistry } from '../../../models/registry/registry.ts'
import { DEFAULT_COVERAGE_FLOOR } from '../../../targets/board/board-cell.ts'
import type { RunValues } from '../../../targets/board/board-columns.ts'
import { rankedTasks } from '../../../targets/board/board-tasks.ts'
import { boardDoubt, withDoubt } from '../../../targets/board/board-doubt.ts'
import { boardMetric } from '../../../targets/runs/board-metric.ts'
import {
  isShown,
  type BoardAccess,
  type BoardBenchmark,
  type BoardRun,
} from '../../../targets/runs/board-run.ts'
import { SampleCollector, summarized, type Sample } from '../../../targets/runs/board-sample.ts'
import type { InstanceVector } from '../../../targets/runs/instance-vector.ts'
import { nothingKnown } from '../../../targets/statistics/intervals/mean-interval.ts'
import { makeBoard } from '../../../targets/board/board.ts'
import type { Schema } from '../../../targets/tables/schema/schema.ts'
import { declaredMainMetrics, type DeclaredLookup, type DeclaredRun } from '../../helm/declared-run.ts'
import { readInstanceValues, readRequestStates } from '../../helm/read-run.ts'
import { exists, readSuite, type SummaryRun } from '../../helm/read-suite.ts'
import { generateSchema, readSchema } from '../../helm/summary-schema.ts'
import { RUN_FILES } from '../../helm/write/write-run.ts'
import type { InstanceView } from '../pages/run/instance-view.ts'
import { makeInstanceView } from '../pages/run/make-instance-view.ts'
import { MetricValues } from '../pages/run/metric-values.ts'
import { countJudgements, juryOf } from './helm-judgements.ts'
import { runFacts } from './run-facts.ts'
import type { SiteRun, SiteSuite } from '../site.ts'
import { inTaxonomyOrder } from './taxonomy-order.ts'

/** What helm-server was asked to show: a folder of `runs/` or `releases/`. */
export interface HelmScope {
  readonly kind: 'suite' | 'release'
  readonly name: string
}

export interface HelmSources {
  readonly outputPath: string
  readonly registry: ModelRegistry
  /** Who may read a run's instances. */
  readonly accessOf: (run: SummaryRun) => Promise<BoardAccess>
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
  const known: HelmRun[] = []
  for (const run of runs) {
    const access = await accessOf(run)
    const declared = await declaredOf?.(run.spec)
    const [found] = schemas.flatMap(
      (schema) => benchmarkOf(run, schema, { access, declared, coverageFloor }) ?? [],
    )
    if (found === undefined) {
      problems.push(hidden(run, file))
      continue
    }
    const benchmark = { ...found, ...placeOf?.(found.name) }
    known.push(await helmRun(run, { suite: scope.name, benchmark, registry, declared }))
  }
  const shown = taxonomy === undefined ? known : inTaxonomyOrder(known, taxonomy)
  const board = makeBoard(
    scope.name,
    shown.map(({ run }) => run),
  )
  const values = shown.flatMap((run) => run.values ?? [])
  return {
    suite: {
      board: withDoubt(board, boardDoubt(board, values)),
      runs: shown.map(({ site }) => site),
      tasks: rankedTasks(board, values).map((task) => ({ ...task, spent: board.rows.map(() => null) })),
    },
    problems,
  }
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

const hidden = (run: SummaryRun, schema: string): Problem => ({
  code: 'site/run-without-group',
  message: `${run.name} is left out: none of its groups (${run.groups.join(', ')}) has a main metric`,
  where: { file: schema, field: 'run_groups' },
  remedy: 'Add a run group with main_name and main_split in its environment, then summarise again.',
})

/** The first of a run's groups that names a main metric. */
const benchmarkOf = (
  run: SummaryRun,
  schema: Schema,
  {
    access,
    declared,
    coverageFloor,
  }: {
    readonly access: BoardAccess
    readonly declared: DeclaredRun | undefined
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

interface HelmRun {
  readonly run: BoardRun
  readonly site: SiteRun
  /** Absent where the run's folder has no values by instance. */
  readonly values?: RunValues
}

const helmRun = async (
  run: SummaryRun,
  {
    suite,
    benchmark,
    registry,
    declared,
  }: {
    readonly suite: string
    readonly benchmark: BoardBenchmark
    readonly registry: ModelRegistry
    readonly declared: DeclaredRun | undefined
  },
): Promise<HelmRun> => {
  const { name, split } = benchmark.mainMetric
  const instances = run.stats.find((stat) => stat.name.name === 'num_instances' && stat.name.split === split)
  const hasStates = await exists(join(run.path, RUN_FILES.scenarioState))
  const jury = hasStates ? juryOf(run.metrics, name, declared?.jury) : undefined
  const judgements = jury && (await countJudgements(readRequestStates(run.path), jury, split))
  const { sample, vector } = await sampleOfRun(run, benchmark.mainMetric, instances?.sum ?? 0)
  const { model, modelDeployment } = run.adapter
  const known = registry.model(model)
  const boardRun: BoardRun = {
    name: run.name,
    model: {
      name: model,
      deployment: modelDeployment === '' ? model : modelDeployment,
      displayName: known?.displayName ?? model,
      creator: known?.creatorOrganization ?? 'Unknown',
      access: known?.access ?? '',
    },
    benchmark,
    stats: run.stats,
    coverage: {
      evaluated: instances?.sum ?? sample.requests,
      measured: sample.requests,
      ...(judgements === undefined ? {} : { judgements }),
    },
    causes: {},
    sample,
    ...(vector && { vector }),
    failures: [],
  }
  const facts = runFacts({ suite, run: boardRun, spec: run.spec, details: [], source: run.path })
  const { deployment } = boardRun.model
  return {
    run: boardRun,
    site: isShown(benchmark) && hasStates ? { facts, ...instancesOf(run.path, run.adapter) } : { facts },
    ...(vector && { values: { run: run.name, benchmark: benchmark.name, deployment, vector } }),
  }
}

/** Without per-instance values nothing tells of failures; HELM itself writes no run in which a request failed. */
const sampleOfRun = async (
  { path }: SummaryRun,
  metric: BoardBenchmark['mainMetric'],
  evaluated: number,
): Promise<{ readonly sample: Sample; readonly vector?: InstanceVector }> => {
  if (!(await exists(join(path, RUN_FILES.perInstanceStats))))
    return { sample: { requests: evaluated, found: nothingKnown('no values by instance') } }
  const collector = new SampleCollector(metric)
  for await (const stats of readInstanceValues(path)) collector.add(stats)
  const { requests, vector } = collector.result()
  return { sample: summarized(requests, vector, metric), vector }
}

/** What a run's folder holds of its instances. */
export const instancesOf = (
  path: string,
  adapter: SummaryRun['adapter'],
): Pick<SiteRun, 'instances' | 'prompt'> => ({
  instances: () => instanceViews(path, adapter),
  prompt: async () => {
    for await (const { request } of readRequestStates(path)) return request.prompt
    return undefined
  },
})

async function* instanceViews(
  path: string,
  adapter: SummaryRun['adapter'],
): AsyncGenerator<InstanceView<string>> {
  const values = new MetricValues()
  if (await exists(join(path, RUN_FILES.perInstanceStats)))
    for await (const stats of readInstanceValues(path)) values.add(stats)
  for await (const state of readRequestStates(path))
    yield makeInstanceView(
      state,
      values.of(state.instance.id ?? '', state.trainTrialIndex),
      adapter.outputMappingPattern,
    )
}
