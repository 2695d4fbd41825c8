import { dirname, relative } from 'node:path'
import { digestOf } from '../../cache/digest.ts'
import { accessOf } from '../access/declared-access.ts'
import type { BenchmarkContext } from '../context/context.ts'
import { adapterSpec } from '../declaration/adapter-section.ts'
import { attributesKey } from '../declaration/attributes.ts'
import { correctionsOf } from '../declaration/corrections.ts'
import { definitionPath } from '../declaration/helm-names.ts'
import { checkJudgePrompt } from '../judges/judge-prompt.ts'
import { fillRecord } from '../declaration/fill.ts'
import { codeIds } from '../user-code/find-code.ts'
import type { MetricCatalog, MetricSet } from '../scenario/metric-catalog.ts'
import { useAnnotators } from '../user-code/use-annotators.ts'
import { useMetrics, type UsedMetric } from '../user-code/use-metrics.ts'
import type { YamlDocument } from '../../cache/yaml-document.ts'
import { scaleOf } from '../judges/score-scale.ts'
import { annotatorModels } from '../judges/judges.ts'
import type { PyValue } from '../python/value.ts'
import type { Benchmark, Judge, Jury, ObjectSpec, ScoreScale } from '../scenario/benchmark.ts'
import { fileDigest } from '../sources/file-digest.ts'
import { rowGuard } from '../sources/row-guard.ts'
import { checkConfig, JURY_SCORE, type ConfigFile } from './config-file.ts'
import { rubricCriteria } from './criteria.ts'
import { CONFIGURABLE_LOADER, loadConfig } from './load-config.ts'
import { locateFile } from './locate-file.ts'
import { promptTemplate } from './prompt-template.ts'
import { readPrompt } from './prompt-text.ts'

const SCENARIO = 'helm.benchmark.scenarios.medhelm_configurable_scenario.MedHELMConfigurableScenario'
const ANNOTATOR = 'helm.benchmark.annotation.model_as_judge.LLMAsJuryAnnotator'

export interface ConfigSource {
  readonly document: YamlDocument
  /** Name in run entries. */
  readonly name: string
  /** The path as HELM's run_spec.json shows it. */
  readonly configPath: string
  /** Whether it is the benchmark.yaml of a folder of its own, whose files are looked for there alone. */
  readonly inFolder: boolean
}

/** A benchmark from HELM's simple YAML form (HELM.md B9). @throws ProblemError */
export const buildConfigurable = async (
  source: ConfigSource,
  context: BenchmarkContext,
): Promise<Benchmark> => {
  const { document } = source
  const { sets } = context.metrics
  const config = checkConfig(document, source.inFolder, {
    builtIn: sets.flatMap(({ simple = [] }) => simple),
    own: codeIds(context.workspace, 'metric'),
  })
  const own = dirname(document.file)
  const folders = source.inFolder ? [own] : [context.cwd, own]
  const promptFile = locateFile(config.prompt_file, folders, 'prompt file', document.place(['prompt_file']))
  const dataset = locateFile(config.dataset_file, folders, 'dataset file', document.place(['dataset_file']))
  const template = promptTemplate(await readPrompt(promptFile, 'prompt file'), promptFile)
  const jury = await readJury(config, document, folders)
  const data = {
    template,
    dataset,
    csvTypes: config.csv_types ?? context.csvTypes ?? 'text',
    attributes: config.attributes,
    goldRequired: config.metrics.some(({ name }) => isCompared(setOf(name, sets))),
  }
  const errata = correctionsOf(config, context.errata)
  const specs = await specsOf(config, jury?.jury, document, context)
  const code = [...specs.metrics.map((metric) => metric.code), ...(specs.ownAnnotators ?? [])].flatMap(
    (own) => own?.files ?? [],
  )
  const files = [document.file, promptFile, dataset, ...(jury ? [jury.file] : []), ...code]
  return {
    ...describe(config, source, context),
    ...(errata === undefined ? {} : { errata }),
    ...specs,
    data: [dataset],
    ...(config.csv_types === undefined && context.csvTypes === 'pandas' ? { readAsPandas: true } : {}),
    files: files.map((file) => relative(context.workspace, file)),
    identity: async () => ({
      benchmark: config.name,
      loader: CONFIGURABLE_LOADER,
      csvTypes: data.csvTypes,
      template: digestOf<'text'>(template.text),
      data: { dataset: await fileDigest(dataset, context.fileDigests) },
      ...attributesKey(config.attributes),
      ...(context.skipBadRows === true ? { badRows: 'skipped' } : {}),
    }),
    async *instances(onSkipped) {
      yield* await loadConfig(data, rowGuard(context, onSkipped))
    },
  }
}

const DEFAULT_SCALE = [0, 5] as const

/** The first of its metrics is a configurable benchmark's main one, as in HELM. */
export const configuredMainMetric = ({ metrics }: ConfigFile): Benchmark['mainMetric'] => ({
  name: metrics[0]?.name ?? '',
  split: 'test',
})

/** What is known of a configurable benchmark's jury without its rubric. */
export const configuredJury = ({
  name,
  metrics,
}: ConfigFile):
  | { readonly metric: string; readonly annotator: string; readonly scale: ScoreScale }
  | undefined => {
  const own = metrics.find((metric) => metric.name === JURY_SCORE)
  return own && { metric: JURY_SCORE, annotator: name, scale: scaleOf(own.scale ?? DEFAULT_SCALE) }
}

