import { z } from 'zod'
import { suggestion } from '../../cache/problems/did-you-mean.ts'
import { ProblemError, type Problem } from '../../cache/problems/problem.ts'
import type { YamlDocument } from '../../cache/problems/yaml-document.ts'
import { checkDocument } from '../../cache/problems/zod-problems.ts'
import { defined } from '../../cache/values/defined.ts'
import { aboutFields, Text } from '../declaration/about.ts'
import { attributesField } from '../declaration/attributes.ts'
import { CodeUse, DefaultScore, type Protocol } from '../declaration/schema.ts'
import { nameFault, type Declaration, type SimpleForm } from '../declaration/read-declaration.ts'
import { Scale } from '../judges/judges.ts'
import type { PyValue } from '../python/value.ts'
import { SourceSection } from '../declaration/data/locate.ts'

const Metric = z.strictObject({
  name: Text,
  /** Of a metric of the workspace only. */
  args: z.record(z.string(), z.unknown()).optional(),
  /** Of jury_score only, ours: least and most score of the judge prompt; HELM documents 0 to 5. */
  scale: Scale.optional(),
  /** Of jury_score only, ours: score of an answer that no judge scored, such as an empty one; HELM's is 0. */
  default_score: DefaultScore.optional(),
  /** Of jury_score only: the judge prompt. */
  prompt_file: Text.optional(),
  /** Of jury_score only; `name` is a model deployment, as HELM has it. */
  judges: z
    .array(z.strictObject({ name: Text, model_name: Text }))
    .min(1, 'it must name at least one judge')
    .optional(),
})

/** The simple form of a benchmark (HELM.md B9); ours beyond HELM's keys: `csv_types`, `attributes`, `annotators` and the about fields. */
const ConfigFile = z.strictObject({
  ...aboutFields,
  attributes: attributesField,
  name: z
    .string()
    .regex(/^[^\s/](?:[^\n\r/]*[^\s/])?$/, 'it must be one line without / or blanks at its ends'),
  prompt_file: Text,
  dataset_file: Text,
  max_tokens: z.int().positive('it must be greater than 0').default(1024),
  /** Cells as written, or typed as HELM's reader guesses them. */
  csv_types: z.enum(['text', 'pandas']).optional(),
  metrics: z.array(Metric).min(1, 'it must name at least one metric'),
  /** Of the workspace: what its code says of each answer, for metrics to read. */
  annotators: z.array(CodeUse).default([]),
})

/** In a folder of its own a benchmark's files have usual names. */
export const FolderConfigFile = ConfigFile.extend({
  prompt_file: Text.default('prompt.txt'),
  dataset_file: Text.default('data.csv'),
})

export type ConfigFile = z.output<typeof ConfigFile>
type ConfigMetric = ConfigFile['metrics'][number]

/** The one metric of HELM's form that a jury gives. */
export const JURY_SCORE = 'jury_score'

/** Metrics that the form may list. */
interface KnownMetrics {
  readonly builtIn: readonly string[]
  /** Of the workspace. */
  readonly own: readonly string[]
  /** Whether the workspace has a file of that name: it is meant, whatever it exports. */
  readonly hasFile: (name: string) => boolean
}

/**
 * Checks a configurable benchmark's YAML.
 * @param inFolder whether it is the benchmark.yaml of a folder of its own
 * @param known without it any metric is taken: what was run is described although its code is gone
 * @throws ProblemError with every fault at once
 */
export const checkConfig = (document: YamlDocument, inFolder: boolean, known?: KnownMetrics): ConfigFile => {
  const config = checkDocument(inFolder ? FolderConfigFile : ConfigFile, document, 'benchmarks')
  const problems = [
    ...(inFolder ? nameFault(config.name, document) : []),
    ...config.metrics.flatMap((metric, index) => metricFaults(metric, index, config, { document, known })),
  ]
  if (problems.length > 0) throw new ProblemError(problems)
  return config
}

interface Checked {
  readonly document: YamlDocument
  readonly known: KnownMetrics | undefined
}

const metricFaults = (
  metric: ConfigMetric,
  index: number,
  config: ConfigFile,
  { document, known }: Checked,
): readonly Problem[] => {
  const where = document.place(['metrics', index, 'name'])
  const fault = (code: string, message: string, remedy: string): readonly Problem[] => [
    { code: `benchmarks/${code}`, message, where, remedy },
  ]
  const { name } = metric
  const names = known && [...known.builtIn, ...known.own]
  if (known !== undefined && names?.includes(name) === false && !known.hasFile(name))
    return fault(
      'unknown-metric',
      `there is no metric ${JSON.stringify(name)}`,
      `${suggestion(name, names)}Known are ${names.join(', ')}; one of your own is targets/metrics/${name}.ts.`,
    )
  if (config.metrics.findIndex((other) => other.name === name) < index)
    return fault('duplicate-metric', `${name} is listed twice`, 'Keep one of them.')
  if (name === JURY_SCORE) return juryFaults(metric, index, document)
  return strayFaults(metric, index, { document, known })
}

