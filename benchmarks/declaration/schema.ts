import { z } from 'zod'
import { Float, float, str } from '../python/numbers/number.ts'
import { aboutFields, Text } from './about.ts'
import { attributesField } from './attributes.ts'
import { Scale } from '../judges/judges.ts'
import { SourceSection } from './data/locate.ts'
import { ADAPTER_DEFAULTS, camelCase, type AdapterSpec } from '../scenario/adapter-spec.ts'
import { isTruthy } from '../python/value.ts'
import { fillText, type Placeholders } from './arguments.ts'

const Scalar = z.union([z.null(), z.boolean(), z.number(), z.instanceof(Float), z.string()])

/** An argument of run entries, e.g. `subset` of `med_dialog:subset=icliniq`. */
const Argument = z.strictObject({
  about: Text.optional(),
  /** A `flag` is on where Python holds its value true: every text is, `false` too. */
  type: z.enum(['text', 'integer', 'number', 'flag']).default('text'),
  /** Without one the argument must be given. */
  default: Scalar.optional(),
  /** Allowed values; a mapping gives each value further placeholders, e.g. `{alcohol_dependence: {label: …}}`. */
  choices: z.union([z.array(z.string()), z.record(z.string(), z.record(z.string(), z.string()))]).optional(),
  /**
   * A `path` tells where a file lies and so is in no key: the digest of what lies there is. `data` is the place of data
   * that the user brings: by default that name in the benchmark's folder among the workspace's data.
   */
  kind: z.enum(['value', 'path', 'data']).default('value'),
})

/** Rows to keep. `present`: not NaN; `filled`: neither missing nor empty text. */
const Condition = z.strictObject({
  column: Text,
  is: z.enum(['present', 'filled']).optional(),
  equals: Scalar.optional(),
  differs_from: Scalar.optional(),
  /** Compare `equals` and `differs_from` without regard to case. */
  ignore_case: z.boolean().default(false),
})

const Reference = z.strictObject({
  /** Python format template over the row's columns. */
  text: z.string(),
  /** Text to use when the file lacks the template's column. */
  absent: z.string().optional(),
  /** Right always, or when the filled template `value` is the text `is`. */
  correct: z.union([z.boolean(), z.strictObject({ value: z.string(), is: z.string() })]).default(false),
})

/** How rows of one data file become instances. Templates are Python's `str.format` over the columns. */
const Mapping = z.strictObject({
  from: Text,
  split: z.enum(['train', 'valid', 'test']),
  /** Columns that become text without outer white space before anything looks at them. */
  strip: z.array(Text).default([]),
  /** Placeholder for the position among the kept rows, from 1. */
  number: Text.optional(),
  /** Rows of equal input are one instance: in the first one's place, with the last one's references. */
  unique_input: z.boolean().default(false),
  /** A row without a right reference is a fault of the data. */
  needs_answer: z.boolean().default(false),
  keep: z.array(Condition).default([]),
  input: z.string(),
  references: z.array(Reference).default([]),
  id: z.string().optional(),
  sub_split: z.string().optional(),
  extra_data: z.record(z.string(), z.string()).optional(),
  /** The source that a row shares with others, such as a patient; a row where it is empty stands for itself. */
  cluster: z.string().optional(),
})

/** Score of an answer that no judge scored. */
export const DefaultScore = z.union([z.number(), z.instanceof(Float)])

