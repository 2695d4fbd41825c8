/** What the schema says of one name. Undefined texts are shown as the name, or not at all. */
export interface SchemaField {
  readonly name: string
  readonly displayName?: string
  readonly shortDisplayName?: string
  readonly description?: string
  readonly lowerIsBetter?: boolean
}

/** Picks the stats of a column. `name`, `split` and `perturbationName` may hold `${variable}`. */
export interface MetricMatcher {
  readonly name: string
  /** `test`, `valid`, or `__all__` for any. */
  readonly split: string
  /** Undefined matches every sub-split. */
  readonly subSplit?: string
  /** Undefined matches unperturbed stats only. */
  readonly perturbationName?: string
}

export type AggregationStrategy = 'win_rate' | 'mean'

export interface MetricGroup extends SchemaField {
  readonly metrics: readonly MetricMatcher[]
  readonly hideWinRates?: boolean
  readonly aggregationStrategies?: readonly AggregationStrategy[]
}

export interface GroupTaxonomy {
  readonly task?: string
  readonly what?: string
  readonly when?: string
  readonly who?: string
  readonly language?: string
}

type Visibility = 'all_groups' | 'this_group_only' | 'no_groups'

export interface RunGroup extends SchemaField {
  readonly metricGroups: readonly string[]
  readonly subgroups: readonly string[]
  readonly subSplits?: readonly string[]
  readonly subgroupDisplayMode: 'by_metric' | 'by_group'
  readonly subgroupMetricGroupsHidden: readonly string[]
  /** Values of the variables in matchers. */
  readonly environment: ReadonlyMap<string, string>
  readonly category: string
  readonly visibility: Visibility
  readonly taxonomy?: GroupTaxonomy
  readonly todo: boolean
  /** AdapterSpec fields, in HELM's snake case, that tell rows apart. */
  readonly adapterKeysShown: readonly string[]
  readonly shortDescription?: string
}

/** HELM's schema: which tables to build (HELM.md T22). */
export interface Schema {
  readonly metrics: readonly SchemaField[]
  readonly perturbations: readonly SchemaField[]
  readonly metricGroups: readonly MetricGroup[]
  readonly runGroups: readonly RunGroup[]
}

/** A schema that leaves all to the runs. */
export const NO_SCHEMA: Schema = { metrics: [], perturbations: [], metricGroups: [], runGroups: [] }

/** HELM's defaults of a run group. */
export const RUN_GROUP_DEFAULTS = {
  metricGroups: [],
  subgroups: [],
  subgroupDisplayMode: 'by_metric',
  subgroupMetricGroupsHidden: [],
  environment: new Map<string, string>(),
  category: 'Scenarios',
  visibility: 'all_groups',
  todo: false,
  adapterKeysShown: ['model_deployment', 'model'],
} as const satisfies Partial<RunGroup>

/** A name as columns show it; an empty text counts as none, as in HELM. */
export const shortName = (field: SchemaField): string =>
  field.shortDisplayName || field.displayName || field.name

/** A schema with its names looked up; of two entries with one name the later wins, as in HELM. */
export interface SchemaIndex {
  readonly schema: Schema
  readonly metrics: ReadonlyMap<string, SchemaField>
  readonly perturbations: ReadonlyMap<string, SchemaField>
  readonly metricGroups: ReadonlyMap<string, MetricGroup>
  readonly runGroups: ReadonlyMap<string, RunGroup>
}

const byName = <T extends SchemaField>(fields: readonly T[]): ReadonlyMap<string, T> =>
  new Map(fields.map((field) => [field.name, field]))

export const indexSchema = (schema: Schema): SchemaIndex => ({
  schema,
  metrics: byName(schema.metrics),
  perturbations: byName(schema.perturbations),
  metricGroups: byName(schema.metricGroups),
  runGroups: byName(schema.runGroups),
})