const juryFaults = (metric: ConfigMetric, index: number, document: YamlDocument): readonly Problem[] => {
  const problems: Problem[] = []
  for (const key of ['prompt_file', 'judges'] as const)
    if (metric[key] === undefined)
      problems.push({
        code: 'benchmarks/missing-key',
        message: `jury_score needs ${key}`,
        where: document.place(['metrics', index, 'name']),
        remedy:
          key === 'judges'
            ? 'Add `judges:`, a list of name (a model deployment) and model_name.'
            : 'Add `prompt_file:`, the file with the judge prompt.',
      })
  const judges = metric.judges ?? []
  for (const [judge, { name }] of judges.entries())
    if (judges.findIndex((other) => other.name === name) < judge)
      problems.push({
        code: 'benchmarks/duplicate-judge',
        message: `the judge ${JSON.stringify(name)} is listed twice`,
        where: document.place(['metrics', index, 'judges', judge, 'name']),
        remedy: 'Keep one of them: judges are told apart by their deployment.',
      })
  return problems
}

const strayFaults = (metric: ConfigMetric, index: number, { document, known }: Checked): readonly Problem[] =>
  (['prompt_file', 'judges', 'scale', 'default_score', 'args'] as const)
    .filter(
      (key) =>
        metric[key] !== undefined && !(key === 'args' && known?.builtIn.includes(metric.name) !== true),
    )
    .map((key) => ({
      code: 'benchmarks/unknown-key',
      message: `${metric.name} takes no ${key}`,
      where: document.place(['metrics', index, key]),
      remedy:
        key === 'args' ? 'Only metrics of the workspace do: remove it.' : 'Only jury_score does: remove it.',
    }))

const SCENARIO = 'helm.benchmark.scenarios.medhelm_configurable_scenario.MedHELMConfigurableScenario'
const ANNOTATOR = 'helm.benchmark.annotation.model_as_judge.LLMAsJuryAnnotator'
const DEFAULT_SCALE = [0, 5] as const

/** Raised whenever the same files give other instances. */
const LOADER = 1

/** Name of the data file within the declaration. */
const DATASET = 'dataset'

/** A metric that the form stands for, with the place of the form that says so. */
export interface FormMetric {
  readonly name: string
  readonly args: ReadonlyMap<string, PyValue>
  readonly path: readonly PropertyKey[]
}

/** What is found beside the form. */
interface FormParts {
  /** The path as HELM's run_spec.json shows it. */
  readonly configPath: string
  readonly dataset: string
  readonly dialect: 'strict' | 'pandas'
  /** The judge prompt. */
  readonly rubric: string
  readonly metrics: readonly FormMetric[]
  readonly simple: SimpleForm
}

/**
 * HELM's simple form of a benchmark as a declaration in full (HELM.md B9).
 * @param parts absent where only what it says of itself is wanted
 */
export const declareConfig = (
  { max_tokens: maxTokens, annotators, ...config }: ConfigFile,
  document: YamlDocument,
  parts?: FormParts,
): Declaration => {
  const { metrics = [], simple } = parts ?? {}
  const index = config.metrics.findIndex(({ name }) => name === JURY_SCORE)
  const jury = config.metrics[index]
  const protocol: Protocol = {
    version: '',
    loader: LOADER,
    arguments: {},
    data: parts === undefined ? {} : { [DATASET]: dataOf(parts) },
    apply_errata: [],
    adapter: {
      method: 'generation',
      max_train_instances: 0,
      max_tokens: maxTokens,
      stop_sequences: [],
    },
    metrics: metrics.map(({ name, args }) => ({ name, args: Object.fromEntries(args) })),
    annotators,
    // The first of its metrics, as in HELM.
    main_metric: { name: config.metrics[0]?.name ?? '', split: 'test' },
    groups: [config.name],
    ...(jury && {
      jury: {
        rubric: parts?.rubric ?? '',
        scale: jury.scale ?? [...DEFAULT_SCALE],
        ...defined({ default_score: jury.default_score }),
        annotator: config.name,
        metric: JURY_SCORE,
      },
    }),
    helm: helmOf(config, parts?.configPath ?? '', jury !== undefined),
  }
  const {
    prompt_file: _prompt,
    dataset_file: _dataset,
    csv_types: _types,
    metrics: _metrics,
    ...about
  } = config
  return {
    file: document.file,
    content: { ...about, protocols: [protocol] },
    place: (path) => document.place(formPath(path, index, metrics)),
    ...(simple && { simple }),
  }
}

const dataOf = ({ dataset, dialect }: FormParts): Protocol['data'][string] =>
  SourceSection.parse({ path: dataset, format: 'csv', dialect })

const helmOf = (
  { name, description }: Pick<ConfigFile, 'name' | 'description'>,
  configPath: string,
  isJudged: boolean,
): NonNullable<Protocol['helm']> => ({
  run_name: name,
  run_name_flags: [],
  scenario: { class_name: SCENARIO, args: { name, config_path: configPath } },
  scenario_name: name,
  scenario_description: description,
  tags: ['biomedical'],
  annotators: isJudged
    ? [
        {
          class_name: ANNOTATOR,
          args: {
            name: '{annotator}',
            prompt_template: '{prompt_template}',
            annotation_criteria: '{annotation_criteria}',
            annotator_models: '{annotator_models}',
          },
        },
      ]
    : [],
})

/** Where the form says what stands at a place of the declaration. */
const formPath = (
  path: readonly PropertyKey[],
  jury: number,
  metrics: readonly FormMetric[],
): readonly PropertyKey[] => {
  const [, , section, at] = path
  if (section === 'jury') return at === 'rubric' ? ['metrics', jury, 'prompt_file'] : ['metrics', jury]
  if (section === 'metrics') return metrics[Number(at)]?.path ?? ['metrics']
  if (section === 'annotators') return at === undefined ? ['annotators'] : ['annotators', at]
  return path
}