const readJury = async (
  config: ConfigFile,
  document: YamlDocument,
  folders: readonly string[],
): Promise<{ readonly jury: Jury; readonly file: string } | undefined> => {
  const index = config.metrics.findIndex(({ name }) => name === JURY_SCORE)
  const { prompt_file: path, judges = [], scale = DEFAULT_SCALE } = config.metrics[index] ?? {}
  if (path === undefined) return undefined
  const file = locateFile(path, folders, 'judge prompt', document.place(['metrics', index, 'prompt_file']))
  const template = await readPrompt(file, 'judge prompt')
  const criteria = rubricCriteria(template, file)
  checkJudgePrompt(template, file)
  const members = judges.map(({ name, model_name }, judge): Judge => ({
    name,
    model: model_name,
    deployment: name,
    where: document.place(['metrics', index, 'judges', judge, 'name']),
  }))
  const jury = { annotator: config.name, template, criteria, scale: scaleOf(scale), judges: members }
  return { jury, file }
}

const describe = (
  config: ConfigFile,
  { name, configPath, document }: ConfigSource,
  { workspace, protocol = '' }: BenchmarkContext,
): Omit<Benchmark, 'metrics' | 'jury' | 'annotators' | 'files' | 'identity' | 'instances' | 'data'> => ({
  name,
  runName: config.name,
  displayName: config.display_name ?? config.name,
  description: config.description,
  ...accessOf(config.access, document.file, workspace),
  ...(config.category === undefined ? {} : { category: config.category }),
  ...(config.subcategory === undefined ? {} : { subcategory: config.subcategory }),
  scenario: {
    spec: {
      className: SCENARIO,
      args: new Map([
        ['name', config.name],
        ['config_path', configPath],
      ]),
    },
    name: config.name,
    description: config.description,
    tags: ['biomedical'],
    definitionPath: definitionPath(SCENARIO, protocol),
  },
  adapter: adapterSpec({
    method: 'generation',
    max_train_instances: 0,
    max_tokens: config.max_tokens,
    stop_sequences: [],
  }),
  groups: [config.name],
  mainMetric: configuredMainMetric(config),
  ...(config.coverage_floor === undefined ? {} : { coverageFloor: config.coverage_floor }),
  ...(config.margin === undefined ? {} : { margin: config.margin }),
  ...(config.attributes.length === 0 ? {} : { attributes: config.attributes }),
})

const specsOf = async (
  config: ConfigFile,
  jury: Jury | undefined,
  document: YamlDocument,
  context: BenchmarkContext,
): Promise<Pick<Benchmark, 'metrics' | 'jury' | 'annotators' | 'ownAnnotators'>> => {
  const models = annotatorModels(jury?.judges ?? [])
  const own = config.annotators.map((use, index) => ({
    name: typeof use === 'string' ? use : use.name,
    args: typeof use === 'string' ? new Map() : fillRecord(use.args, new Map()),
    where: document.place(['annotators', index]),
  }))
  const sets = {
    task: config.name,
    annotatorModels: models,
    annotators: own.map((each) => each.name),
    jury: { metric: JURY_SCORE, annotator: config.name },
  }
  return {
    metrics: await useMetrics(usedMetrics(config, document, context.metrics), sets, context),
    ...(await useAnnotators(
      own,
      { built: jury === undefined ? [] : [annotatorSpec(jury, models)], taken: jury?.annotator },
      context,
    )),
    ...(jury === undefined ? {} : { jury }),
  }
}

const setOf = (name: string, sets: readonly MetricSet[]): MetricSet | undefined =>
  sets.find(({ simple }) => simple?.includes(name))

/** Whether it holds an answer against references: neither judged nor a workspace's own. */
const isCompared = (set: MetricSet | undefined): boolean => set !== undefined && set.judged !== true

/** One set serves all its measures; what does not bring the basic metrics gets them. */
const usedMetrics = (
  { metrics }: ConfigFile,
  document: YamlDocument,
  { sets }: MetricCatalog,
): readonly UsedMetric[] => {
  const asked = metrics.map(({ name }) => setOf(name, sets))
  const used = metrics.flatMap(({ name, args = {} }, index): readonly UsedMetric[] => {
    const set = asked[index]
    if (set !== undefined && asked.indexOf(set) < index) return []
    const where = document.place(['metrics', index, 'name'])
    return [{ name: set?.name ?? name, args: fillRecord(args, new Map()), where }]
  })
  // A jury beside others brings none, as in HELM.
  const needsBasics =
    !asked.some(isCompared) && (metrics.length === 1 || asked.every((set) => set?.judged !== true))
  const basics = needsBasics ? sets.filter(({ beside }) => beside === true) : []
  const where = document.place(['metrics'])
  return [...used, ...basics.map(({ name }): UsedMetric => ({ name, args: new Map(), where }))]
}

const annotatorSpec = (jury: Jury, models: PyValue): ObjectSpec => ({
  className: ANNOTATOR,
  args: new Map<string, PyValue>([
    ['name', jury.annotator],
    ['prompt_template', jury.template],
    ['annotation_criteria', jury.criteria],
    ['annotator_models', models],
  ]),
})
