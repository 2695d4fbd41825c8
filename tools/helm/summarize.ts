import type { DeclaredLookup } from './declared-run.ts'
import { stat } from 'node:fs/promises'
import { float } from '../../benchmarks/python/numbers/number.ts'
import type { PyValue } from '../../benchmarks/python/value.ts'
import { ProblemError, type Problem } from '../../cache/problems/problem.ts'
import { checkRuns } from '../../targets/board/check-runs.ts'
import { costs } from '../../targets/tables/costs.ts'
import { groupRuns } from '../../targets/tables/grouped-runs.ts'
import { indexModels, usedModels, type ModelIndex, type TableRegistry } from '../../targets/tables/models.ts'
import { indexSchema, NO_SCHEMA, type Schema } from '../../targets/tables/schema/schema.ts'
import { ADAPTER_FIELDS, schemaFileForm, shownModel } from './forms/schema-form.ts'
import { list } from './forms/form.ts'
import { arrayChunks, jsonChunks, type Chunks, writeChangedFile } from './write/staged-file.ts'
import { joinPath, readSuite, type HelmFolder } from './read-suite.ts'
import { runSpecForm } from './forms/run-spec.ts'
import { refloatedStat, statForm } from './forms/stat.ts'
import {
  generateSchema,
  readSchema,
  validateSchema,
  type ScenarioLookup,
  type SchemaValidation,
} from './summary-schema.ts'
import { writeGroups } from './write/write-groups.ts'
import { writePages } from './write/write-pages.ts'

/** What helm-summarize is asked (HELM.md F3). */
export interface SummarizeOptions {
  readonly outputPath: string
  /** What paths in the files begin with in place of `outputPath`: a bundle's bytes must not tell where it was made. */
  readonly shownOutputPath?: string
  /** Summarises one suite in place; `default` if neither it nor a release is given. */
  readonly suite?: string
  /** Summarises `suites` together under this name. */
  readonly release?: string
  readonly suites?: readonly string[]
  /** Names of the runs that are taken; all that lie there, unless given. */
  readonly only?: ReadonlySet<string>
  /** The user's schema; without one a schema is generated from the runs. */
  readonly schemaPath?: string
  /** What problems call it, where it is a copy. */
  readonly shownSchemaPath?: string
  readonly autoGenerateSchema?: boolean
  readonly schemaValidation: SchemaValidation
  readonly skipCompletedRunDisplayJson?: boolean
  /** Writes only the pages of runs that changed since they were written last, and notes that in the suites' folders. */
  readonly remember?: boolean
  readonly modelRegistry: TableRegistry
  /** `YYYY-MM-DD`, local. */
  readonly today: string
  /** Leaves out of a generated schema what HELM leaves out, `adapter` first of all. */
  readonly helmExact?: boolean
  /** What declarations say of the runs' main metrics, for a generated schema. */
  readonly scenarioOf?: ScenarioLookup
  /** What declarations say of the runs: texts of benchmarks that are not public stand in no table, whoever wrote the runs. */
  readonly declaredOf?: DeclaredLookup
  /** Names the runs of every cell in its description. */
  readonly debug?: boolean
}

interface SuiteSummary {
  /** Where the summary was written. */
  readonly directory: string
  readonly runs: number
  /** What was left out or looks wrong; everything else was summarised. */
  readonly problems: readonly Problem[]
}

interface Scope {
  readonly directory: string
  readonly suites: readonly string[]
  readonly summary: ReadonlyMap<string, PyValue>
}

const badOptions = (message: string, remedy: string): ProblemError =>
  new ProblemError({ code: 'tools/bad-options', message, remedy })

const scopeOf = ({ outputPath, suite, release, suites, today }: SummarizeOptions): Scope => {
  const date = ['date', today] as const
  if (release === undefined && suites === undefined) {
    const name = suite ?? 'default'
    const directory = joinPath(outputPath, 'runs', name)
    return {
      directory,
      suites: [name],
      summary: new Map<string, PyValue>([['suites', [name]], ['suite', name], date]),
    }
  }
  if (suite !== undefined)
    throw badOptions('--suite excludes --release and --suites.', 'Give one or the other.')
  if (release === undefined || suites === undefined || suites.length === 0) {
    throw badOptions('--release and --suites belong together.', 'Give both.')
  }
  const directory = joinPath(outputPath, 'releases', release)
  return {
    directory,
    suites,
    summary: new Map<string, PyValue>([['release', release], ['suites', suites], date]),
  }
}

const readRuns = async (options: SummarizeOptions, scope: Scope) => {
  const runs: HelmFolder[] = []
  const problems: Problem[] = []
  for (const suite of scope.suites) {
    const read = await readSuite(options.outputPath, suite, options.only)
    for (const run of read.runs) {
      const { access = 'public' } = (await options.declaredOf?.(run.spec)) ?? {}
      runs.push(access === 'public' ? run : { ...run, isRestricted: true })
    }
    problems.push(...read.problems)
  }
  return { runs, problems }
}