const Jury = z.strictObject({
  /**
   * Text file beside the declaration, with {QUESTION}, {RESPONSE} and {GOLD_RESPONSE}; where items are graded, with
   * <<conversation>> and <<rubric_item>>.
   */
  rubric: Text,
  /** Each instance brings a rubric of its own, whose items are graded one by one: in whose manner. */
  grading: z.enum(['health-bench', 'medhelm-0.8']).optional(),
  /** Text file with which graders hold an answer against a physician's: <<user_message>>, <<llm_response>>, <<physician_response>>. */
  comparison: Text.optional(),
  /** File beside the declaration that names the judges; a run entry's jury_config_path goes before it. */
  judges: Text.optional(),
  /** Criterion → keys that its object must hold; left out: what the rubric's <rubric_criteria> block names. */
  criteria: z.record(z.string(), z.array(z.string()).min(1, 'it must name at least one key')).optional(),
  /** Least and most score of the rubric; MedHELM's scale if left out. */
  scale: Scale.default([1, 5]),
  /** Key of the annotation; the benchmark's name if left out. */
  annotator: Text.optional(),
  /** Name of the stat; `<annotator>_accuracy` if left out. */
  metric: Text.optional(),
  /** Score of an answer that no judge scored, in HELM's profile. */
  default_score: DefaultScore.optional(),
})

const ClassSpec = z.strictObject({
  class_name: Text,
  args: z.record(z.string(), z.unknown()).default({}),
})

/** How gold queries are run on the database of a benchmark whose answers are queries. */
const Queries = z.strictObject({
  /** Stands in the gold query for `current_time`. */
  gold_current_time: Text.optional(),
  /** Where the gold query gives no rows, the values of the question's placeholders stand for them. */
  gold_from_value: z.boolean().default(true),
})

/** Names that HELM's files carry. Without this section the benchmark is ours and carries our names. */
const Helm = z.strictObject({
  /** Start of the run name; the benchmark's name if left out. */
  run_name: Text.optional(),
  /** Arguments of type `flag` that the run name ends with where they are on, as `=True`. */
  run_name_flags: z.array(Text).default([]),
  scenario: ClassSpec,
  /** What scenario.json shows; differs from the leaderboard's text where HELM's does. */
  scenario_name: Text.optional(),
  scenario_description: z.string().optional(),
  tags: z.array(z.string()).default([]),
  annotators: z.array(ClassSpec).optional(),
})

/** Code by its name, which may take arguments. */
export const CodeUse = z.union([
  Text,
  z.strictObject({ name: Text, args: z.record(z.string(), z.unknown()).default({}) }),
])

const Count = z.int().nonnegative()

/** The `adapter` section: HELM's AdapterSpec field names (HELM.md B4). What is left out has the builder's value. */
const AdapterSection = z.strictObject({
  method: z.enum(['generation', 'multiple_choice_joint', 'chat']),
  global_prefix: z.string().optional(),
  global_suffix: z.string().optional(),
  instructions: z.string().optional(),
  input_prefix: z.string().optional(),
  input_suffix: z.string().optional(),
  reference_prefix: z.string().optional(),
  reference_suffix: z.string().optional(),
  output_prefix: z.string().optional(),
  output_suffix: z.string().optional(),
  instance_prefix: z.string().optional(),
  max_train_instances: Count.optional(),
  max_eval_instances: Count.optional(),
  num_outputs: Count.optional(),
  num_train_trials: Count.optional(),
  sample_train: z.boolean().optional(),
  temperature: z.union([z.number(), z.instanceof(Float)]).optional(),
  max_tokens: Count.optional(),
  stop_sequences: z.array(z.string()).optional(),
  eval_splits: z.array(z.enum(['train', 'valid', 'test'])).optional(),
  output_mapping_pattern: z.string().optional(),
})
type AdapterSection = z.output<typeof AdapterSection>

/** One way to ask the benchmark's questions. Numbers of two protocols are not comparable. */
const Protocol = z.strictObject({
  /** E.g. `helm-0.5.16`. */
  version: Text,
  /** Raised by hand whenever scenario.ts gives other instances for the same data. */
  loader: z.int().positive().default(1),
  arguments: z.record(z.string(), Argument).default({}),
  data: z.record(z.string(), SourceSection),
  /** Left out where scenario.ts makes the instances. */
  instances: z.array(Mapping).min(1, 'it must have at least one entry').optional(),
  /** Errata that this protocol corrects. */
  apply_errata: z.array(z.string()).default([]),
  adapter: AdapterSection,
  /** Sets of built-in metrics, or metrics of the workspace. */
  metrics: z.array(CodeUse).min(1, 'it must name at least one metric'),
  /** Of the workspace: what its code says of each answer, for metrics to read. */
  annotators: z.array(CodeUse).default([]),
  main_metric: z.strictObject({ name: Text, split: z.enum(['train', 'valid', 'test']) }),
  groups: z.array(Text).optional(),
  jury: Jury.optional(),
  queries: Queries.optional(),
  helm: Helm.optional(),
})

