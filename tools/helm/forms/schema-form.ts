import type {
  MetricGroup,
  MetricMatcher,
  RunGroup,
  Schema,
  SchemaField,
  GroupTaxonomy,
} from '../../../targets/tables/schema/schema.ts'
import type { TableModel } from '../../../targets/tables/models.ts'
import { flag, int, list, optional, record, text, texts, type Fields, type Form } from './form.ts'

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

export interface AdapterFieldDoc {
  readonly name: string
  readonly description: string
}

/** What schema.json holds: the schema, what the adapter's fields mean, and the models that the runs used. */
export interface SchemaFile extends Schema {
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
