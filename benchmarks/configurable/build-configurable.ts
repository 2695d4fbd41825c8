import { dirname, resolve } from 'node:path'
import { defined } from '../../cache/values/defined.ts'
import { existsSync } from 'node:fs'
import { digestOf } from '../../cache/values/digest.ts'
import { ProblemError, type Place } from '../../cache/problems/problem.ts'
import type { YamlDocument } from '../../cache/problems/yaml-document.ts'
import type { BenchmarkContext } from '../context/context.ts'
import { buildBenchmark } from '../declaration/build-benchmark.ts'
import { fillRecord } from '../declaration/arguments.ts'
import { codeFile, codeIds, refuseShadowed } from '../user-code/find-code.ts'
import type { PyValue } from '../python/value.ts'
import type { Benchmark, Judge, Attribute } from '../scenario/benchmark.ts'
import type { MetricCatalog, MetricSet } from '../scenario/metric-catalog.ts'
import { checkConfig, JURY_SCORE, type ConfigFile, declareConfig, type FormMetric } from './config-file.ts'
import {
  promptTemplate,
  checkColumns,
  fillPrompt,
  type PromptTemplate,
  ANSWER_COLUMNS,
  INCORRECT,
  referencesOf,
} from './prompt-template.ts'
import { readPrompt } from '../judges/judges.ts'
import { attributesOf, stated } from '../declaration/attributes.ts'
import type { SimpleForm } from '../declaration/read-declaration.ts'
import type { Instance } from '../scenario/instance.ts'
import { missingColumn, type Row, type Table } from '../sources/table.ts'

interface ConfigSource {
  readonly document: YamlDocument
  /** Name in run entries. */
  readonly name: string
  /** The path as HELM's run_spec.json shows it. */
  readonly configPath: string
  /** Whether it is the benchmark.yaml of a folder of its own, whose files are looked for there alone. */
  readonly inFolder: boolean
}

/** A benchmark from HELM's simple YAML form (HELM.md B9): as its declaration says. @throws ProblemError */
export const buildConfigurable = async (
  { document, name, configPath, inFolder }: ConfigSource,
  given: ReadonlyMap<string, PyValue>,
  context: BenchmarkContext,
  where?: Place,
): Promise<Benchmark> => {
  const { sets } = context.metrics
  const config = checkConfig(document, inFolder, {
    builtIn: sets.flatMap(({ simple = [] }) => simple),
    own: codeIds(context.workspace, 'metric'),
    hasFile: (metric) => codeFile(context.workspace, 'metric', metric) !== undefined,
  })
  for (const { name } of config.metrics)
    if (setOf(name, sets) !== undefined) refuseShadowed(name, document.file, context.workspace)
  const own = dirname(document.file)
  const folders = inFolder ? [own] : [context.cwd, own]
  const promptFile = locateFile(config.prompt_file, folders, 'prompt file', document.place(['prompt_file']))
  const dataset = locateFile(config.dataset_file, folders, 'dataset file', document.place(['dataset_file']))
  const template = promptTemplate(await readPrompt(promptFile, 'prompt file'), promptFile)
  const csvTypes = config.csv_types ?? context.csvTypes ?? 'text'
  const lists = csvTypes === 'pandas' && template.fields.includes(INCORRECT)
  const { judges, rubric } = juryOf(config, document, folders)
  const declaration = declareConfig(config, document, {
    configPath,
    dataset,
    dialect: csvTypes === 'pandas' ? 'pandas' : 'strict',
    rubric,
    metrics: usedMetrics(config, context.metrics),
    simple: {
      files: [promptFile],
      judges,
      key: defined({
        csvTypes,
        template: digestOf<'text'>(template.text),
        cluster: config.cluster,
        lists: lists || undefined,
      }),
      instances: tableInstances({
        template,
        lists,
        goldRequired: config.metrics.some((metric) => isCompared(setOf(metric.name, sets))),
        attributes: config.attributes,
        ...(config.cluster !== undefined && { cluster: config.cluster }),
      }),
    },
  })
  const readAsPandas = config.csv_types === undefined && context.csvTypes === 'pandas'
  const built = await buildBenchmark(declaration, given, context, where)
  return { ...built, name, ...(readAsPandas ? { readAsPandas } : {}) }
}

/** The judges, and the file of their prompt. */
const juryOf = (
  { metrics }: ConfigFile,
  document: YamlDocument,
  folders: readonly string[],
): { readonly judges: readonly Judge[]; readonly rubric: string } => {
  const index = metrics.findIndex(({ name }) => name === JURY_SCORE)
  const { prompt_file: path, judges = [] } = metrics[index] ?? {}
  return {
    rubric:
      path === undefined
        ? ''
        : locateFile(path, folders, 'judge prompt', document.place(['metrics', index, 'prompt_file'])),
    judges: judges.map(({ name, model_name }, judge) => ({
      name,
      model: model_name,
      deployment: name,
      where: document.place(['metrics', index, 'judges', judge, 'name']),
    })),
  }
}