const chooseSchema = async (options: SummarizeOptions, runs: readonly HelmFolder[]): Promise<Schema> => {
  const { schemaPath, autoGenerateSchema } = options
  if (schemaPath !== undefined && autoGenerateSchema === true)
    throw badOptions('--auto-generate-schema excludes --schema-path.', 'Give one or the other.')
  const given = schemaPath === undefined ? NO_SCHEMA : await readSchema(schemaPath)
  return generateSchema(runs, options.scenarioOf, { helmExact: options.helmExact === true }, given)
}

/** A run spec as HELM prints it after reading it back: declared floats are floats. */
const refloatedSpec = ({ spec }: HelmFolder): PyValue => {
  const { temperature } = spec.adapterSpec
  const typed = typeof temperature === 'number' ? float(temperature) : temperature
  return runSpecForm.write({ ...spec, adapterSpec: { ...spec.adapterSpec, temperature: typed } })
}

const shownPath = (path: string, { outputPath, shownOutputPath }: SummarizeOptions): string =>
  (shownOutputPath ?? outputPath) + path.slice(outputPath.length)

const runEntry = (run: HelmFolder, options: SummarizeOptions): PyValue =>
  new Map<string, PyValue>([
    ['run_path', shownPath(run.path, options)],
    ['run_spec', refloatedSpec(run)],
    ['stats', list(statForm).write(run.stats.map(refloatedStat))],
  ])

const schemaJson = (
  schema: Schema,
  runs: readonly HelmFolder[],
  models: ModelIndex,
  options: SummarizeOptions,
): PyValue =>
  schemaFileForm.write({
    ...schema,
    // HELM's generated schemas lack it, and its run page then fails to open.
    ...(options.schemaPath === undefined && options.helmExact === true ? {} : { adapter: ADAPTER_FIELDS }),
    models: usedModels(runs, models).map(shownModel),
  })

/** The lists of all runs repeat instructions and rubrics: with one run that is its owner's alone, so are they. */
const writeLists = async (
  runs: readonly HelmFolder[],
  { directory }: Scope,
  options: SummarizeOptions,
): Promise<void> => {
  const modes = await Promise.all(runs.map(async ({ path }) => (await stat(path)).mode))
  const closed = modes.some((mode) => (mode & 0o077) === 0)
  const write = (name: string, entry: (run: HelmFolder) => PyValue): Promise<void> =>
    writeChangedFile(joinPath(directory, name), arrayChunks(runs, entry), closed)
  await write('runs.json', (run) => runEntry(run, options))
  await write('run_specs.json', refloatedSpec)
}

/**
 * Does what helm-summarize does (HELM.md F3): tables and indices of a suite or release, and the files of each
 * run's page. Holds the runs' stats in memory, never their request states. Files that would come out as they are stay
 * untouched.
 * @throws ProblemError for options, a suite or a schema that do not serve, and where every run is left out
 */
export const summarize = async (options: SummarizeOptions): Promise<SuiteSummary> => {
  const scope = scopeOf(options)
  const { runs, problems } = await readRuns(options, scope)
  // A summary of nothing must not take the place of an earlier one. A suite without directories has empty tables, as HELM's.
  if (runs.length === 0 && problems.length > 0) throw new ProblemError(problems)
  const schema = await chooseSchema(options, runs)
  const index = indexSchema(schema)
  const schemaFile = options.shownSchemaPath ?? options.schemaPath ?? joinPath(scope.directory, 'schema.json')
  problems.push(...validateSchema(schema, schemaFile, options.schemaValidation))
  problems.push(...checkRuns(runs, index))
  const models = indexModels(options.modelRegistry, options.today)
  const write = (name: string, chunks: Chunks): Promise<void> =>
    writeChangedFile(joinPath(scope.directory, name), chunks)
  await write('schema.json', jsonChunks(schemaJson(schema, runs, models, options)))
  problems.push(
    ...(await writePages(runs, index, {
      skipCompleted: options.skipCompletedRunDisplayJson === true,
      remember: options.remember === true,
    })),
  )
  await write('summary.json', jsonChunks(scope.summary))
  await writeLists(runs, scope, options)
  await write('runs_to_run_suites.json', jsonChunks(new Map(runs.map((run) => [run.name, run.suite]))))
  const place = { directory: scope.directory, shown: shownPath(scope.directory, options) }
  await writeGroups(place, groupRuns(runs), { index, models, debug: options.debug === true })
  await write('costs.json', jsonChunks(new Map(costs(runs))))
  return { directory: scope.directory, runs: runs.length, problems }
}
