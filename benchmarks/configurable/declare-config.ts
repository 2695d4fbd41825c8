import type { YamlDocument } from '../../cache/problems/yaml-document.ts'
import type { PyValue } from '../python/value.ts'
import type { Declaration, SimpleForm } from '../declaration/read-declaration.ts'
import type { Protocol } from '../declaration/schema.ts'
import { SourceSection } from '../declaration/data/source-section.ts'
import { JURY_SCORE, type ConfigFile } from './config-file.ts'

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
export interface FormParts {
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
