import type {
  MetricGroup,
  MetricMatcher,
  RunGroup,
  Schema,
  SchemaField,
  GroupTaxonomy,
} from '../../../targets/tables/schema/schema.ts'
import type { TableModel } from '../../../targets/tables/models.ts'
import { flag, int, list, optional, record, text, texts, type Fields, type Form, any } from './form.ts'
import type { Float } from '../../../benchmarks/python/numbers/number.ts'
import type { Cell, HeaderCell, Hyperlink, HelmTable } from '../../../targets/tables/table.ts'

const field: Fields<SchemaField> = {
  name: text,
  displayName: optional(text),
  shortDisplayName: optional(text),
  description: optional(text),
  lowerIsBetter: optional(flag),
}

const metricGroupForm: Form<MetricGroup> = record<MetricGroup>({
  ...field,
  metrics: list(
    record<MetricMatcher>({
      name: text,
      split: text,
      subSplit: optional(text),
      perturbationName: optional(text),
    }),
  ),
  hideWinRates: optional(flag),
  aggregationStrategies: optional(list(text as Form<'win_rate' | 'mean'>)),
})

export const taxonomyForm: Form<GroupTaxonomy> = record<GroupTaxonomy>({
  task: optional(text),
  what: optional(text),
  when: optional(text),
  who: optional(text),
  language: optional(text),
})

/** RunGroup in HELM's order (targets/HELM.md T22). */
const runGroupForm: Form<RunGroup> = record<RunGroup>({
  ...field,
  metricGroups: list(text),
  subgroups: list(text),
  subSplits: optional(list(text)),
  subgroupDisplayMode: text as Form<RunGroup['subgroupDisplayMode']>,
  subgroupMetricGroupsHidden: list(text),
  environment: texts,
  category: text,
  visibility: text as Form<RunGroup['visibility']>,
  taxonomy: optional(taxonomyForm),
  todo: flag,
  adapterKeysShown: list(text),
  shortDescription: optional(text),
})

/** A model as schema.json shows it. */
interface ShownModel extends Omit<TableModel, 'numParameters' | 'releaseDate'> {
  readonly shortDisplayName: string
  readonly todo: boolean
  readonly releaseDate?: string
  readonly numParameters?: number
}

const modelForm: Form<ShownModel> = record<ShownModel>({
  name: text,
  displayName: text,
  shortDisplayName: text,
  description: text,
  creatorOrganization: text,
  access: text,
  todo: flag,
  releaseDate: optional(text),
  numParameters: optional(int),
})

interface AdapterFieldDoc {
  readonly name: string
  readonly description: string
}

/** What schema.json holds: the schema, what the adapter's fields mean, and the models that the runs used. */
interface SchemaFile extends Schema {
  readonly adapter?: readonly AdapterFieldDoc[]
  readonly models: readonly ShownModel[]
}

/** schema.json in HELM's order (HELM.md F3). */
export const schemaFileForm: Form<SchemaFile> = record<SchemaFile>({
  metrics: list(record<SchemaField>(field)),
  perturbations: list(record<SchemaField>(field)),
  metricGroups: list(metricGroupForm),
  runGroups: list(runGroupForm),
  adapter: optional(list(record<AdapterFieldDoc>({ name: text, description: text }))),
  models: list(modelForm),
})

export const shownModel = (model: TableModel): ShownModel => ({
  ...model,
  shortDisplayName: model.displayName,
  todo: false,
})

/** What each field of an adapter spec does, for the run page of HELM's front-end. */
export const ADAPTER_FIELDS: readonly AdapterFieldDoc[] = [
  ['method', 'How an instance becomes a prompt: generation, multiple_choice_joint, chat and others.'],
  ['global_prefix', 'Text before the whole prompt.'],
  ['global_suffix', 'Text after the whole prompt.'],
  ['instructions', 'What the model is told before the first example.'],
  ['input_prefix', 'Text before each input.'],
  ['input_suffix', 'Text after each input.'],
  ['reference_prefix', 'Label before the first answer option; later options count on from it.'],
  [
    'reference_prefix_characters',
    'The labels of the answer options, where they are not counted on from the first.',
  ],
  ['reference_suffix', 'Text after each answer option.'],
  ['chain_of_thought_prefix', 'Text before each worked-out reasoning.'],
  ['chain_of_thought_suffix', 'Text after each worked-out reasoning.'],
  ['output_prefix', 'Text before each answer, and the end of the prompt.'],
  ['output_suffix', 'Text after each example answer.'],
  ['instance_prefix', 'Text between the parts of the prompt.'],
  ['substitutions', 'Regular expressions and what replaces their matches in the finished prompt.'],
  ['max_train_instances', 'How many examples a prompt may hold.'],
  ['max_eval_instances', 'How many instances are evaluated at most, over all splits.'],
  ['num_outputs', 'How many answers are sampled for each prompt.'],
  ['num_train_trials', 'How many times the run is repeated with other examples.'],
  ['num_trials', 'How many times the same prompts are sent.'],
  ['sample_train', 'Whether examples are drawn at random rather than taken in order.'],
  ['model_deployment', 'Where requests go: host and model.'],
  ['model', 'The model: its maker and its name.'],
  ['temperature', 'Sampling temperature; 0 takes the likeliest token.'],
  ['max_tokens', 'Length limit of an answer, in tokens.'],
  ['stop_sequences', 'Texts at whose first occurrence an answer ends.'],
  ['random', 'Seed text that tells otherwise equal requests apart.'],
  [
    'multi_label',
    'Whether all correct references together, rather than any one of them, are the right answer.',
  ],
  ['image_generation_parameters', 'Settings for benchmarks that generate images.'],
  ['reeval_parameters', 'Settings for adaptive evaluation.'],
  ['eval_splits', 'Splits from which instances are evaluated, where not all of them are.'],
  [
    'output_mapping_pattern',
    'Regular expression that finds the option label in an answer; its group, if it has one.',
  ],
].map(([name = '', description = '']) => ({ name, description }))

/** Cell in HELM's order (HELM.md F4). */
const cell: Fields<Cell> = {
  value: optional(any as Form<string | number | Float>),
  displayValue: optional(text),
  description: optional(text),
  href: optional(text),
  style: optional(texts),
  markdown: flag,
  runSpecNames: optional(list(text)),
}

/** Table in HELM's order (HELM.md F4). */
export const tableForm: Form<HelmTable> = record<HelmTable>({
  title: text,
  header: list(record<HeaderCell>({ ...cell, lowerIsBetter: optional(flag), metadata: texts })),
  rows: list(list(record<Cell>(cell))),
  links: list(record<Hyperlink>({ text, href: text })),
  name: optional(text),
  description: optional(text),
})