const setOf = (name: string, sets: readonly MetricSet[]): MetricSet | undefined =>
  sets.find(({ simple }) => simple?.includes(name))

/** Whether it holds an answer against references: neither judged nor a workspace's own. */
const isCompared = (set: MetricSet | undefined): boolean => set !== undefined && set.judged !== true

/** One set serves all its measures; what does not bring the basic metrics gets them. */
const usedMetrics = ({ metrics }: ConfigFile, { sets }: MetricCatalog): readonly FormMetric[] => {
  const asked = metrics.map(({ name }) => setOf(name, sets))
  const used = metrics.flatMap(({ name, args = {} }, index): readonly FormMetric[] => {
    const set = asked[index]
    if (set !== undefined && asked.indexOf(set) < index) return []
    return [{ name: set?.name ?? name, args: fillRecord(args, new Map()), path: ['metrics', index, 'name'] }]
  })
  // A jury beside others brings none, as in HELM.
  const needsBasics =
    !asked.some(isCompared) && (metrics.length === 1 || asked.every((set) => set?.judged !== true))
  const basics = needsBasics ? sets.filter(({ beside }) => beside === true) : []
  return [...used, ...basics.map(({ name }) => ({ name, args: new Map(), path: ['metrics'] }))]
}

/**
 * A file named in a configuration: in the first of the folders that has it.
 * @throws ProblemError `benchmarks/missing-file` naming every path tried
 */
export const locateFile = (
  path: string,
  folders: readonly string[],
  what: string,
  where: Place | undefined,
): string => {
  const tried = [...new Set(folders.map((folder) => resolve(folder, path)))]
  const found = tried.find((file) => existsSync(file))
  if (found !== undefined) return found
  throw new ProblemError({
    code: 'benchmarks/missing-file',
    message: `the ${what} ${JSON.stringify(path)} does not exist`,
    ...(where === undefined ? {} : { where }),
    remedy: `Put it at ${tried.join(' or ')}, or correct the path.`,
  })
}

interface FormTable {
  readonly template: PromptTemplate
  /** As `fillPrompt` takes it. */
  readonly lists: boolean
  /** Whether any metric but jury_score is asked for. */
  readonly goldRequired: boolean
  readonly attributes: readonly Attribute[]
  /** The column that names what instances share, a patient for one. */
  readonly cluster?: string
}

/** The rows of a simple form's data file as instances of split test. @throws ProblemError */
const tableInstances = (form: FormTable): SimpleForm['instances'] =>
  function* instances(table, rows) {
    const { template, goldRequired } = form
    checkColumns(template, table)
    if (goldRequired && !table.columns.includes('correct_answer'))
      throw missingColumn(table, 'correct_answer', 'every metric but jury_score', {
        wanted: [...template.fields, ...ANSWER_COLUMNS],
        remedy: 'Give the column of the right answers that name. ',
      })
    if (form.cluster !== undefined && !table.columns.includes(form.cluster))
      throw missingColumn(table, form.cluster, '`cluster`', {
        wanted: [...template.fields, ...ANSWER_COLUMNS],
      })
    const made = table.rows.flatMap((row) => rows.attempt(() => [instanceOf(row, table, form)]) ?? [])
    rows.refuseEmpty(made.length)
    if (made.length === 0) throw noRows(table)
    yield* made
  }

/** Rows that were skipped keep their number. */
const instanceOf = (
  row: Row,
  table: Table,
  { template, lists, goldRequired, attributes, cluster }: FormTable,
): Instance => ({
  id: `id${row.row - 1}`,
  input: { text: fillPrompt(template, row, table, lists) },
  references: referencesOf(row, table, goldRequired),
  split: 'test',
  ...(cluster === undefined ? {} : clusterOf(cluster, row)),
  ...attributesOf(attributes, row, { ...table, wanted: [...template.fields, ...ANSWER_COLUMNS] }),
})

/** None of a row that leaves it out: it stands for itself. */
const clusterOf = (column: string, row: Row): Pick<Instance, 'cluster'> => {
  const cluster = stated(row, column)
  return cluster === '' ? {} : { cluster }
}

const noRows = (table: Table): ProblemError =>
  new ProblemError({
    code: 'benchmarks/empty-file',
    message: `${table.file} has a header but no rows`,
    where: { file: table.file, line: 2 },
    remedy: 'Add a row for each instance.',
  })