/** A benchmark.yaml in full. */
export const DeclarationFile = z.strictObject({
  ...aboutFields,
  attributes: attributesField,
  /** What a run would take that is not built in: a benchmark that is listed, and refused with this reason. */
  needs: Text.optional(),
  protocols: z.array(Protocol).default([]),
})

export type DeclarationFile = z.output<typeof DeclarationFile>
export type Protocol = DeclarationFile['protocols'][number]
export type Argument = Protocol['arguments'][string]
export type Mapping = NonNullable<Protocol['instances']>[number]

/** What HELM's builders set beyond the dataclass defaults (HELM.md B4), with no nouns. */
const BUILDERS: Readonly<Record<AdapterSpec['method'], Partial<AdapterSpec>>> = {
  generation: {
    inputPrefix: '',
    outputPrefix: '',
    numOutputs: 1,
    maxTokens: 5,
    temperature: float(0),
    stopSequences: ['\n'],
  },
  multiple_choice_joint: {
    inputPrefix: '',
    outputPrefix: '',
    maxTokens: 1,
    temperature: float(0),
    stopSequences: ['\n'],
  },
  chat: { inputPrefix: '', outputPrefix: '', numOutputs: 1, temperature: float(0) },
}

/** The section as an adapter spec, without a model. */
export const adapterSpec = (section: AdapterSection): AdapterSpec => {
  const { method, ...rest } = section
  const given = Object.entries(rest)
    .filter(([, value]) => value !== undefined)
    .map(([key, value]) => [camelCase(key), value])
  return { method, ...ADAPTER_DEFAULTS, ...BUILDERS[method], ...Object.fromEntries(given) }
}

/** Where the sources of each line of HELM are shown. */
const SOURCES: Readonly<Record<string, string>> = {
  'medhelm-0.8': 'https://github.com/PacificAI/medhelm/blob/main/src/',
}
const HELM_SOURCES = 'https://github.com/stanford-crfm/helm/blob/main/src/'

/** `definition_path` of scenario.json: the module of a HELM class (HELM.md B5). */
export const definitionPath = (className: string, protocol: string): string =>
  `${SOURCES[protocol] ?? HELM_SOURCES}${className.split('.').slice(0, -1).join('/')}.py`

/** Start of a run's name: HELM's, with the flags that are on, as in `sct_bench:reason=True,few_shot=True`, or our own. */
export const runNameOf = (
  name: string,
  { helm, arguments: declared }: Protocol,
  placeholders: Placeholders,
): string => {
  if (helm === undefined) return ownRunName(name, declared, placeholders)
  const start = fillText(helm.run_name ?? name, placeholders)
  const flags = helm.run_name_flags.filter((flag) => isTruthy(placeholders.get(flag) ?? null))
  return flags.length === 0 ? start : `${start}:${flags.map((flag) => `${flag}=True`).join(',')}`
}

/** With the arguments that are not their defaults: what is asked otherwise is another run. */
const ownRunName = (name: string, declared: Protocol['arguments'], placeholders: Placeholders): string => {
  const given = Object.entries(declared).flatMap(([key, { kind, default: usual }]) => {
    const value = placeholders.get(key)
    const isUsual = value === undefined || (usual !== undefined && str(value) === str(usual))
    return kind !== 'value' || isUsual ? [] : [`${key}=${str(value)}`]
  })
  return given.length === 0 ? name : `${name}:${given.join(',')}`
}
